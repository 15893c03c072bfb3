import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { change, facts, other, currentTarget } from "../../../test/support/change.ts";
import {
  anyPeriod,
  anyZone,
  at,
  pastDueWith,
  subscriptionWith,
  trialWith,
} from "../../../test/support/subscription.ts";
import type { Instant } from "../calendar.ts";
import { planChange, type ChangeTarget } from "../model/plan-change.ts";
import { PRORATION_BEHAVIORS, type ProrationBehavior } from "../model/proration.ts";
import { NO_CANCELLATION, withDerived, type Subscription } from "../model/subscription.ts";

const month = subscriptionWith({ amount: 10_000 });
const mid = at("2025-06-16");

describe("a pending change (rules P6, P7)", () => {
  const scheduled = change(month, other(2000, "year"), "next_period", mid).after;
  const later = at("2025-06-20");

  it("keeps price, quantity and interval of the day it was scheduled for the period's end", () => {
    const target = { ...other(2000, "year"), quantity: 4, unitName: { en: { one: "seat", other: "seats" } } };
    const { pendingChange } = change(month, target, "next_period", mid).after;
    expect(pendingChange).toEqual({ ...target, effectiveAt: at("2025-07-01") });
  });

  test.each<
    [
      name: string,
      target: ChangeTarget,
      behavior: ProrationBehavior,
      pending: number | null,
      amount: number,
      lines: number,
    ]
  >([
    ["is replaced by a newer one", other(3000), "next_period", 3000, 10_000, 0],
    ["is replaced by the same Product at another price", other(2500, "year"), "next_period", 2500, 10_000, 0],
    ["is cleared by an immediate change", other(30_000), "invoice_now", null, 30_000, 2],
    ["is cleared by one that bills nothing", other(30_000), "none", null, 30_000, 0],
    ["is cleared by the current Product, by any behavior", currentTarget(10_000), "invoice_now", null, 10_000, 0],
    ["is cleared by the current Product at another price", currentTarget(12_000), "invoice_now", null, 12_000, 2],
    ["is replaced by the current Product at another price", currentTarget(12_000), "next_period", 12_000, 10_000, 0],
    ["is cleared by the current Product, scheduled", currentTarget(10_000), "next_period", null, 10_000, 0],
  ])("%s", (_, target, behavior, pending, amount, lines) => {
    const plan = change(scheduled, target, behavior, later);
    expect(plan.after.pendingChange?.amount ?? null).toBe(pending);
    expect([plan.after.amount, plan.lines.length]).toEqual([amount, lines]);
  });

  it("is cleared even where no change would be possible", () => {
    const pastDue = pastDueWith({ pendingChange: scheduled.pendingChange });
    const cleared = change(pastDue, currentTarget(1000), "invoice_now", later, {
      hasOpenInvoice: true,
      hasCard: false,
    });
    expect(cleared).toMatchObject({ set: { pendingChange: null }, bill: "none" });
  });

  test.each<[name: string, subscription: Subscription, target: ChangeTarget, behavior: ProrationBehavior]>([
    ["the same change again", scheduled, other(2000, "year"), "next_period"],
    ["the current Product without a pending change", month, currentTarget(10_000), "invoice_now"],
    ["the current Product without a pending change, while past due", pastDueWith(), currentTarget(1000), "invoice_now"],
  ])("%s is already so", (_, subscription, target, behavior) => {
    expect(planChange(subscription, facts(target, behavior, later))).toEqual({ unchanged: true });
  });

  it("of the current Product's own price is a change like any other (rule P7)", () => {
    expect(change(month, currentTarget(12_000), "invoice_now", mid).amounts).toEqual([-5000, 6000]);
    expect(change(month, currentTarget(12_000), "next_period", mid).after).toMatchObject({
      amount: 10_000,
      pendingChange: { amount: 12_000 },
    });
  });
});

describe("undoing a cancellation on the way", () => {
  const why = { cancellationReason: "other", cancellationComment: "…" } as const;
  const planned = { cancelAtPeriodEnd: true, cancelAt: at("2025-07-01"), canceledAt: mid, ...why };
  test.each([
    ["an immediate change", other(20_000), "invoice_now"],
    ["a scheduled change", other(20_000), "next_period"],
    ["no change at all", currentTarget(10_000), "invoice_now"],
  ] as const)("goes with %s", (_, target, behavior) => {
    expect(change({ ...month, ...planned }, target, behavior, mid, { undo: true }).after).toMatchObject(
      NO_CANCELLATION,
    );
  });
});

describe("after any change", () => {
  const target = fc.record({ amount: fc.nat(1_000_000), own: fc.boolean(), period: anyPeriod });
  const subscription = fc.constantFrom(month, subscriptionWith({ amount: 0 }), trialWith(), { ...month, paidRate: 0 });
  const step = fc.record({ target, behavior: fc.constantFrom(...PRORATION_BEHAVIORS), wait: fc.nat(20 * 86_400_000) });

  it("the row stays one that the database takes, and no line bills more than a period", () => {
    fc.assert(
      fc.property(subscription, anyZone, fc.array(step, { maxLength: 6 }), (start, timeZone, steps) => {
        let current: Subscription = start;
        let now: number = current.currentPeriodStart;
        for (const {
          target: { amount, own, period },
          behavior,
          wait,
        } of steps) {
          now = Math.min(now + wait, current.currentPeriodEnd);
          const wanted = { ...(own ? currentTarget(amount) : other(amount)), ...period };
          const plan = planChange(current, facts(wanted, behavior, now as Instant, { timeZone }));
          if (!("set" in plan)) continue;
          for (const line of plan.lines) expect(line.amount >= -current.paidRate && line.amount <= amount).toBe(true);
          if (plan.bill === "none") expect(plan.lines).toEqual([]);
          current = withDerived({ ...current, ...plan.set });
          expect(current.currentPeriodStart).toBeLessThan(current.currentPeriodEnd);
          expect(now >= current.currentPeriodStart && now <= current.currentPeriodEnd).toBe(true);
          expect(current.paidRate).toBeGreaterThanOrEqual(0);
          if (current.status === "trialing") expect(current.currentPeriodEnd).toBe(current.trialEnd);
          expect(current.pendingChange?.effectiveAt ?? current.currentPeriodEnd).toBe(current.currentPeriodEnd);
        }
      }),
    );
  });
});
