import type { Hono } from "hono";
import { buyThroughLink } from "../../actions/checkout/buy.ts";
import { checkoutUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isId, newId } from "../../ids.ts";
import { CreateCheckoutParams } from "../../resources/checkout.ts";
import { basePath } from "../assets.ts";
import { writeEmail } from "../checkout/memory.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import { quoted } from "./asked.ts";
import { buyPage, endedPage, limitsOf, type BuyPage, type Ended } from "./page.ts";
import { tablePages } from "./table-routes.ts";
import type { OfferView } from "./view.ts";
import { ROOT, visitOf, type Visited } from "./visited.ts";
import { VisitCounter } from "./visits.ts";

/** The most Checkouts that one address makes in a minute. */
const MOST_CHECKOUTS = 10;

/** The link, its discount or its Products are gone for good; else the payments wait for the seller. */
const statusOf = (why: Ended) => (why === "off" || why === "unsold" || why === "ended" ? 410 : 409);

/** The sentences about values that the page does not use. */
function noticesOf({ words, visit, asked, values, malformed, isGuessing }: Visited): string[] {
  const { link, ignored, codeRefused } = visit;
  const isUnwanted = asked.discount !== null && (link.discountCode !== null || !link.allowDiscountCodes);
  const names = [
    ...malformed,
    ...ignored,
    ...(isUnwanted && link.discountCode !== asked.discount ? (["discount"] as const) : []),
  ];
  const unused = names.map((name) => words.buy.ignored({ value: quoted(values, name) }));
  const isTyped = link.discountCode === null && asked.discount !== null;
  const refused = isGuessing ? words.fault.codeGuesses : isTyped && codeRefused ? words.refusedCode[codeRefused] : null;
  return refused === null ? unused : [...unused, `${asked.discount}: ${refused}`];
}

const selfOf = (ctx: Context, c: PageContext) => `${basePath(ctx)}/buy/${c.req.param("link")}`;

function pageOf(ctx: Context, c: PageContext, visited: Visited, fault: BuyPage["fault"] = null) {
  const once = newId("req");
  return buyPage(ctx, { ...visited, notices: noticesOf(visited), fault, self: selfOf(ctx, c), once });
}

function endedAnswer(
  ctx: Context,
  c: PageContext,
  { words, visit }: Visited,
  why: Ended,
): Response | Promise<Response> {
  return c.html(endedPage(ctx, { words, organization: visit.organization }, why), statusOf(why));
}

/** The body of the Checkout for one offer, as `POST /checkouts` takes it. */
function paramsOf({ visit: { link }, asked }: Visited, offer: OfferView): CreateCheckoutParams {
  const { product, quantity, range, price, checkout } = offer;
  const params = CreateCheckoutParams.parse({
    productId: product.id,
    quantity,
    quantityChange: range,
    currency: price.currency,
    discountCode: checkout.discount?.code ?? null,
    allowDiscountCodes: link.allowDiscountCodes,
    successUrl: link.successUrl,
    locale: asked.lang ?? link.locale,
    fields: link.fields,
  });
  // A stranger may change the address, so the seller's own entry stays.
  const { reference } = asked;
  return { ...params, metadata: { ...(reference !== null && { reference }), ...link.metadata } };
}

/** Whether the page showed other terms than the link has now, or the typed quantity can't be sold. */
function lookAgain({ malformed, visit, isGuessing, asked }: Visited): boolean {
  const isRefused = visit.codeRefused !== null && visit.link.discountCode === null && asked.discount !== null;
  return malformed.includes("quantity") || visit.ignored.length > 0 || isGuessing || isRefused;
}

function faultOf({ words, visit, malformed, values }: Visited, offer: OfferView): BuyPage["fault"] {
  if (!malformed.includes("quantity") && !visit.ignored.includes("quantity")) return null;
  if (offer.range === null) return null;
  return { text: words.fault.quantityWrong(limitsOf(words, offer)), typed: quoted(values, "quantity") };
}

const PREFETCHES = ["Sec-Purpose", "Purpose", "X-Moz"];

/** Whether a browser or a program loads the page, and not ahead of a click. */
const isVisit = ({ req }: PageContext) =>
  req.method === "GET" && !PREFETCHES.some((name) => /prefetch|prerender|preview/i.test(req.header(name) ?? ""));

/** Makes the Checkout of the click, or shows the page again with the reason. */
async function take(ctx: Context, c: PageContext, guesses: RequestLimit): Promise<Response> {
  const form = await readForm(c);
  const visited = await visitOf(ctx, c, form, guesses);
  if (visited.ended) return endedAnswer(ctx, c, visited, visited.ended);
  const offer = visited.offers.find(({ product }) => product.id === visited.asked.product);
  if (!offer || lookAgain(visited)) {
    const fault = offer ? faultOf(visited, offer) : null;
    return c.html(pageOf(ctx, c, visited, fault), fault ? 422 : 409);
  }
  // A form without the key of a page is a form of its own.
  const sent = isId("req", form.get("once") ?? "") ? String(form) : newId("req");
  const { organizationId } = visited.visit.link;
  try {
    const id = await buyThroughLink(ctx, visited.visit.link, sent, paramsOf(visited, offer));
    const page = pathOf(checkoutUrl(ctx, { organizationId, id }));
    if (visited.asked.email !== null) writeEmail(ctx, c, { organizationId, id }, page, visited.asked.email);
    return c.redirect(page, 303);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The catalogue or the provider has changed since the visit was read.
    const now = await visitOf(ctx, c, form, guesses);
    const why = now.ended ?? (error.code === "payment_provider_missing" ? "no_provider" : null);
    return why ? endedAnswer(ctx, c, now, why) : c.html(pageOf(ctx, c, now), 409);
  }
}

/**
 * `/buy/{link}`: the public page of a payment link. A visit writes no row, also the visit of a program that previews
 * links: only the click makes a Checkout. Returns the function that writes the counted visits at once.
 */
export function buyPages(ctx: Context, app: Hono<PageEnvironment>): () => Promise<void> {
  const clicks = new RequestLimit(MOST_CHECKOUTS);
  const guesses = new RequestLimit();
  const visits = new VisitCounter(ctx);
  app.get(ROOT, async (c) => {
    const visited = await visitOf(ctx, c, new URL(c.req.url).searchParams, guesses);
    if (visited.ended) return endedAnswer(ctx, c, visited, visited.ended);
    if (isVisit(c)) visits.count(visited.visit.link);
    return c.html(pageOf(ctx, c, visited));
  });
  app.post(ROOT, (c) => {
    clicks.count(c.env.client);
    return take(ctx, c, guesses);
  });
  tablePages(ctx, app, guesses);
  return () => visits.flush();
}
