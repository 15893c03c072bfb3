import { HTTPException } from "hono/http-exception";
import { readLinkVisit, type LinkVisit } from "../../actions/checkout/read-link.ts";
import { openPaymentLinkUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import type { PaymentLink } from "../../domain/model/payment-link.ts";
import { isId } from "../../ids.ts";
import { paymentLinks } from "../../store/payment-links.ts";
import type { Words } from "../../texts/words.ts";
import type { PageContext } from "../environment.ts";
import type { RequestLimit } from "../guards.ts";
import { wordsOf } from "../language.ts";
import { readAsked, type Asked, type AskedName } from "./asked.ts";
import type { Ended } from "./page.ts";
import { closedFor, offerViews, type OfferView } from "./view.ts";

export const ROOT = "/buy/:link";

/** The link of the address, also one that is switched off. @throws HTTPException 404 */
export async function linkAt(ctx: Context, c: PageContext): Promise<PaymentLink> {
  const { organizationId, id } = openPaymentLinkUrl(c.req.param("link") ?? "");
  const isKey = isId("org", organizationId) && isId("plk", id);
  const link = isKey ? await paymentLinks.find(ctx.db.read, organizationId, id) : null;
  if (!link) throw new HTTPException(404);
  return link;
}

/** One visit, or the reason for which the link sells nothing now. */
export type Visited = { words: Words; visit: LinkVisit; offers: OfferView[]; asked: Asked; values: URLSearchParams } & {
  malformed: AskedName[];
  isGuessing: boolean;
  ended: Ended | null;
};

/** The code of the link, else the one that the visit asks for where the link allows it. */
const codeOf = (link: PaymentLink, asked: Asked): string | null =>
  link.discountCode ?? (link.allowDiscountCodes ? asked.discount : null);

function endOf({ link, sold, codeRefused }: LinkVisit, closed: LinkVisit["closed"]): Ended | null {
  if (!link.active) return "off";
  if (sold === 0) return "unsold";
  const isOver = codeRefused !== null && link.discountCode !== null && !CATALOGUE_REASONS.includes(codeRefused);
  return isOver ? "ended" : closed;
}

/** The code is good, but fits none of the shown offers. The page then sells at the price without the code. */
const CATALOGUE_REASONS: readonly (string | null)[] = [
  "discount_not_for_product",
  "discount_other_currency",
  "discount_below_minimum",
];

/** Reads one visit. `guesses`: a stranger could try out codes by the thousand in an address. */
export async function visitOf(
  ctx: Context,
  c: PageContext,
  values: URLSearchParams,
  guesses: RequestLimit,
): Promise<Visited> {
  const link = await linkAt(ctx, c);
  const { asked, malformed } = readAsked(values);
  const isGuess = link.discountCode === null && link.allowDiscountCodes && asked.discount !== null;
  const isGuessing = isGuess && !mayGuess(guesses, c.env.client);
  const visit = await readLinkVisit(ctx, link, asked, isGuessing ? null : codeOf(link, asked));
  // Many visitors behind one address may follow the same newsletter.
  if (isGuess && !isGuessing && visit.code !== null) guesses.forgive(c.env.client);
  const words = wordsOf(c, asked.lang, link.locale);
  const offers = offerViews(ctx, visit, words);
  return { words, visit, offers, asked, values, malformed, isGuessing, ended: endOf(visit, closedFor(visit, offers)) };
}

function mayGuess(guesses: RequestLimit, client: string): boolean {
  try {
    guesses.count(client);
    return true;
  } catch (error) {
    if (error instanceof HTTPException) return false;
    throw error;
  }
}
