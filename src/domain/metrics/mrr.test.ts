import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { anyTerms, fixed, held } from "../../../test/support/discount.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import type { Interval } from "../calendar.ts";
import { beginDiscount } from "../model/discount.ts";
import { startPeriods } from "../model/period.ts";
import type { Subscription } from "../model/subscription.ts";
import { discountsOver, monthlyAmount, mrrOf } from "./mrr.ts";

test.each([
  // price, interval, count, a month
  [3000, "month", 1, 3000],
  [3000, "month", 3, 1000],
  [36_000, "year", 1, 3000],
  [36_000, "year", 2, 1500],
  [700, "week", 1, 3042], // 700 × 365 / 84 = 3041.67
  [700, "week", 2, 1521],
  [100, "day", 1, 3042], // 100 × 365 / 12
  [1000, "day", 30, 1014],
  [6, "year", 1, 1], // half a unit is rounded away from zero
  [5, "year", 1, 0],
  [0, "month", 1, 0],
] as const)("%i for each %s × %i is %i a month (rule R2)", (price, interval, intervalCount, expected) => {
  expect(monthlyAmount(price, { interval, intervalCount })).toBe(expected);
});

const begun = (more: Parameters<typeof held>[0]) => beginDiscount(held(more), at("2025-06-01"), "UTC");
const fromJune = (others: Partial<Subscription> = {}) => subscriptionWith(others);
const month = (start: string) => startPeriods(at(start), "UTC", { interval: "month", intervalCount: 1 });

describe("MRR of the terms (rules R1, R3)", () => {
  test.each([
    ["an active Subscription", fromJune({ amount: 3000 }), 3000],
    ["a trial", fromJune({ amount: 3000, status: "trialing" }), 0],
    ["a past-due Subscription", fromJune({ amount: 3000, status: "past_due" }), 3000],
    ["without access", fromJune({ amount: 3000, status: "past_due", grantsSuspended: true }), 3000],
    ["an ended Subscription", fromJune({ amount: 3000, status: "canceled" }), 0],
    ["a scheduled end", fromJune({ amount: 3000, cancelAtPeriodEnd: true, cancelAt: at("2025-07-01") }), 3000],
    ["25 % off", fromJune({ amount: 3000, discount: begun({}) }), 2250],
    ["5.00 off", fromJune({ amount: 3000, discount: fixed(500) }), 2500],
    ["all off", fromJune({ amount: 3000, discount: begun({ basisPoints: 10_000 }) }), 0],
    ["off another Product", fromJune({ amount: 3000, discount: begun({ productIds: ["prd_other"] }) }), 3000],
    ["off once, in its period", fromJune({ amount: 3000, discount: begun({ duration: "once" }) }), 2250],
    [
      "off once, a period later",
      fromJune({ amount: 3000, discount: begun({ duration: "once" }), ...month("2025-07-01") }),
      3000,
    ],
    [
      "off for 2 of 12 months of a year",
      fromJune({
        amount: 36_500,
        discount: begun({ duration: "repeating", months: 2, basisPoints: 10_000 }),
        ...startPeriods(at("2025-06-01"), "UTC", { interval: "year", intervalCount: 1 }),
      }),
      2533, // 365.00 − 61.00 for a year
    ],
  ])("%s", (_, subscription, expected) => {
    expect(mrrOf(subscription, subscription.discount)).toBe(expected);
  });

  it("never is below zero or above the price of a month, for any discount", () => {
    const intervals = fc.constantFrom<Interval>("day", "week", "month", "year");
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        intervals,
        fc.integer({ min: 1, max: 12 }),
        anyTerms({}),
        (amount, interval, intervalCount, terms) => {
          const periods = startPeriods(at("2025-06-01"), "UTC", { interval, intervalCount });
          const subscription = { ...subscriptionWith({ amount, ...periods }), interval, intervalCount };
          const mrr = mrrOf(subscription, beginDiscount(terms, at("2025-06-01"), "UTC"));
          expect(mrr).toBeGreaterThanOrEqual(0);
          expect(mrr).toBeLessThanOrEqual(monthlyAmount(amount, { interval, intervalCount }));
        },
      ),
    );
  });
});

describe("the discount at an earlier state", () => {
  const span = (start: string, end: string) => ({ currentPeriodStart: at(start), currentPeriodEnd: at(end) });
  const states = [span("2025-06-01", "2025-07-01"), span("2025-07-01", "2025-08-01"), span("2025-08-11", "2025-09-11")];

  it("ended earlier, as long as the gap before a restart had not moved its end (rule D8e)", () => {
    const current = { ...begun({ duration: "repeating", months: 3 })!, endsAt: at("2025-09-11") };
    const ends = discountsOver(current, states).map((each) => each!.endsAt);
    expect(ends).toEqual([at("2025-09-01"), at("2025-09-01"), at("2025-09-11")]);
  });

  it("is the present one in all other cases", () => {
    const forever = begun({});
    expect(discountsOver(forever, states)).toEqual([forever, forever, forever]);
    expect(discountsOver(null, states)).toEqual([null, null, null]);
  });
});
