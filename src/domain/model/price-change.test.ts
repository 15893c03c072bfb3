import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  anyInstant,
  anyPeriod,
  anyZone,
  at,
  canceled,
  pastDueWith,
  planned,
  subscriptionWith,
  trialWith,
} from "../../../test/support/subscription.ts";
import { addCalendar, addDays24, type Instant } from "../calendar.ts";
import {
  candidateOf,
  firstPeriodFrom,
  leftOutReason,
  newPriceOf,
  schedulePrice,
  withNewPrice,
  type PriceTerms,
} from "./price-change.ts";
import { nextPeriod, startPeriods } from "./period.ts";
import { ONE_UNIT } from "./quantity.ts";
import { reminderBefore, type ScheduledPrice } from "./scheduled-price.ts";
import {
  accessEndsAt,
  awaitsConsent,
  endsWithRetry,
  nextDue,
  noticeAt,
  passPriceReminder,
  renews,
  type Subscription,
} from "./subscription.ts";

const TERMS: PriceTerms = {
  productId: "prd_current",
  prices: [
    { currency: "usd", amount: 1200 },
    { currency: "eur", amount: 1100 },
  ],
  subscribedBefore: null,
  priceBelow: null,
  noticeDays: 30,
  consent: "notice",
};
const priced = (others: Partial<ScheduledPrice> = {}): ScheduledPrice => ({
  priceChangeId: "pch_1",
  unitAmount: 1200,
  effectiveAt: at("2025-07-01"),
  consent: "notice",
  consentedAt: null,
  remindAt: null,
  ...others,
});
const REQUIRED = priced({ consent: "required", remindAt: at("2025-06-24") });
const pendingUnits = (quantity: number) => ({
  productId: "prd_current",
  productName: "Present",
  groupKey: "plans",
  amount: 1000 * quantity,
  ...ONE_UNIT,
  quantity,
  interval: "month" as const,
  intervalCount: 1,
  effectiveAt: at("2025-07-01"),
});

describe("the Subscriptions of a round (rule N2)", () => {
  test.each<[name: string, subscription: Subscription, terms: Partial<PriceTerms>, price: number | null]>([
    ["another price", subscriptionWith(), {}, 1200],
    ["another currency", subscriptionWith({ currency: "eur" }), {}, 1100],
    ["a currency without a price", subscriptionWith({ currency: "gbp" }), {}, null],
    ["the same price", subscriptionWith({ amount: 1200 }), {}, null],
    ["the same price for 3 units", subscriptionWith({ amount: 3600, quantity: 3 }), {}, null],
    ["the same price that waits", subscriptionWith({ priceChange: priced() }), {}, null],
    ["another price that waits", subscriptionWith({ priceChange: priced({ unitAmount: 1100 }) }), {}, 1200],
    ["another price for 3 units", subscriptionWith({ amount: 3000, quantity: 3 }), {}, 1200],
    ["another Product", subscriptionWith({ productId: "prd_other" }), {}, null],
    ["an ended Subscription", canceled, {}, null],
    ["a past-due Subscription", pastDueWith(), {}, 1200],
    ["a trial", trialWith(), {}, 1200],
    ["began before the limit", subscriptionWith(), { subscribedBefore: at("2025-06-02") }, 1200],
    ["began at the limit", subscriptionWith(), { subscribedBefore: at("2025-06-01") }, null],
    ["a price below the limit", subscriptionWith(), { priceBelow: 1001 }, 1200],
    ["a price at the limit", subscriptionWith(), { priceBelow: 1000 }, null],
    ["3 units, each below the limit", subscriptionWith({ amount: 3000, quantity: 3 }), { priceBelow: 1001 }, 1200],
  ])("%s", (_, subscription, terms, price) => {
    expect(newPriceOf(subscription, { ...TERMS, ...terms })).toBe(price);
  });
});

describe("the reasons to keep a price (rule N3)", () => {
  const own = (unitAmount: number, productId = "prd_current") => ({ ownPrice: { productId, unitAmount } });
  test.each<[name: string, others: Partial<Subscription>, unitAmount: number, reason: string | null]>([
    ["none", {}, 1200, null],
    ["its own price", own(1000), 1200, "own_price"],
    ["its own price of 3 units", { ...own(1000), amount: 3000, quantity: 3 }, 1200, "own_price"],
    ["an own price that has changed since", own(900), 1200, null],
    ["an own price of another Product", own(1000, "prd_other"), 1200, null],
    ["a planned end", planned("2025-07-01"), 1200, "cancellation_scheduled"],
    ["a pause", { pause: { resumesAt: null, access: "keep" } }, 1200, "paused"],
    ["a pending change", { pendingChange: pendingUnits(2) }, 1200, "change_pending"],
    ["a change that is being paid", { changeId: "chg_1" }, 1200, "change_pending"],
    ["a total below the minimum charge", {}, 49, "amount_not_chargeable"],
    ["3 units at that price", { quantity: 3, amount: 3000 }, 49, null],
    ["a free price", {}, 0, null],
    ["a total beyond an amount", { quantity: 100_000, amount: 100_000 }, 10_000_000, "amount_not_chargeable"],
    ["an own price before a planned end", { ...own(1000), ...planned("2025-07-01") }, 1200, "own_price"],
  ])("%s", (_, others, unitAmount, reason) => {
    expect(leftOutReason(candidateOf(subscriptionWith(others)), unitAmount)).toBe(reason);
  });
});

describe("the first day of a new price (rule N4)", () => {
  const day = (subscription: Subscription, noticeDays: number, now: string, timeZone = "UTC") => {
    const round = { id: "pch_1", consent: "notice", noticeDays } as const;
    return schedulePrice(subscription, round, 1200, { now: at(now), timeZone }).effectiveAt;
  };
  test.each<[name: string, subscription: Subscription, noticeDays: number, now: string, effectiveAt: string]>([
    ["no days", subscriptionWith(), 0, "2025-06-10", "2025-07-01"],
    ["the last moment of the period", subscriptionWith(), 0, "2025-07-01", "2025-07-01"],
    ["as many days as are left", subscriptionWith(), 21, "2025-06-10", "2025-07-01"],
    ["one day more", subscriptionWith(), 22, "2025-06-10", "2025-08-01"],
    ["120 days", subscriptionWith(), 120, "2025-06-10", "2025-11-01"],
    ["days of the calendar", subscriptionWith({ interval: "day" }), 3, "2025-06-01T12:00:00Z", "2025-06-05"],
    ["the end of a trial", trialWith(), 5, "2025-06-10", "2025-06-15"],
    ["the period after a trial", trialWith(), 30, "2025-06-10", "2025-07-15"],
    ["a year", subscriptionWith({ interval: "year" }), 30, "2025-06-10", "2026-06-01"],
    ["the end of January", subscriptionWith({ currentPeriodStart: at("2025-01-31") }), 30, "2025-02-10", "2025-03-31"],
  ])("%s", (_, subscription, noticeDays, now, effectiveAt) => {
    expect(day(subscription, noticeDays, now)).toBe(at(effectiveAt));
  });

  it("counts days in the zone of the Organization", () => {
    // The clocks of New York change on 2 November 2025: 1 day has 25 hours.
    const begins = at("2025-11-01T12:00:00Z");
    const subscription = subscriptionWith({ ...startPeriods(begins, "UTC", { interval: "day", intervalCount: 1 }) });
    expect(day(subscription, 1, "2025-11-01T12:00:00Z", "UTC")).toBe(at("2025-11-02T12:00:00Z"));
    expect(day(subscription, 1, "2025-11-01T12:00:00Z", "America/New_York")).toBe(at("2025-11-03T12:00:00Z"));
  });

  it("is the first boundary of its Subscription that is not too early", () => {
    fc.assert(
      fc.property(anyInstant, anyZone, anyPeriod, fc.nat(120), fc.nat(400), (start, zone, length, days, age) => {
        const subscription = subscriptionWith({ ...startPeriods(start, zone, length) });
        const earliest = addCalendar(addDays24(start, age), zone, `P${days}D`);
        let period: ReturnType<typeof startPeriods> = subscription;
        while (period.currentPeriodEnd < earliest) period = { ...period, ...nextPeriod(period) };
        const first = firstPeriodFrom(subscription, earliest, zone);
        expect(first).toBe(period.currentPeriodEnd);
        const isFirst = first === subscription.currentPeriodEnd;
        expect(isFirst || period.currentPeriodStart < earliest).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a period at a new price (rule N5)", () => {
  it("begins at its first day or later", () => {
    const waiting = subscriptionWith({ priceChange: priced() });
    expect(withNewPrice(waiting, at("2025-06-30"))).toBe(waiting);
    for (const begin of ["2025-07-01", "2025-09-15"])
      expect(withNewPrice(waiting, at(begin))).toMatchObject({ amount: 1200, quantity: 1, priceChange: null });
  });

  it("has the quantity of then, and so has a pending change of the quantity alone", () => {
    const waiting = subscriptionWith({
      amount: 3000,
      quantity: 3,
      priceChange: priced(),
      pendingChange: pendingUnits(5),
    });
    expect(withNewPrice(waiting, at("2025-07-01"))).toMatchObject({
      amount: 3600,
      pendingChange: { quantity: 5, amount: 6000 },
    });
  });

  it("keeps a price × a whole quantity", () => {
    const anyUnits = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(anyUnits, fc.integer({ min: 0, max: 1_000_000 }), anyUnits, (quantity, unitAmount, pending) => {
        const priceChange = priced({ unitAmount });
        const waiting = subscriptionWith({ quantity, amount: 7 * quantity, priceChange });
        const moved = withNewPrice({ ...waiting, pendingChange: pendingUnits(pending) }, at("2025-07-01"));
        expect(moved.amount).toBe(unitAmount * quantity);
        expect(moved.pendingChange!.amount).toBe(unitAmount * pending);
      }),
    );
  });
});

describe("a price that needs a consent (rules N6, N7)", () => {
  test.each<[name: string, others: Partial<Subscription>, ends: boolean]>([
    ["a notice", { priceChange: priced() }, false],
    ["no consent", { priceChange: REQUIRED }, true],
    ["a consent", { priceChange: { ...REQUIRED, consentedAt: at("2025-06-20") } }, false],
    ["a later first day", { priceChange: { ...REQUIRED, effectiveAt: at("2025-08-01") } }, false],
    ["a pause", { priceChange: REQUIRED, pause: { resumesAt: null, access: "keep" } }, false],
  ])("with %s", (_, others, ends) => {
    const subscription = subscriptionWith(others);
    expect(accessEndsAt(subscription)).toBe(ends ? at("2025-07-01") : null);
    expect(renews(subscription)).toBe(!ends && subscription.pause === null);
    if (ends) expect(noticeAt(subscription)).toBeNull();
  });

  test.each<[name: string, change: ScheduledPrice, resumesAt: Instant, ends: boolean]>([
    ["no consent", REQUIRED, at("2025-09-01"), true],
    ["a consent", { ...REQUIRED, consentedAt: at("2025-06-20") }, at("2025-09-01"), false],
    ["a first day after the resume", { ...REQUIRED, effectiveAt: at("2025-09-02") }, at("2025-09-01"), false],
  ])("ends a pause at its planned resume with %s", (_, priceChange, resumesAt, ends) => {
    const paused = subscriptionWith({ status: "paused", priceChange, pause: { resumesAt, access: "keep" } });
    expect(accessEndsAt(paused)).toBe(ends ? resumesAt : null);
    expect(noticeAt(paused)).toBe(ends ? null : at("2025-08-29"));
    expect(awaitsConsent(paused)).toBe(priceChange.consentedAt === null);
  });

  test.each([
    ["the first day", REQUIRED.effectiveAt, "2025-06-15", "2025-06-24"],
    ["the resume, if that is later", REQUIRED.effectiveAt, "2025-09-01", "2025-08-25"],
  ])("reminds seven days before %s", (_, __, resumesAt, reminds) => {
    const pause = { resumesAt: at(resumesAt), access: "keep" } as const;
    const paused = subscriptionWith({ status: "paused", priceChange: REQUIRED, pause });
    if (at(reminds) < at(resumesAt)) expect(nextDue(paused)).toEqual({ at: at(reminds), kind: "price_reminder" });
    expect(passPriceReminder(paused, at(reminds))).toBe(paused);
    expect(passPriceReminder(paused, (at(reminds) + 1) as Instant).priceChange!.remindAt).toBeNull();
  });

  it("has a reminder seven days ahead, if the notice comes earlier", () => {
    const first = at("2025-07-01");
    expect(reminderBefore(first, "required", at("2025-06-10"))).toBe(at("2025-06-24"));
    expect(reminderBefore(first, "required", at("2025-06-24"))).toBeNull();
    expect(reminderBefore(first, "notice", at("2025-06-10"))).toBeNull();
  });

  test.each<[name: string, others: Partial<Subscription>, kind: string | undefined]>([
    ["no consent", {}, "price_reminder"],
    ["a consent", { priceChange: { ...REQUIRED, consentedAt: at("2025-06-20") } }, "notice"],
    ["a planned end", planned("2025-07-01"), "end"],
    ["a pause", { pause: { resumesAt: null, access: "keep" } }, "pause"],
  ])("is due next with %s", (_, others, kind) => {
    expect(nextDue(subscriptionWith({ priceChange: REQUIRED, ...others }))?.kind).toBe(kind);
  });

  test.each<[name: string, others: Partial<Subscription>, ends: boolean]>([
    ["after the period without access", {}, true],
    ["with the end of the period", { nextRetryAt: at("2025-07-01") }, false],
    ["after the period, which the grace outlasts", { graceEndsAt: at("2025-07-05") }, false],
    ["after the period, at whose end the grace ends", { graceEndsAt: at("2025-07-01") }, true],
    ["that comes before the first day", { priceChange: { ...REQUIRED, effectiveAt: at("2025-08-01") } }, false],
    ["after a consent", { priceChange: { ...REQUIRED, consentedAt: at("2025-06-20") } }, false],
    ["at a price with notice alone", { priceChange: priced() }, false],
    ["at no new price", { priceChange: null }, false],
    ["before a planned end", planned("2025-07-01"), false],
    ["that is not planned", { nextRetryAt: null }, false],
  ])("a retry %s", (_, others, ends) => {
    const unpaid = pastDueWith({ priceChange: REQUIRED, nextRetryAt: at("2025-07-10"), ...others });
    expect(endsWithRetry(unpaid)).toBe(ends);
  });

  it("gives no late reminder", () => {
    const waiting = subscriptionWith({ priceChange: REQUIRED });
    expect(passPriceReminder(waiting, at("2025-06-24"))).toBe(waiting);
    expect(passPriceReminder(waiting, at("2025-06-25")).priceChange).toEqual({ ...REQUIRED, remindAt: null });
  });
});
