import { html } from "hono/html";
import { taxOn } from "../../domain/invoice/order.ts";
import { cardName } from "../../domain/model/card-name.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { holdingFacts } from "./subscription-facts.ts";
import type { Outlook } from "../../domain/subscription/outlook.ts";
import { isHeldForImport, type Subscription } from "../../domain/model/subscription.ts";
import { answerIn } from "../../texts/own-field.ts";
import type { Words } from "../../texts/words.ts";
import { fact } from "../components/fact.ts";
import type { Html } from "../layout.ts";
import type { Account, Holding } from "./account.ts";
import { disownLink } from "./card-plans.ts";
import { amountOf, mayCharge } from "./card-use.ts";
import { section } from "./section.ts";
import type { PortalRequest } from "./request.ts";
import { monthsOffered } from "./pause.ts";
import { consentLink, consentOf, endsWithoutConsent } from "./price.ts";
import { pauseInWords } from "./resume.ts";

/**
 * The link from a Subscription to the other plans. Empty without other plans, and while a change is being paid. While a
 * payment is overdue, a change waits for the end of the period (rule P5). Empty if that period is over, too: the
 * overdue payment comes first.
 */
function planLink(holding: Holding, { self, words }: Pick<PortalRequest, "self" | "words">): Html | "" {
  const { subscription, product, hasPlans, outlook } = holding;
  const { id, status, changeId } = subscription;
  if (!hasPlans || status === "canceled" || outlook?.restart != null || changeId !== null) return "";
  // A late payment, the end of a pause and a missing consent come first, so their buttons are the loudest.
  const isLater = status === "past_due" || status === "paused" || endsWithoutConsent(holding);
  const style = isLater ? "button small other" : "button small";
  return html`<a class="${style}" href="${self}/subscriptions/${id}/plan">${words.plan.change}<span class="unseen">
${product}</span></a>`;
}

/**
 * The link from a Subscription to the page of its quantity, where the seller allows that and the Product is sold in
 * more than one quantity (rules I10a, Q9). As `planLink`, it is empty while no change is possible.
 */
function quantityLink(holding: Holding, { organization, self, words }: PortalRequest): Html | "" {
  const { subscription, product, limits, outlook } = holding;
  const { id, status, changeId } = subscription;
  if (!portalAllows(organization, "changeQuantity") || limits.minimum === limits.maximum) return "";
  if (status === "canceled" || outlook?.restart != null || changeId !== null) return "";
  const path = `${self}/subscriptions/${id}/quantity`;
  return html`<a class="button small other" href="${path}">${words.plan.changeQuantity}<span class="unseen">
${product}</span></a>`;
}

const STATUSES = { trialing: "trialing", active: "active", past_due: "pastDue", paused: "paused" } as const;

function statusOf({ portal, day }: Words, zone: string, { subscription }: Holding): string {
  const { status, endedAt, changeId } = subscription;
  if (status === "canceled") return portal.endedOn({ day: day(endedAt!, zone) });
  return [portal[STATUSES[status]], ...(changeId === null ? [] : [portal.changing])].join(" · ");
}

/** Whether no charge follows a scheduled end: no invoice is open, and the end makes none that a card pays (rule S4). */
const isPaidUp = ({ open, end }: Outlook) => open.length === 0 && (end === null || end.paidBy === "nothing");

/** The scheduled end, and whether a charge is still to come; empty without a scheduled end. */
function scheduledEnd({ portal, day }: Words, zone: string, { subscription, outlook }: Holding): Html | "" {
  const { status, cancelAt, cancelAtPeriodEnd } = subscription;
  if (!cancelAtPeriodEnd || cancelAt === null || outlook === null) return "";
  const on = { day: day(cancelAt, zone) };
  const free = status === "trialing" ? portal.endsUncharged : portal.endsPaidUp;
  return html`<p class="ends">${(isPaidUp(outlook) ? free : portal.endsThen)(on)}</p>`;
}

function pauseOf(words: Words, zone: string, { subscription }: Holding): Html | "" {
  const said = pauseInWords(words, zone, subscription);
  return said === "" ? "" : html`<p class="ends">${said}</p>`;
}

/** An ended Subscription can't be canceled, nor can one with a change that is being paid. */
const isFixed = ({ status, changeId }: Subscription) => status === "canceled" || changeId !== null;

/**
 * The ways to cancel a Subscription, and to undo that. To cancel is a quiet link: the entry's other ways come first. A
 * cancellation can be undone even if the seller allows no cancellation (rule I10).
 */
function cancelWay(
  { organization, self, words: { portal } }: PortalRequest,
  { subscription, product }: Holding,
): Html | "" {
  if (isFixed(subscription)) return "";
  const path = `${self}/subscriptions/${subscription.id}`;
  const which = html`<span class="unseen"> <bdi>${product}</bdi></span>`;
  if (!subscription.cancelAtPeriodEnd && !portalAllows(organization, "cancel")) return "";
  if (!subscription.cancelAtPeriodEnd) return html`<a class="quiet" href="${path}/cancel">${portal.cancel}${which}</a>`;
  return html`<form method="post" action="${path}/keep" data-once>
<button class="button other small" type="submit">${portal.undo}${which}</button>
</form>`;
}

/** The ways to make a pause, to undo a planned one, and to end one (rules S8k, S8l). */
function pauseWay(request: PortalRequest, holding: Holding): Html | "" {
  const { self, words } = request;
  const { portalPause: said } = words;
  const {
    subscription: { id, pause, status },
    product,
  } = holding;
  const which = html`<span class="unseen"> <bdi>${product}</bdi></span>`;
  if (pause === null && monthsOffered(request, holding) > 0)
    return html`<a class="quiet" href="${self}/subscriptions/${id}/pause">${said.pause}${which}</a>`;
  if (pause === null) return "";
  const path = `${self}/subscriptions/${id}/resume`;
  // The consent without which the Subscription ends is the main button.
  const kind = endsWithoutConsent(holding) ? "button other small" : "button small";
  if (status === "paused") return html`<a class="${kind}" href="${path}">${said.resume}${which}</a>`;
  return html`<form method="post" action="${path}" data-once>
<button class="button other small" type="submit">${said.undo}${which}</button>
</form>`;
}

/** A live purchase by the Customer's e-mail address that the Customer has not claimed (rule C12). */
const isUnclaimed = ({ subscription: { claimed, status } }: Holding) => !claimed && status !== "canceled";

/** Offers the default card for a Subscription that is charged to another card, or to none (rule C12e). */
function defaultCardWay({ self, words }: PortalRequest, holding: Holding, card: Account["card"]): Html | "" {
  const { subscription, product, outlook } = holding;
  if (!card || card.dead || card.isDisputed || !outlook || outlook.card?.id === card.id) return "";
  if (isFixed(subscription) || !mayCharge(holding)) return "";
  const { portal, money } = words;
  const name = cardName(card);
  const owed = subscription.status === "past_due" ? amountOf({ outlook }) : 0;
  const label =
    owed > 0
      ? portal.payWith({ amount: money(owed, subscription.currency), card: name })
      : portal.chargeTo({ card: name });
  return html`<form method="post" action="${self}/subscriptions/${subscription.id}/card" data-once>
<input type="hidden" name="price" value="${outlook.restart?.asksFor ?? ""}">
<button class="button other small" name="card" value="${card.id}">${label}<span class="unseen">
<bdi>${product}</bdi></span></button>
</form>`;
}

/** The values of own fields that the purchase gave, as its invoices print them (rule C14d). */
const ownFacts = (words: Words, { subscription }: Holding): Html[] =>
  (subscription.fieldAnswers ?? []).map((answer) => {
    const { label, value } = answerIn(words, answer);
    return fact(html`<bdi>${label}</bdi>`, value);
  });

/** A Subscription in words, with its buttons. */
function holdingEntry(request: PortalRequest, holding: Holding, card: Account["card"]): Html {
  const { organization, words, visitor } = request;
  const tax = taxOn({ organization, customer: visitor.customer }, holding.subscription.billing);
  const facts = [...holdingFacts(words, organization.timeZone, holding, tax), ...ownFacts(words, holding)];
  const ways = waysFrom(request, holding, card);
  return html`<li>
<h3><bdi>${holding.product}</bdi></h3>
<p class="note">${statusOf(words, organization.timeZone, holding)}</p>
${scheduledEnd(words, organization.timeZone, holding)}
${pauseOf(words, organization.timeZone, holding)}
${consentOf(words, organization.timeZone, holding)}
${isUnclaimed(holding) ? html`<p class="note">${words.portal.unclaimed}</p>` : ""}
${facts.length === 0 ? "" : html`<dl class="facts">${facts}</dl>`}
${ways}
</li>`;
}

/** The ways on from a Subscription. A held one has none (rule V2). */
function waysFrom(request: PortalRequest, holding: Holding, card: Account["card"]): Html {
  if (isHeldForImport(holding.subscription)) return html`<p class="note">${request.words.portal.held}</p>`;
  return html`<div class="controls">
${consentLink(request, holding, "button small other")}
${planLink(holding, request)}
${quantityLink(holding, request)}
${pauseWay(request, holding)}
${defaultCardWay(request, holding, card)}
${cancelWay(request, holding)}
${isUnclaimed(holding) ? disownLink(request, holding) : ""}
</div>`;
}

/** A page of the Subscriptions. */
export function subscriptionsSection(request: PortalRequest, { holdings, more, card }: Account): Html {
  const { portal } = request.words;
  const others =
    more === null ? "" : html`<p class="aside"><a href="?subscriptions=${more}">${portal.moreSubscriptions}</a></p>`;
  const entries = holdings.map((holding) => holdingEntry(request, holding, card));
  return section("subscriptions", portal.subscriptions, entries, portal.noSubscription, others);
}
