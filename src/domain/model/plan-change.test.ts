import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { change, facts, other, currentTarget } from "../../../test/support/change.ts";
import { at, pastDueWith, renew, subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import type { Instant } from "../calendar.ts";
import { planChange, type ChangeFacts, type ChangeRefusal, type ChangeTarget } from "./plan-change.ts";
import type { ProrationBehavior } from "./proration.ts";
import type { Subscription } from "./subscription.ts";

const month = subscriptionWith({ amount: 10_000 });
const mid = at("2025-06-16");

describe("the worked examples (rule P)", () => {
  const year = subscriptionWith({ amount: 100_000, interval: "year", currentPeriodStart: at("2024-08-01") });
  const table: [
    name: string,
    subscription: Subscription,
    target: ChangeTarget,
    now: string,
    amounts: number[],
    end: string,
  ][] = [
    ["half a month", month, other(30_000), "2025-06-16", [-5000, 15_000], "2025-07-01"],
    ["two thirds", month, other(30_000), "2025-06-11", [-6667, 20_000], "2025-07-01"],
    ["month to year", month, other(100_000, "year"), "2025-06-16", [-5000, 100_000], "2026-06-16"],
    ["a year after two months", year, other(300_000, "year"), "2024-10-01", [-83_288, 249_863], "2025-08-01"],
    ["the first instant", subscriptionWith(), other(2000), "2025-06-01", [-1000, 2000], "2025-07-01"],
    ["exactly the end", subscriptionWith(), other(2000), "2025-07-01", [], "2025-07-01"],
    ["two thirds of 999", subscriptionWith({ amount: 999 }), other(1999), "2025-06-11", [-666, 1333], "2025-07-01"],
    ["one millisecond before the end", month, other(30_000), "2025-06-30T23:59:59.999Z", [], "2025-07-01"],
    [
      "5 to 6: lines are rounded, not their sum (rule M2)",
      subscriptionWith({ amount: 5 }),
      other(6),
      "2025-06-16",
      [-3, 3],
      "2025-07-01",
    ],
  ];
  test.each(table)("%s", (_, subscription, target, now, amounts, end) => {
    const plan = change(subscription, target, "invoice_now", at(now));
    expect(plan.amounts).toEqual(amounts);
    expect(plan).toMatchObject({ bill: "now", restarted: end === "2026-06-16" });
    expect(plan.after).toMatchObject({
      productId: "prd_other",
      amount: target.amount,
      paidRate: target.amount,
      currentPeriodEnd: at(end),
    });
  });

  it("at exactly the end: the new period is at the new price", () => {
    const { after } = change(subscriptionWith(), other(2000), "invoice_now", at("2025-07-01"));
    const { line } = renew(after, "Other", "UTC");
    expect(line).toMatchObject({ amount: 2000, periodStart: at("2025-07-01"), periodEnd: at("2025-08-01") });
  });

  it("names the Product and the span of each line", () => {
    expect(change(month, other(100_000, "year"), "invoice_now", mid).lines).toEqual([
      expect.objectContaining({
        productId: "prd_current",
        amount: -5000,
        proration: true,
        periodStart: mid,
        periodEnd: at("2025-07-01"),
      }),
      expect.objectContaining({
        productId: "prd_other",
        amount: 100_000,
        proration: false,
        periodStart: mid,
        periodEnd: at("2026-06-16"),
      }),
    ]);
  });
});

describe("behaviors (rules P, P2, P9)", () => {
  const free = subscriptionWith({ amount: 0 });
  type Row = [
    from: Subscription,
    to: ChangeTarget,
    ProrationBehavior,
    lines: number[],
    bill: "now" | "wait" | "none",
    restarted: boolean,
  ];
  const table: Row[] = [
    [month, other(30_000), "invoice_now", [-5000, 15_000], "now", false],
    [month, other(30_000), "next_invoice", [-5000, 15_000], "wait", false],
    [month, other(30_000), "none", [], "none", false],
    [month, other(30_000), "next_period", [], "none", false],
    [month, other(30_000, "month", 3), "invoice_now", [-5000, 30_000], "now", true],
    [month, other(30_000, "year"), "next_invoice", [-5000, 30_000], "now", true],
    [month, other(30_000, "year"), "none", [30_000], "now", true],
    [month, other(30_000, "year"), "next_period", [], "none", false],
    // Downgrades: the rest goes to the balance (rule P2).
    [month, other(2000), "invoice_now", [-5000, 1000], "now", false],
    [month, other(0), "invoice_now", [-5000], "now", false],
    [month, other(0, "year"), "invoice_now", [-5000, 0], "now", true],
    // From price 0 a new period starts, with every behavior except `next_period` (rule P9).
    [free, other(30_000), "invoice_now", [30_000], "now", true],
    [free, other(30_000), "next_invoice", [30_000], "now", true],
    [free, other(30_000), "none", [30_000], "now", true],
    [free, other(30_000), "next_period", [], "none", false],
    [free, other(0), "invoice_now", [0], "now", true],
    // After a change to price 0 with `none`, the paid rate stays, so the period is credited.
    [{ ...free, paidRate: 1000 }, other(2000), "none", [-500, 2000], "now", true],
  ];
  const named = table.map(
    (row) => [`${row[0].amount} to ${row[1].amount} a ${row[1].interval} by ${row[2]}`, ...row] as const,
  );
  test.each(named)("%s", (_, from, to, behavior, amounts, bill, restarted) => {
    const plan = change(from, to, behavior, mid);
    expect(plan).toMatchObject({ amounts, bill, restarted });
    expect(plan.after.productId).toBe(behavior === "next_period" ? "prd_current" : "prd_other");
    expect(plan.after.pendingChange === null).toBe(behavior !== "next_period");
    expect(plan.after.periodNumber).toBe(restarted ? 2 : 1);
    if (restarted)
      expect(plan.after).toMatchObject({ anchorAt: mid, anchorIndex: 1, currentPeriodStart: mid, paidRate: to.amount });
    else expect(plan.after).toMatchObject({ anchorAt: from.anchorAt, currentPeriodEnd: from.currentPeriodEnd });
  });

  it("starts a new anchor in the Organization's zone of that moment (rule T2)", () => {
    const { after } = change(month, other(1000, "year"), "invoice_now", at("2026-03-01T02:00:00Z"), {
      timeZone: "America/New_York",
    });
    // 28 February, 21:00 in New York.
    expect(after).toMatchObject({ anchorTimeZone: "America/New_York", currentPeriodEnd: at("2027-03-01T02:00:00Z") });
  });

  it("puts the Subscription into the group of its new Product", () => {
    const addon = { ...other(1000), groupKey: "addons" };
    for (const behavior of ["invoice_now", "next_invoice", "none"] as const) {
      expect(change(month, addon, behavior, mid).after.groupKey).toBe("addons");
    }
    const { after } = change(month, addon, "next_period", mid);
    expect(after).toMatchObject({ groupKey: "plans", pendingChange: { groupKey: "addons" } });
  });
});

describe("the paid rate (rule P3)", () => {
  const [twoThirds, oneThird] = [at("2025-06-11"), at("2025-06-21")];
  const table: [there: ProrationBehavior, now: number[], back: ProrationBehavior, then: number[]][] = [
    ["none", [], "invoice_now", [-333, 333]],
    ["none", [], "next_invoice", [-333, 333]],
    ["none", [], "none", []],
    ["invoice_now", [-667, 1333], "invoice_now", [-667, 333]],
    ["next_invoice", [-667, 1333], "invoice_now", [-667, 333]],
    ["invoice_now", [-667, 1333], "none", []],
  ];
  test.each(table)("1000 to 2000 by %s (%j) and back by %s (%j)", (there, now, back, then) => {
    const first = change(subscriptionWith(), other(2000), there, twoThirds);
    const second = change(first.after, currentTarget(1000), back, oneThird);
    expect([first.amounts, second.amounts]).toEqual([now, then]);
    expect(first.after.paidRate).toBe(there === "none" ? 1000 : 2000);
    expect(second.after.paidRate).toBe(back === "none" ? first.after.paidRate : 1000);
  });

  it("a change and the change back at the same instant add up to zero, by any behavior", () => {
    const moving = fc.constantFrom<ProrationBehavior>("invoice_now", "next_invoice", "none");
    const price = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(
        price,
        price,
        moving,
        fc.integer({ min: at("2025-06-01"), max: at("2025-07-01") }),
        (from, to, there, now) => {
          fc.pre(from !== to);
          const first = change(subscriptionWith({ amount: from }), other(to), there, now as Instant);
          const second = change(first.after, currentTarget(from), "invoice_now", now as Instant);
          expect([...first.amounts, ...second.amounts].reduce((sum, amount) => sum + amount, 0)).toBe(0);
        },
      ),
    );
  });
});

describe("refusals (contract 1.7, rules P1, P5, P9)", () => {
  const planned = { cancelAtPeriodEnd: true, cancelAt: at("2025-07-01"), canceledAt: at("2025-06-02") };
  const canceled = subscriptionWith({ status: "canceled", endedAt: at("2025-06-10"), canceledAt: at("2025-06-10") });
  type Row = [state: string, Subscription, ProrationBehavior, Partial<ChangeFacts>, ChangeRefusal | null];
  const table: Row[] = [
    ["canceled", canceled, "invoice_now", {}, "subscription_canceled"],
    ["canceled, undo", canceled, "next_period", { undo: true }, "subscription_canceled"],
    ["to be canceled", subscriptionWith(planned), "invoice_now", {}, "subscription_cancellation_scheduled"],
    ["to be canceled", subscriptionWith(planned), "next_period", {}, "subscription_cancellation_scheduled"],
    ["to be canceled, undo", subscriptionWith(planned), "invoice_now", { undo: true }, null],
    ["being changed", subscriptionWith({ changeId: "chg_1" }), "next_period", {}, "change_in_progress"],
    ["past due", pastDueWith(), "invoice_now", {}, "subscription_past_due"],
    ["past due", pastDueWith(), "next_invoice", { hasOpenInvoice: true }, "subscription_past_due"],
    ["past due", pastDueWith(), "none", {}, "subscription_past_due"],
    ["past due", pastDueWith(), "next_period", { hasOpenInvoice: true }, null],
    ["an open invoice", month, "none", { hasOpenInvoice: true }, "invoice_open"],
    ["an open invoice", month, "invoice_now", { hasOpenInvoice: true }, "invoice_open"],
    ["an open invoice", month, "next_period", { hasOpenInvoice: true }, null],
    ["no card", month, "invoice_now", { hasCard: false }, "payment_method_required"],
    ["no card, to pay later", month, "next_period", { hasCard: false }, "payment_method_required"],
    ["no card, to pay when the trial ends", trialWith(), "invoice_now", { hasCard: false }, "payment_method_required"],
    ["no card, nothing to pay", month, "invoice_now", { hasCard: false, target: other(0) }, null],
  ];
  const named = table.map(([state, ...row]) => [`${state}, by ${row[1]}`, ...row] as const);
  test.each(named)("%s", (_, subscription, behavior, more, expected) => {
    const plan = planChange(subscription, facts(other(3000), behavior, mid, more));
    expect("refusal" in plan ? plan.refusal : null).toBe(expected);
  });
});

describe("a trial (rule P4)", () => {
  const immediate = ["invoice_now", "next_invoice", "none"] as const;
  test.each(immediate)("changes by %s without a line, keeps its end and is charged the new price then", (behavior) => {
    const { after, lines, bill } = change(trialWith(), other(50_000, "year"), behavior, at("2025-06-05"));
    expect({ lines, bill }).toEqual({ lines: [], bill: "none" });
    const end = at("2025-06-15");
    expect(after).toMatchObject({ status: "trialing", productId: "prd_other", trialEnd: end, currentPeriodEnd: end });
    const renewed = renew(after, "Other", "UTC");
    expect(renewed.line).toMatchObject({ amount: 50_000, periodStart: at("2025-06-15"), periodEnd: at("2026-06-15") });
  });

  it("waits for its end with next_period", () => {
    const { after } = change(trialWith(), other(3000), "next_period", at("2025-06-05"));
    expect(after).toMatchObject({
      productId: "prd_current",
      pendingChange: { amount: 3000, effectiveAt: at("2025-06-15") },
    });
    expect(renew(after, "Present", "UTC").line).toMatchObject({ productId: "prd_other", amount: 3000 });
  });
});
