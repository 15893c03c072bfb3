import type { Instant, Interval } from "../../src/domain/calendar.ts";
import { planChange, type ChangeFacts, type ChangeTarget } from "../../src/domain/model/plan-change.ts";
import { ONE_UNIT } from "../../src/domain/model/quantity.ts";
import type { ProrationBehavior } from "../../src/domain/model/proration.ts";
import { withDerived, type Subscription } from "../../src/domain/model/subscription.ts";

/** A Product to change to. `currentTarget` is the Subscription's Product, maybe at another price. */
export const other = (amount: number, interval: Interval = "month", intervalCount = 1): ChangeTarget => ({
  productId: "prd_other",
  productName: "Other",
  groupKey: "plans",
  amount,
  ...ONE_UNIT,
  interval,
  intervalCount,
});
export const currentTarget = (amount: number): ChangeTarget => ({
  ...other(amount),
  productId: "prd_current",
  productName: "Present",
});

/** The facts of a change: there is a card and no obstacle, unless `more` says so. */
export function facts(
  target: ChangeTarget,
  behavior: ProrationBehavior,
  now: Instant,
  more: Partial<ChangeFacts> = {},
): ChangeFacts {
  const plain = {
    productName: "Present",
    unitName: null,
    billed: null,
    undo: false,
    atCatalogue: false,
    hasOpenInvoice: false,
    hasCard: true,
    tax: null,
    timeZone: "UTC",
  };
  return { target, behavior, now, ...plain, ...more };
}

/** The decided change, with the Subscription after it and the amounts of its lines. */
export function change(subscription: Subscription, ...asked: Parameters<typeof facts>) {
  const plan = planChange(subscription, facts(...asked));
  if (!("set" in plan)) throw new Error(JSON.stringify(plan));
  return {
    ...plan,
    after: withDerived({ ...subscription, ...plan.set }),
    amounts: plan.lines.map((line) => line.amount),
  };
}
