import { html } from "hono/html";
import { taxOn } from "../../domain/invoice/order.ts";
import type { PlansOfCard } from "../../domain/card/portal-card.ts";
import type { Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import { pricesOf, unclaimedOf, type CardUse } from "./card-use.ts";
import { priceOf } from "./subscription-facts.ts";
import type { PortalRequest } from "./request.ts";

/** The field with the Subscription that a card is for; without a value, the card is for all Subscriptions. */
const FIELD = "plan";
/** The field with the unclaimed Subscriptions at the time of the page. */
const SEEN = "seen";
/** The Subscriptions whose new period has a price that lacks a consent, each with its price change. */
const PRICES = "prices";

/** The Subscription in words, with its price and the tax of its buyer. */
function planOf({ organization, visitor, words }: PortalRequest, { subscription, product }: Holding) {
  const tax = taxOn({ organization, customer: visitor.customer }, subscription.billing);
  return { product: html`<bdi>${product}</bdi>`, price: priceOf(words, subscription, subscription.currency, tax) };
}

/** The way out for a Customer who does not recognize a purchase (rule C13). */
export const disownLink = (
  { self, words }: Pick<PortalRequest, "self" | "words">,
  { subscription, product }: Holding,
): Html =>
  html`<a class="quiet" href="${self}/subscriptions/${subscription.id}/disown">${words.portal.disown}<span
class="unseen"> <bdi>${product}</bdi></span></a>`;

/** The purchases that the Customer would begin to pay for, each with the way out. */
function unclaimedNotes(request: PortalRequest, use: CardUse): Html[] {
  const { unclaimed } = request.words.portalCard;
  return unclaimedOf(use).map((holding) => {
    const { product } = planOf(request, holding);
    return html`<p class="note">${unclaimed.markup({ product })} ${disownLink(request, holding)}</p>`;
  });
}

function choices(request: PortalRequest, plans: readonly Holding[], chosen: string | null): Html {
  const { portalCard } = request.words;
  // A chosen plan that has ended meanwhile is no choice any more.
  const checked = plans.some(({ subscription }) => subscription.id === chosen) ? chosen : null;
  const choice = (value: string, label: Html | string) => html`<label class="choice-line">
<input type="radio" name="${FIELD}" value="${value}" ${value === (checked ?? "") ? "checked" : ""}>
<span>${label}</span></label>`;
  return html`<fieldset class="plans">
<legend>${portalCard.forPlans}</legend>
${choice("", portalCard.forAll)}
${plans.map((each) => choice(each.subscription.id, portalCard.forOne.markup(planOf(request, each))))}
</fieldset>`;
}

/**
 * Names the Subscriptions that the card pays for, each with its price, and asks once for which of them the card is
 * (rule C12e). No plan is named if no Subscription may be charged.
 */
export function plansOfCard(request: PortalRequest, use: CardUse, chosen: string | null): Html {
  const { portalCard } = request.words;
  const [first, ...others] = use.plans;
  const seen = html`<input type="hidden" name="${SEEN}" value="${use.unclaimedIds.join(" ")}">
<input type="hidden" name="${PRICES}" value="${[...pricesOf(use)].map((each) => each.join(":")).join(" ")}">`;
  if (!first) return seen;
  const named = html`<p>${portalCard.paysFor.markup(planOf(request, first))}</p>`;
  return html`${others.length === 0 ? named : choices(request, use.plans, chosen)}
${unclaimedNotes(request, use)}
${seen}`;
}

/** The plans that the buyer chose for the card, and the unclaimed Subscriptions that the page named. */
export const readPlans = (form: URLSearchParams): PlansOfCard => ({
  subscriptionId: form.get(FIELD) || null,
  seen: (form.get(SEEN) ?? "").split(" "),
  prices: new Map((form.get(PRICES) ?? "").split(" ").map((each) => each.split(":", 2) as [string, string])),
});
