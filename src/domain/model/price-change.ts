import { addCalendar, type Instant } from "../calendar.ts";
import { minimumCharge } from "../currency.ts";
import { nextPeriod, startPeriods } from "./period.ts";
import type { Price } from "./product.ts";
import { totalOf, unitAmountOf } from "./quantity.ts";
import { reminderBefore, type Consent, type OwnPrice, type ScheduledPrice } from "./scheduled-price.ts";
import { isHeldForImport, type Subscription } from "./subscription.ts";

/**
 * `running`: the round schedules prices. `withdrawing`: the round takes back the prices that wait. The other statuses
 * have no work.
 */
export const PRICE_CHANGE_STATUSES = ["running", "paused", "stopped", "completed", "withdrawing", "withdrawn"] as const;
export type PriceChangeStatus = (typeof PRICE_CHANGE_STATUSES)[number];
export const MOST_NOTICE_DAYS = 120;

/** The prices of a round, and the Subscriptions that it is for (rules N1, N2). Null: no limit. */
export type PriceTerms = {
  productId: string;
  /** The prices of a unit, as the catalogue had them at the request. */
  prices: readonly Price[];
  subscribedBefore: Instant | null;
  priceBelow: number | null;
  noticeDays: number;
  consent: Consent;
};

/** A round that brings new prices to present Subscriptions (rule N1). */
export type PriceChange = PriceTerms & {
  organizationId: string;
  id: string;
  status: PriceChangeStatus;
  /** The number of Subscriptions with another price when the request came. */
  found: number;
  /** Real time. Not null: the round has Subscriptions left. */
  syncAt: Instant | null;
  syncCursor: string | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The reasons for which a Subscription keeps its price (rule N3). */
export const LEFT_OUT_REASONS = [
  "imported",
  "own_price",
  "cancellation_scheduled",
  "paused",
  "change_pending",
  "amount_not_chargeable",
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];
/** `withdrawn`: by the seller, by a change of the Subscription, or by a newer round. `ended`: the Subscription ended. */
export const WITHDRAWN_REASONS = ["seller", "changed", "replaced"] as const;
export type WithdrawnReason = (typeof WITHDRAWN_REASONS)[number];
export const ENDED_REASONS = ["price_not_accepted", "canceled"] as const;
export type EndedReason = (typeof ENDED_REASONS)[number];
export const REPRICED_STATUSES = ["scheduled", "applied", "withdrawn", "ended", "left_out"] as const;

/** The place of a Subscription in a round, and its way to the new price (rule N9). Amounts are those of a unit. */
export type RepricedSubscription = {
  organizationId: string;
  priceChangeId: string;
  subscriptionId: string;
  customerId: string;
  status: (typeof REPRICED_STATUSES)[number];
  reason: LeftOutReason | WithdrawnReason | EndedReason | null;
  currency: string;
  quantity: number;
  unitAmountBefore: number;
  unitAmount: number;
  effectiveAt: Instant | null;
  consentedAt: Instant | null;
  createdAt: Instant;
  settledAt: Instant | null;
};

/** The step that ends the way of a Subscription in a round. */
export type PriceSettlement = Pick<
  RepricedSubscription,
  "organizationId" | "priceChangeId" | "subscriptionId" | "status" | "reason" | "consentedAt" | "settledAt"
>;

const isOwn = (own: OwnPrice | null, productId: string, unitAmount: number): boolean =>
  own !== null && own.productId === productId && own.unitAmount === unitAmount;

/** Whether the total can be charged (rules M1, M5a). */
function isChargeable(unitAmount: number, { quantity, currency }: Pick<Candidate, "currency" | "quantity">): boolean {
  const total = totalOf(unitAmount, quantity);
  return total !== null && (total === 0 || total >= minimumCharge(currency));
}

/** The fields of a Subscription that decide whether its price moves. */
export type Candidate = Pick<
  Subscription,
  "amount" | "cancelAtPeriodEnd" | "currency" | "ownPrice" | "productId" | "quantity"
> & {
  /** Whether a pause is scheduled or has begun. */
  isPaused: boolean;
  /** Whether a change is pending or is being paid. */
  isChanging: boolean;
  /** Whether another system bills the Subscription (rule V1). */
  isHeld: boolean;
};

export const candidateOf = (subscription: Subscription): Candidate => ({
  ...subscription,
  isPaused: subscription.pause !== null,
  isChanging: subscription.pendingChange !== null || subscription.changeId !== null,
  isHeld: isHeldForImport(subscription),
});

/** The price of a unit in this currency; null: the round has no such price. */
export const priceOfRound = ({ prices }: Pick<PriceTerms, "prices">, currency: string): number | null =>
  prices.find((each) => each.currency === currency)?.amount ?? null;

/**
 * The new price of a unit; null: the round is not for this Subscription, which pays this price or waits for it already
 * (rules N2, N4).
 */
export function newPriceOf(subscription: Subscription, terms: PriceTerms): number | null {
  const { status, productId, currency, startedAt } = subscription;
  if (status === "canceled" || productId !== terms.productId) return null;
  const price = priceOfRound(terms, currency);
  const present = unitAmountOf(subscription);
  if (price === null || price === present || price === subscription.priceChange?.unitAmount) return null;
  if (terms.subscribedBefore !== null && startedAt >= terms.subscribedBefore) return null;
  return terms.priceBelow !== null && present >= terms.priceBelow ? null : price;
}

/** The reason for which a Subscription keeps its price; null: the price moves (rule N3). */
export function leftOutReason(candidate: Candidate, unitAmount: number): LeftOutReason | null {
  const { productId, ownPrice } = candidate;
  if (candidate.isHeld) return "imported";
  if (isOwn(ownPrice, productId, unitAmountOf(candidate))) return "own_price";
  if (candidate.cancelAtPeriodEnd) return "cancellation_scheduled";
  if (candidate.isPaused) return "paused";
  if (candidate.isChanging) return "change_pending";
  return isChargeable(unitAmount, candidate) ? null : "amount_not_chargeable";
}

/** The begin of the first period at or after `earliest`, as planned now. The end of a trial counts (rule N4). */
export function firstPeriodFrom(subscription: Subscription, earliest: Instant, timeZone: string): Instant {
  let period = subscription;
  while (period.currentPeriodEnd < earliest) {
    const { currentPeriodEnd: end, status } = period;
    const next = status === "trialing" ? startPeriods(end, timeZone, period) : nextPeriod(period);
    period = { ...period, ...next, status: "active" };
  }
  return period.currentPeriodEnd;
}

/** The new price as it waits on its Subscription from the notice at `now` on (rule N4). */
export function schedulePrice(
  subscription: Subscription,
  { id, noticeDays, consent }: Pick<PriceChange, "consent" | "id" | "noticeDays">,
  unitAmount: number,
  { now, timeZone }: { now: Instant; timeZone: string },
): ScheduledPrice {
  const earliest = addCalendar(now, timeZone, `P${noticeDays}D`);
  const effectiveAt = firstPeriodFrom(subscription, earliest, timeZone);
  const remindAt = reminderBefore(effectiveAt, consent, now);
  return { priceChangeId: id, unitAmount, effectiveAt, consent, consentedAt: null, remindAt };
}

/** The pending change at the price that it will have: a new price may begin before it, or with it (rule N5). */
export const pendingChangeOf = (subscription: Subscription): Subscription["pendingChange"] =>
  subscription.pendingChange && withNewPrice(subscription, subscription.pendingChange.effectiveAt).pendingChange;

/**
 * The Subscription in a period that begins at `at`: with its new price, if the price is due (rule N5). A pending change
 * of the quantity alone has the new price, too.
 */
export function withNewPrice(subscription: Subscription, at: Instant): Subscription {
  const { priceChange, pendingChange, productId, quantity } = subscription;
  if (priceChange === null || at < priceChange.effectiveAt) return subscription;
  const { unitAmount } = priceChange;
  const isSame = pendingChange?.productId === productId;
  return {
    ...subscription,
    amount: unitAmount * quantity,
    pendingChange: isSame ? { ...pendingChange, amount: unitAmount * pendingChange.quantity } : pendingChange,
    priceChange: null,
  };
}

/** The total of the first period at the new price, as planned now: a change of the quantity may come before. */
export function newTotalOf(
  subscription: Subscription,
  { effectiveAt }: ScheduledPrice,
): Pick<Subscription, "amount" | "quantity"> {
  const { amount, quantity, pendingChange } = withNewPrice(subscription, effectiveAt);
  const isLater = pendingChange === null || pendingChange.productId !== subscription.productId;
  return isLater || pendingChange.effectiveAt > effectiveAt ? { amount, quantity } : pendingChange;
}
