import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at, pastDueWith, subscriptionWith } from "../../../test/support/subscription.ts";
import { addDays24, type Instant } from "../calendar.ts";
import { planFailure, type Dunning } from "./retry-schedule.ts";
import { DEFAULT_DUNNING } from "./organization.ts";
import type { Purpose } from "./payment.ts";
import { nextDue, type Subscription } from "./subscription.ts";

const now = at("2025-06-01");
const others: Dunning = { retryDays: [1], graceDays: 0 };

describe("the first failure (rules D3, D4)", () => {
  test.each<Purpose>(["renewal", "retry", "hand", "new_card"])("of a charge for %s fixes the schedule", (purpose) => {
    expect(planFailure(subscriptionWith(), purpose, DEFAULT_DUNNING, now)).toEqual({
      change: {
        status: "past_due",
        firstFailedAt: now,
        retryDays: [3, 7, 14, 21],
        retriesDone: 0,
        nextRetryAt: at("2025-06-04"),
        graceEndsAt: at("2025-06-08"),
      },
      event: "subscription.past_due",
    });
  });

  it("counts days of 24 hours, also when the clocks change", () => {
    const plan = planFailure(subscriptionWith(), "renewal", DEFAULT_DUNNING, at("2026-03-28T12:00:00Z"));
    expect(plan).toMatchObject({
      change: { nextRetryAt: at("2026-03-31T12:00:00Z"), graceEndsAt: at("2026-04-04T12:00:00Z") },
    });
  });

  it("gives no grace where the grace is zero days", () => {
    expect(planFailure(subscriptionWith(), "renewal", others, now)).toMatchObject({ change: { graceEndsAt: now } });
  });
});

describe("further failures (rule D3)", () => {
  const table: [purpose: Purpose, retriesDone: number, on: string, next: string | null][] = [
    ["retry", 0, "2025-06-04", "2025-06-08"],
    ["retry", 1, "2025-06-08", "2025-06-15"],
    ["retry", 2, "2025-06-15", "2025-06-22"],
    ["retry", 3, "2025-06-22", null],
    // A late outcome: the next day still counts from the first failure.
    ["retry", 0, "2025-06-07", "2025-06-08"],
    // If the next day has passed too, the 4 days between the first retry and the second count from now.
    ["retry", 0, "2025-06-08", "2025-06-12"],
    ["retry", 0, "2025-06-10", "2025-06-14"],
  ];
  test.each(table)("a %s after %s others, failing on %s: the next is on %s", (purpose, retriesDone, on, next) => {
    const plan = planFailure(pastDueWith({ retriesDone, nextRetryAt: null }), purpose, others, at(on));
    const expected =
      next === null
        ? { exhausted: true }
        : { change: { retriesDone: retriesDone + 1, nextRetryAt: at(next) }, event: null };
    expect(plan).toEqual(expected);
  });

  test.each<Purpose>(["renewal", "hand", "new_card", "page"])("for %s don't use up the schedule", (purpose) => {
    expect(planFailure(pastDueWith({ retriesDone: 3 }), purpose, others, now)).toEqual({ change: {}, event: null });
  });

  it("follow any schedule to its end, day by day, with the grace in between", () => {
    const someDays = fc.uniqueArray(fc.integer({ min: 1, max: 365 }), { minLength: 1, maxLength: 10 });
    const days = someDays.map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(days, fc.nat(365), (retryDays, graceDays) => {
        const dunning = { retryDays, graceDays };
        let subscription: Subscription = subscriptionWith({ currentPeriodEnd: at("2030-01-01") });
        const tried: number[] = [];
        for (let failedAt: Instant = now; ;) {
          // Settings that changed after the first failure don't matter: that failure fixed the schedule.
          const plan = planFailure(
            subscription,
            tried.length === 0 ? "renewal" : "retry",
            tried.length === 0 ? dunning : others,
            failedAt,
          );
          if ("exhausted" in plan) break;
          subscription = { ...subscription, ...plan.change, grantsSuspended: true };
          expect(nextDue(subscription)).toEqual({ at: subscription.nextRetryAt, kind: "retry" });
          failedAt = subscription.nextRetryAt!;
          tried.push(failedAt);
        }
        expect(tried).toEqual(retryDays.map((day) => addDays24(now, day)));
        expect(subscription.graceEndsAt).toBe(addDays24(now, graceDays));
      }),
    );
  });
});
