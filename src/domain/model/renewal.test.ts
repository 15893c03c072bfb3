import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  anyInstant,
  anyPeriod,
  anyZone,
  at,
  pastDueWith,
  renew,
  subscriptionWith,
  trialWith,
} from "../../../test/support/subscription.ts";
import { startPeriods } from "./period.ts";
import { ONE_UNIT } from "./quantity.ts";
import { withDerived, type PendingChange, type Subscription } from "./subscription.ts";

const yearly: PendingChange = {
  productId: "prd_other",
  productName: "Other",
  groupKey: "addons",
  amount: 50_000,
  ...ONE_UNIT,
  interval: "year",
  intervalCount: 1,
  effectiveAt: at("2025-07-01"),
};
const dearer: PendingChange = { ...yearly, interval: "month", amount: 2000 };
const taken = { productId: "prd_other", groupKey: "addons", pendingChange: null };

describe("the next period (rules S, T2)", () => {
  type Row = [
    name: string,
    from: Subscription,
    status: string,
    start: string,
    end: string,
    amount: number,
    event: "activated" | "renewed",
  ];
  const table: Row[] = [
    ["of a month", subscriptionWith(), "active", "2025-07-01", "2025-08-01", 1000, "renewed"],
    ["at price 0", subscriptionWith({ amount: 0 }), "active", "2025-07-01", "2025-08-01", 0, "renewed"],
    ["while past due", pastDueWith(), "past_due", "2025-07-01", "2025-08-01", 1000, "renewed"],
    ["after a trial", trialWith(), "active", "2025-06-15", "2025-07-15", 1000, "activated"],
    [
      "with a change of price",
      subscriptionWith({ pendingChange: dearer }),
      "active",
      "2025-07-01",
      "2025-08-01",
      2000,
      "renewed",
    ],
    [
      "with a change of interval",
      subscriptionWith({ pendingChange: yearly }),
      "active",
      "2025-07-01",
      "2026-07-01",
      50_000,
      "renewed",
    ],
    [
      "with a change, past due",
      pastDueWith({ pendingChange: yearly }),
      "past_due",
      "2025-07-01",
      "2026-07-01",
      50_000,
      "renewed",
    ],
    [
      "after a trial, with a change",
      trialWith({ pendingChange: yearly }),
      "active",
      "2025-06-15",
      "2026-06-15",
      50_000,
      "activated",
    ],
  ];
  test.each(table)("%s", (_, from, status, start, end, amount, event) => {
    const plan = renew(from, "Present", "UTC");
    const [currentPeriodStart, currentPeriodEnd] = [at(start), at(end)];
    expect(plan.event).toBe(`subscription.${event}`);
    expect(plan.subscription).toMatchObject({
      status,
      currentPeriodStart,
      currentPeriodEnd,
      amount,
      paidRate: amount,
      periodNumber: 2,
    });
    expect(plan.subscription).toMatchObject(
      from.pendingChange ? taken : { productId: "prd_current", groupKey: "plans" },
    );
    expect(plan.line).toEqual({
      description: from.pendingChange ? "Other" : "Present",
      productName: from.pendingChange ? "Other" : "Present",
      productId: plan.subscription.productId,
      amount,
      discountAmount: 0,
      taxAmount: 0,
      tax: null,
      proration: false,
      periodStart: currentPeriodStart,
      periodEnd: currentPeriodEnd,
      basis: { kind: "period", price: amount, discount: null },
      creditedLineId: null,
    });
  });

  it("is refused for a Subscription that has ended", () => {
    const ended = subscriptionWith({ status: "canceled", endedAt: at("2025-06-10"), canceledAt: at("2025-06-10") });
    expect(() => renew(ended, "Present", "UTC")).toThrow("canceled subscription");
  });

  it("keeps dunning as it was: a renewal pays no part of the debt", () => {
    const { firstFailedAt, retryDays, nextRetryAt, graceEndsAt } = pastDueWith();
    expect(renew(pastDueWith(), "Present", "UTC").subscription).toMatchObject({
      firstFailedAt,
      retryDays,
      nextRetryAt,
      graceEndsAt,
    });
  });
});

describe("anchors (rule T2)", () => {
  it("stay in the zone they were made in, but for a trial's end and a new interval", () => {
    const anchored = startPeriods(at("2025-01-31T23:00:00Z"), "Europe/Warsaw", { interval: "month", intervalCount: 1 });
    const active = subscriptionWith({ ...anchored });
    expect(renew(active, "Present", "UTC").subscription).toMatchObject({
      anchorTimeZone: "Europe/Warsaw",
      anchorIndex: 2,
    });
    const changed = renew({ ...active, pendingChange: yearly }, "Present", "America/New_York").subscription;
    expect(changed).toMatchObject({
      anchorTimeZone: "America/New_York",
      anchorAt: active.currentPeriodEnd,
      anchorIndex: 1,
    });
    const { subscription } = renew(trialWith(), "Present", "Asia/Kathmandu");
    expect(subscription).toMatchObject({
      anchorTimeZone: "Asia/Kathmandu",
      anchorAt: at("2025-06-15"),
      anchorIndex: 1,
    });
  });

  it("carry any number of periods, each numbered, billed in full and beginning where the last one ended", () => {
    fc.assert(
      fc.property(anyInstant, anyZone, anyPeriod, fc.nat(40), (start, zone, period, count) => {
        let current = subscriptionWith({ ...startPeriods(start, zone, period), startedAt: start });
        for (let n = 1; n <= count; n++) {
          const { subscription, line } = renew(current, "Present", "UTC");
          expect(line).toMatchObject({
            amount: 1000,
            periodStart: current.currentPeriodEnd,
            periodEnd: subscription.currentPeriodEnd,
          });
          expect(subscription).toMatchObject({ periodNumber: n + 1, anchorAt: start, anchorTimeZone: zone });
          expect(subscription.currentPeriodEnd).toBeGreaterThan(subscription.currentPeriodStart);
          current = withDerived({ ...subscription, noticedUntil: subscription.currentPeriodEnd });
          expect(current.dueAt).toBe(current.currentPeriodEnd);
        }
      }),
    );
  });
});
