import type { Instant, Interval, Period } from "../calendar.ts";
import { discountOn, type HeldDiscount, type PastDiscount } from "../model/discount.ts";
import { multiplyDivide, type Amount } from "../money.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * The months in one interval, as a fraction. A year has 12 months and 365 days, so a month has 365/12 days (rule R2).
 */
const MONTHS: Record<Interval, readonly [numerator: number, denominator: number]> = {
  day: [12, 365],
  week: [84, 365],
  month: [1, 1],
  year: [12, 1],
};

/** The part of a period's price that falls on one month, in minor units, rounded as in rule M1 (rule R2). */
export function monthlyAmount(price: Amount, { interval, intervalCount }: Period): Amount {
  const [months, of] = MONTHS[interval];
  return multiplyDivide(price, of, months * intervalCount);
}

/** The fields of a Subscription on which its MRR depends. */
export type Terms = Pick<
  Subscription,
  "status" | "productId" | "amount" | "interval" | "intervalCount" | "currentPeriodStart" | "currentPeriodEnd"
>;

/**
 * The monthly recurring revenue of a Subscription in minor units, net of the discount of the period in progress and
 * without tax (rules R1, R3). A trial, a pause and an ended Subscription have none. A past-due Subscription keeps its
 * MRR.
 */
export function mrrOf(terms: Terms, discount: HeldDiscount | null): Amount {
  const { status, productId, amount: price, currentPeriodStart: start, currentPeriodEnd: end } = terms;
  if (status === "trialing" || status === "paused" || status === "canceled") return 0;
  return monthlyAmount(price - discountOn(discount, { productId, price }, { start, end }), terms);
}

/** The discounts of a Subscription: the present one, and the former ones. */
export type DiscountHistory = { discount: HeldDiscount | null; pastDiscounts: readonly PastDiscount[] };

/** The discount at each state of a Subscription, in the order of the states (rules R1, X4a). */
export function discountsAt<State extends Parameters<typeof discountsOver>[1][number] & { sequence: number }>(
  { discount, pastDiscounts }: DiscountHistory,
  states: readonly State[],
): (HeldDiscount | null)[] {
  const spans = [...pastDiscounts, { until: Infinity, discount }];
  return spans.flatMap(({ until, discount: held }, n) => {
    const after = spans[n - 1]?.until ?? 0;
    return discountsOver(
      held,
      states.filter(({ sequence }) => sequence > after && sequence <= until),
    );
  });
}

/**
 * The discount as it was at an earlier state of its Subscription, in the order of the states. `discount` is the present
 * one. A gap between two periods has moved the end of a discount for months (rule D8e), so the end was earlier before
 * the gap.
 */
export function discountsOver(
  discount: HeldDiscount | null,
  states: readonly Pick<Terms, "currentPeriodStart" | "currentPeriodEnd">[],
): (HeldDiscount | null)[] {
  const endsAt = discount?.endsAt ?? null;
  if (!discount || discount.duration !== "repeating" || endsAt === null) return states.map(() => discount);
  let moved = 0;
  const held = states.map((state, n) => ({ state, next: states[n + 1] })).toReversed();
  return held
    .map(({ state, next }) => {
      if (next) moved += Math.max(0, next.currentPeriodStart - state.currentPeriodEnd);
      return { ...discount, endsAt: (endsAt - moved) as Instant };
    })
    .toReversed();
}
