import { html } from "hono/html";
import { ownOrigin } from "../../actions/origin.ts";
import { portalCardUrl } from "../../actions/links.ts";
import { undoPauseInPortal } from "../../actions/subscription/pause.ts";
import type { Context } from "../../context.ts";
import { cardName } from "../../domain/model/card-name.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { Refusal } from "../../domain/refusal.ts";
import { figuresOfResume } from "../../domain/subscription/portal-resume.ts";
import type { RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import type { Words } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import { agreedFields } from "../components/agreed-fields.ts";
import { pathOf } from "../components/link.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import type { PortalRequest } from "./request.ts";

/** A pause that is scheduled or has begun, in words; empty without one. */
export function pauseInWords({ portalPause, day }: Words, zone: string, subscription: Subscription): string {
  const { status, pause, currentPeriodEnd } = subscription;
  if (pause === null) return "";
  const on = { day: day(currentPeriodEnd, zone), until: pause.resumesAt === null ? "" : day(pause.resumesAt, zone) };
  if (status === "paused") return pause.resumesAt === null ? portalPause.pausedOpen : portalPause.pausedUntil(on);
  return pause.resumesAt === null ? portalPause.pauses(on) : portalPause.pausesUntil(on);
}

/** Asks a Customer to agree to the charge of a resume (rule S8k). `isChanged`: the figures differ from those before. */
export function resumePage(
  ctx: Context,
  { organization, self, words }: PortalRequest,
  { product: name, subscription }: Holding,
  { quote, isChanged }: { quote: RenewalPreview; isChanged: boolean },
): Html {
  const { portalPause: said, money, day } = words;
  const { next, amountDue, card } = quote;
  const product = html`<bdi>${name}</bdi>`;
  const amount = money(amountDue, next.currency);
  const until = day(next.currentPeriodEnd, organization.timeZone);
  const isUnpayable = amountDue > 0 && card === null;
  const cost = isUnpayable
    ? said.noCard({ amount })
    : amountDue > 0
      ? said.charge({ day: until, amount, card: cardName(card!) })
      : said.free({ day: until });
  const form = html`<form method="post" data-once>
${agreedFields({ figures: figuresOfResume(quote), shownAt: null })}
<button class="button" type="submit">${amountDue > 0 ? said.submit({ amount }) : said.submitFree}</button>
</form>`;
  const add = html`<a class="button" href="${pathOf(portalCardUrl(ctx, organization.id))}">${words.portal.addCard}</a>`;
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${said.title.markup({ product })}</h1>
${isChanged ? html`<p role="alert">${said.changed}</p>` : ""}
<p>${cost}</p>
${subscription.pause?.access === "revoke" ? html`<p>${said.back}</p>` : ""}
${isUnpayable ? add : form}
<a class="button other" href="${self}">${said.keep}</a>
</div>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words, organization, title: said.title({ product: name }), head, body });
}

/** `begun`: the pause began before the click, and stays. `busy`: no change is possible now. */
type Undone = "undone" | "begun" | "busy";

/**
 * Undoes a pause that has not begun. A Subscription that has ended meanwhile has no pause. `toCancel`: a cancellation
 * follows.
 */
export async function undoPause(
  ctx: Context,
  { subscription: { organizationId, id } }: Holding,
  toCancel = false,
): Promise<Undone> {
  try {
    return (await undoPauseInPortal(ctx, ownOrigin(organizationId), id, toCancel)) ? "undone" : "begun";
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === "not_found") throw error;
    return error.code === "subscription_canceled" ? "undone" : "busy";
  }
}
