import { monthlyAmount } from "../metrics/mrr.ts";
import type { Amount } from "../money.ts";
import type { ForeignCustomer, ForeignPrice, ForeignSubscription } from "./foreign.ts";
import { STAY_REASONS, stayReasons, type Circumstances, type StayReason } from "./stay-reasons.ts";

/** `monthly`: minor units a month, before discounts and taxes. Trials count. Usage and tiers count as 0. */
export type Share = { subscriptions: number; monthly: Amount };
export type Shares = { moves: Share; stays: Share };

/** `isPriced`: false if the monthly amount leaves out usage, tiers or fractions. */
export type AssessedSubscription = {
  customer: ForeignCustomer;
  subscription: ForeignSubscription;
  reasons: StayReason[];
  monthly: Amount;
  isPriced: boolean;
};

/**
 * The sums of a report. Their size grows with the currencies and the prices, and not with the Customers. `trials`,
 * `endings`, `discounted` and `taxed` count subscriptions that move.
 */
export type Assessment = {
  customers: { total: number; subscribed: number; withBalance: number; withTaxId: number };
  subscriptions: {
    total: number;
    moves: number;
    stays: number;
    trials: number;
    endings: number;
    discounted: number;
    taxed: number;
  };
  reasons: Record<StayReason, number>;
  money: Map<string, Shares>;
  prices: Map<string, { price: ForeignPrice; moves: number; stays: number }>;
};

export function newAssessment(): Assessment {
  return {
    customers: { total: 0, subscribed: 0, withBalance: 0, withTaxId: 0 },
    subscriptions: { total: 0, moves: 0, stays: 0, trials: 0, endings: 0, discounted: 0, taxed: 0 },
    reasons: Object.fromEntries(STAY_REASONS.map((reason) => [reason, 0])) as Record<StayReason, number>,
    money: new Map(),
    prices: new Map(),
  };
}

/** The amount of a month over all items, each rounded as in rule R2. An item of usage or tiers counts as 0. */
function monthlyOf({ items }: ForeignSubscription): { monthly: Amount; isPriced: boolean } {
  let [monthly, isPriced] = [0, true];
  for (const { price, quantity } of items) {
    if (price.amount === null || price.isTiered || price.isMetered) isPriced = false;
    else monthly += monthlyAmount(price.amount * quantity, price);
  }
  return { monthly, isPriced };
}

const noShares = (): Shares => ({ moves: { subscriptions: 0, monthly: 0 }, stays: { subscriptions: 0, monthly: 0 } });

function countSubscription(sums: Assessment, { subscription, reasons, monthly }: AssessedSubscription): void {
  const side = reasons.length === 0 ? "moves" : "stays";
  sums.subscriptions.total += 1;
  sums.subscriptions[side] += 1;
  for (const reason of reasons) sums.reasons[reason] += 1;
  const share = sums.money.getOrInsertComputed(subscription.currency, noShares)[side];
  share.subscriptions += 1;
  share.monthly += monthly;
  for (const price of new Map(subscription.items.map((item) => [item.price.ref, item.price])).values())
    sums.prices.getOrInsertComputed(price.ref, () => ({ price, moves: 0, stays: 0 }))[side] += 1;
  if (side === "stays") return;
  if (subscription.trialEndsAt !== null) sums.subscriptions.trials += 1;
  if (subscription.endsAt !== null) sums.subscriptions.endings += 1;
  if (subscription.discounts.length > 0) sums.subscriptions.discounted += 1;
  if (subscription.taxes !== "none") sums.subscriptions.taxed += 1;
}

/** Decides about each subscription of a Customer, and adds the Customer to the sums. */
export function assessCustomer(
  sums: Assessment,
  customer: ForeignCustomer,
  circumstances: Circumstances,
): AssessedSubscription[] {
  const { subscriptions, balance, taxIds } = customer;
  sums.customers.total += 1;
  if (subscriptions.length > 0) sums.customers.subscribed += 1;
  if (balance !== 0) sums.customers.withBalance += 1;
  if (taxIds > 0) sums.customers.withTaxId += 1;
  return subscriptions.map((subscription) => {
    const reasons = stayReasons(customer, subscription, circumstances);
    const assessed = { customer, subscription, reasons, ...monthlyOf(subscription) };
    countSubscription(sums, assessed);
    return assessed;
  });
}
