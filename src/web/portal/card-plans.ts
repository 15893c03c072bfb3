import { html } from "hono/html";
import { taxOn } from "../../domain/invoice/order.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import { unclaimedOf, type CardUse } from "./card-use.ts";
import { priceOf } from "./subscription-facts.ts";
import type { Visit } from "./visit.ts";

/** The field with the Subscription that a card is for; without a value, the card is for all Subscriptions. */
const FIELD = "plan";
/** The field with the unclaimed Subscriptions that the page named. */
const SEEN = "seen";

/** The Subscription in words, with its price and the tax of its buyer. */
function planOf({ organization, visitor, words }: Visit, { subscription, product }: Holding) {
  const tax = taxOn({ organization, customer: visitor.customer }, subscription.billing);
  return { product: html`<bdi>${product}</bdi>`, price: priceOf(words, subscription, subscription.currency, tax) };
}

/** The way out for a Customer who does not recognize a purchase (rule C13). */
export const disownLink = ({ self, words }: Pick<Visit, "self" | "words">, { subscription, product }: Holding): Html =>
  html`<a class="quiet" href="${self}/subscriptions/${subscription.id}/disown">${words.portal.disown}<span
class="unseen"> <bdi>${product}</bdi></span></a>`;

/** The purchases that the Customer would begin to pay for, each with the way out. */
function unclaimedNotes(visit: Visit, use: CardUse): Html[] {
  const { unclaimed } = visit.words.portalCard;
  return unclaimedOf(use).map((holding) => {
    const { product } = planOf(visit, holding);
    return html`<p class="note">${unclaimed.markup({ product })} ${disownLink(visit, holding)}</p>`;
  });
}

function choices(visit: Visit, plans: readonly Holding[], chosen: string | null): Html {
  const { portalCard } = visit.words;
  const choice = (value: string, label: Html | string) => html`<label class="choice-line">
<input type="radio" name="${FIELD}" value="${value}" ${value === (chosen ?? "") ? "checked" : ""}>
<span>${label}</span></label>`;
  return html`<fieldset>
<legend>${portalCard.forPlans}</legend>
${choice("", portalCard.forAll)}
${plans.map((each) => choice(each.subscription.id, portalCard.forOne.markup(planOf(visit, each))))}
</fieldset>`;
}

/**
 * Names the Subscriptions that the card pays for, each with its price, and asks once for which of them the card is
 * (rule C12e). Empty without a Subscription that may be charged.
 */
export function plansOfCard(visit: Visit, use: CardUse, chosen: string | null): Html | "" {
  const { portalCard } = visit.words;
  const [first, ...others] = use.plans;
  if (!first) return "";
  const named = html`<p>${portalCard.paysFor.markup(planOf(visit, first))}</p>`;
  const seen = unclaimedOf(use).map(({ subscription }) => subscription.id);
  return html`${others.length === 0 ? named : choices(visit, use.plans, chosen)}
${unclaimedNotes(visit, use)}
<input type="hidden" name="${SEEN}" value="${seen.join(" ")}">`;
}

/** The Subscription that the buyer chose; null: all of them. */
export const chosenPlan = (form: URLSearchParams): string | null => form.get(FIELD) || null;

/**
 * The fault if the choice does not fit the present Subscriptions: the chosen one has ended, or the card would pay for a
 * purchase that the page did not name. Null: there is no fault.
 */
export function changedPlans({ portalCard }: Words, form: URLSearchParams, use: CardUse) {
  const chosen = chosenPlan(form);
  const seen = (form.get(SEEN) ?? "").split(" ");
  const isKnown =
    chosen === null
      ? unclaimedOf(use).every(({ subscription }) => seen.includes(subscription.id))
      : use.plans.some(({ subscription }) => subscription.id === chosen);
  return isKnown ? null : { title: portalCard.changedTitle, text: portalCard.changed };
}
