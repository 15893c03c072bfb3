import { counted } from "../../../domain/words.ts";
import type {
  EndedReason,
  LeftOutReason,
  PriceTerms,
  RepricedSubscription,
  WithdrawnReason,
} from "../../../domain/model/price-change.ts";
import type { Html } from "../../layout.ts";
import { html } from "hono/html";
import { money, time } from "../components/cells.ts";
import type { Definition } from "../components/definitions.ts";

/** Why a Subscription keeps its price, or why a new price was taken back or never began. */
export const REASONS: Record<LeftOutReason | WithdrawnReason | EndedReason, string> = {
  own_price: "It has a price of its own",
  cancellation_scheduled: "Its end is planned",
  paused: "It has a pause",
  change_pending: "A change of it is pending",
  imported: "Another system still bills it",
  amount_not_chargeable: "The new total can't be charged",
  seller: "The price change was withdrawn",
  changed: "The Subscription was changed",
  replaced: "A newer price change replaced the price",
  price_not_accepted: "The Customer did not agree",
  canceled: "It was canceled",
};

export const reasonText = ({ reason }: Pick<RepricedSubscription, "reason">): string =>
  reason === null ? "" : REASONS[reason];

export const CONSENT_WORDS = {
  notice: "The notice is enough",
  required: "Without a consent, the Subscription ends",
} as const;

const priceList = ({ prices }: Pick<PriceTerms, "prices">): Html =>
  html`<ul>${prices.map(({ amount, currency }) => html`<li>${money(amount, currency)}</li>`)}</ul>`;

/** The Subscriptions that a price change is for, if it has limits. */
function limitsOf({ subscribedBefore, priceBelow, prices }: PriceTerms, zone: string): Definition[] {
  const before: Definition[] =
    subscribedBefore === null ? [] : [["Only if it began before", time(subscribedBefore, zone)]];
  const below: Definition[] =
    priceBelow === null ? [] : [["Only if a unit costs less than", money(priceBelow, prices[0]!.currency)]];
  return [...before, ...below];
}

/** The terms of a price change: its prices, limits, notice and consent. */
export const termsOf = (terms: PriceTerms, zone: string): Definition[] => [
  [terms.prices.length === 1 ? "New price" : "New prices", priceList(terms)],
  ...limitsOf(terms, zone),
  ["Notice", counted(terms.noticeDays, "day")],
  ["Consent", CONSENT_WORDS[terms.consent]],
];
