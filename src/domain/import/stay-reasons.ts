import { HOUR, type Instant } from "../calendar.ts";
import { MOST_UNITS } from "../model/quantity.ts";
import type { Amount } from "../money.ts";
import type { ForeignCustomer, ForeignDiscount, ForeignPayment, ForeignSubscription } from "./foreign.ts";

/**
 * Between the reading and the stop at the other system a renewal may begin. Its invoice is a draft for an hour, and its
 * first retry comes within a day. Two days leave time for a repair by hand.
 */
const NEAR = 48 * HOUR;

/** The amounts that the provider charges in a currency, in minor units; null: the provider does not take the currency. */
export type Chargeable = (currency: string) => { least: Amount; most: Amount; step: Amount } | null;

/** `now`: the instant of the reading. */
export type Circumstances = { now: Instant; chargeable: Chargeable };

type Judge = (subscription: ForeignSubscription, about: Circumstances & { customer: ForeignCustomer }) => boolean;

/** The price of a period before discounts and taxes; null: the price depends on usage, tiers or fractions. */
export function priceOf({ items }: Pick<ForeignSubscription, "items">): Amount | null {
  let sum = 0;
  for (const { price, quantity } of items) {
    if (price.amount === null || price.isTiered || price.isMetered) return null;
    sum += price.amount * quantity;
  }
  return sum;
}

function isChargeable(price: Amount, currency: string, chargeable: Chargeable): boolean {
  const limits = chargeable(currency);
  if (limits === null || price === 0) return true;
  return price >= limits.least && price <= limits.most && price % limits.step === 0;
}

/** A price without an amount has its own reason, unless neither tiers nor usage are the cause. */
const hasUnusableAmount: Judge = ({ items, currency }, { chargeable }) => {
  if (items.some(({ price }) => price.amount === null && !price.isTiered && !price.isMetered)) return true;
  const price = priceOf({ items });
  return price !== null && !isChargeable(price, currency, chargeable);
};

const isKnown = ({ terms, duration, months, endsAt }: ForeignDiscount, currency: string): boolean =>
  terms !== null &&
  (duration !== "repeating" || months !== null) &&
  (!("currency" in terms) || terms.currency === currency) &&
  (duration !== "repeating" || endsAt !== null);

/** One discount on the whole, with known terms, can be told as a Discount. A discount that has ended takes nothing off. */
const hasUnclearDiscount: Judge = ({ discounts, items, currency }, { now }) => {
  const running = discounts.filter(({ endsAt }) => endsAt === null || endsAt > now);
  return (
    running.length > 1 || items.some((item) => item.isDiscounted) || running.some((each) => !isKnown(each, currency))
  );
};

/** A card is good until the end of its month. The bank's time zone is not known, so UTC counts. */
export const isExpired = (payment: ForeignPayment, now: Instant): boolean =>
  payment?.type === "card" && Date.UTC(payment.expYear, payment.expMonth) <= now;

/** Other systems sell 0 units, or more than rule Q1 allows. */
const hasUnsoldQuantity: Judge = ({ items }) =>
  items.some(({ price, quantity }) => !price.isMetered && (quantity < 1 || quantity > MOST_UNITS));

/** The reasons for which a subscription stays, in the order of the report. */
const JUDGES = {
  several_items: ({ items }) => items.length !== 1,
  tiers: ({ items }) => items.some(({ price }) => price.isTiered),
  usage: ({ items, hasThreshold }) => hasThreshold || items.some(({ price }) => price.isMetered),
  quantity: hasUnsoldQuantity,
  amount: hasUnusableAmount,
  currency: ({ currency }, { chargeable }) => chargeable(currency) === null,
  send_invoice: ({ collection }) => collection === "invoice",
  incomplete: ({ status }) => status === "incomplete" || status === "unknown",
  paused: ({ isPaused, status }) => isPaused || status === "paused",
  past_due: ({ status }) => status === "past_due" || status === "unpaid",
  open_invoice: ({ hasOpenInvoice }) => hasOpenInvoice,
  pending_items: ({ hasPendingItems }) => hasPendingItems,
  schedule: ({ hasSchedule }) => hasSchedule,
  later_end: ({ endsAt, trialEndsAt, periodEnd }) => endsAt !== null && endsAt > (trialEndsAt ?? periodEnd),
  coupon: hasUnclearDiscount,
  no_card: ({ payment }) => payment === null,
  other_payment_method: ({ payment }) => payment?.type === "other",
  card_expired: ({ payment }, { now }) => isExpired(payment, now),
  india: ({ payment }) => payment?.type === "card" && payment.country === "IN",
  no_email: (_, { customer }) => !customer.email,
  second_subscription: (_, { customer }) => customer.subscriptions.length > 1,
  renewal_near: ({ nextChargeAt }, { now }) => nextChargeAt < now + NEAR,
  other_seller: ({ hasOtherSeller }) => hasOtherSeller,
  test_clock: ({ isTest }) => isTest,
} satisfies Record<string, Judge>;

export type StayReason = keyof typeof JUDGES;

export const STAY_REASONS = Object.keys(JUDGES) as StayReason[];

/**
 * All reasons for which a subscription of another billing system can't be moved to Billow now; empty: the subscription
 * moves. If one Customer has several subscriptions, each of them stays: with one half moved, both systems would charge
 * the Customer.
 */
export function stayReasons(
  customer: ForeignCustomer,
  subscription: ForeignSubscription,
  circumstances: Circumstances,
): StayReason[] {
  const about = { ...circumstances, customer };
  return STAY_REASONS.filter((reason) => (JUDGES[reason] as Judge)(subscription, about));
}
