import type { Instant } from "../calendar.ts";
import { LEFT_OUT_REASONS, leftOutReason, priceOfRound, type Candidate } from "../model/price-change.ts";
import type { LeftOutReason, PriceTerms } from "../model/price-change.ts";
import type { Subscription } from "../model/subscription.ts";
import type { Amount } from "../money.ts";
import { mrrOf } from "./mrr.ts";

/**
 * Subscriptions with another price than the round's that differ in no field on which a preview depends. `count`: their
 * number. The period is that in progress, on which a discount depends; null: there is no discount.
 */
export type RepricedGroup = Candidate &
  Pick<Subscription, "discount" | "interval" | "intervalCount" | "status"> & {
    periodStart: Subscription["currentPeriodStart"] | null;
    periodEnd: Subscription["currentPeriodEnd"] | null;
    count: number;
  };

/** The effect of a round in one currency. `unitAmount`: the new price of a unit. */
export type Repricing = {
  currency: string;
  unitAmount: Amount;
  subscriptions: number;
  mrrBefore: Amount;
  mrrAfter: Amount;
};
/** A Subscription of a preview: it moves at `effectiveAt`, or keeps its price for a reason. */
export type RepricingExample = {
  subscription: Subscription;
  unitAmount: Amount;
  effectiveAt: Instant | null;
  reason: LeftOutReason | null;
};
export type RepricingSummary = {
  currencies: Repricing[];
  leftOut: { reason: LeftOutReason; subscriptions: number }[];
};

/** The MRR of one Subscription of a group, at this price of a unit; null: the present price (rules R1, R3). */
function mrrAt(group: RepricedGroup, unitAmount: Amount | null): Amount {
  const { periodStart, periodEnd, amount, quantity, discount } = group;
  const price = unitAmount === null ? amount : unitAmount * quantity;
  // Without a discount the MRR does not depend on the period.
  const [start, end] = [periodStart ?? 0, periodEnd ?? 0] as [Subscription["startedAt"], Subscription["startedAt"]];
  return mrrOf({ ...group, amount: price, currentPeriodStart: start, currentPeriodEnd: end }, discount);
}

/** The effect of a round before it begins: the MRR of the Subscriptions that move, and the number of the others (rule N2). */
export function summarize(groups: readonly RepricedGroup[], terms: Pick<PriceTerms, "prices">): RepricingSummary {
  const found = groups.map((group) => {
    const unitAmount = priceOfRound(terms, group.currency)!;
    return { group, unitAmount, reason: leftOutReason(group, unitAmount) };
  });
  const moving = found.filter(({ reason }) => reason === null);
  const sum = (list: typeof found, of: (each: (typeof found)[number]) => number) =>
    list.reduce((total, each) => total + of(each) * each.group.count, 0);
  const currencies = terms.prices.flatMap(({ currency, amount }) => {
    const own = moving.filter(({ group }) => group.currency === currency);
    if (own.length === 0) return [];
    const mrrBefore = sum(own, ({ group }) => mrrAt(group, null));
    const mrrAfter = sum(own, ({ group, unitAmount }) => mrrAt(group, unitAmount));
    return [{ currency, unitAmount: amount, subscriptions: sum(own, () => 1), mrrBefore, mrrAfter }];
  });
  const leftOut = LEFT_OUT_REASONS.flatMap((reason) => {
    const subscriptions = sum(
      found.filter((each) => each.reason === reason),
      () => 1,
    );
    return subscriptions === 0 ? [] : [{ reason, subscriptions }];
  });
  return { currencies, leftOut };
}
