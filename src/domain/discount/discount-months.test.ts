import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { change, other } from "../../../test/support/change.ts";
import { anyTerms, held } from "../../../test/support/discount.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { addCalendar, addDays24, boundary, instant } from "../calendar.ts";
import {
  agreeOnDiscount,
  beginAgreedDiscount,
  beginDiscount,
  discountOn,
  partInWords,
  recountDiscount,
  takenOff,
  type HeldDiscount,
} from "../model/discount.ts";

const REPEATING = { duration: "repeating", months: 1 } as const;
const sale = (price: number) => ({ productId: "prd_current", price });
const span = (start: string, end: string) => ({ start: at(start), end: at(end) });
const JUNE = span("2025-06-01", "2025-07-01");
const YEAR = span("2025-06-01", "2026-06-01");

describe("a discount for months covers months (rule X1)", () => {
  const months = (count: number, more: Partial<HeldDiscount> = {}) =>
    beginDiscount(held({ duration: "repeating", months: count, ...more }), at("2025-06-01"), "UTC");
  test.each([
    // case                                              period                                price   amount off
    ["the whole month, which it covers", months(2), JUNE, 1000, 250],
    ["2 of 12 months: 61 of 365 days", months(2), YEAR, 36_500, 1525],
    ["all of 61 of 365 days", months(2, { basisPoints: 10_000 }), YEAR, 36_500, 6100],
    ["rounded once: 33.33 % of 61 of 365 days", months(2, { basisPoints: 3333 }), YEAR, 10_000, 557],
    ["a half, rounded up", months(1, { basisPoints: 5000 }), span("2025-06-16", "2025-07-16"), 2, 1],
    ["a fixed amount in proportion", fixedMonths(2, 3650), YEAR, 36_500, 610],
    ["of a fixed amount above the price: of the price", fixedMonths(2, 99_999), YEAR, 36_500, 6100],
    [
      "the rest of its months in a period that a change begins",
      months(2),
      span("2025-07-16", "2026-07-16"),
      36_500,
      400,
    ],
    ["up to its last instant", months(1), span("2025-06-01", "2025-07-01T00:00:00.001Z"), 1_000_000_000, 250_000_000],
    ["zero from its end on", months(2), span("2025-08-01", "2025-09-01"), 1000, 0],
    ["all of the year for 12 months", months(12), YEAR, 1000, 250],
    ["the first period whole, where it is for that one", months(2, { duration: "once" }), YEAR, 1000, 250],
    ["all of it for ever", months(2, { duration: "forever" }), YEAR, 1000, 250],
  ])("%s", (_, discount, period, price, expected) => {
    expect(discountOn(discount, sale(price), period)).toBe(expected);
  });
  function fixedMonths(count: number, amount: number) {
    return months(count, { type: "fixed", basisPoints: null, amount, currency: "usd" });
  }

  const anyDays = fc.integer({ min: 1, max: 3650 });
  const day = (n: number) => instant(at("2025-06-01") + n * 86_400_000);
  it("the discounts on two adjacent spans add up to the discount on both, but for rounding", () => {
    fc.assert(
      fc.property(
        anyTerms(REPEATING),
        fc.nat(1_000_000_000),
        anyDays,
        anyDays,
        anyDays,
        (terms, price, a, b, covered) => {
          const [start, middle, end] = [day(0), day(a), day(a + b)];
          const until = day(Math.min(covered, a + b));
          const whole = takenOff(terms, price, { start, until, end });
          const first = takenOff(terms, price, { start, until: instant(Math.min(until, middle)), end });
          const second =
            until > middle ? takenOff(terms, price, { start, until: instant(start + (until - middle)), end }) : 0;
          expect(Math.abs(first + second - whole)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
  it("lies between zero and the full discount, and a later end never lowers it", () => {
    fc.assert(
      fc.property(
        anyTerms(REPEATING),
        fc.nat(1_000_000_000),
        anyDays,
        anyDays,
        anyDays,
        (terms, price, length, one, two) => {
          const period = { start: day(0), end: day(length) };
          const offUntil = (n: number) =>
            discountOn({ ...terms, startedAt: day(0), endsAt: day(n) }, sale(price), period);
          const [less, more] = [offUntil(Math.min(one, two)), offUntil(Math.max(one, two))];
          expect(less).toBeGreaterThanOrEqual(0);
          expect(more).toBeGreaterThanOrEqual(less);
          expect(offUntil(length)).toBeGreaterThanOrEqual(more);
          expect(offUntil(length)).toBe(takenOff(terms, price, null));
        },
      ),
    );
  });

  it("stays as agreed for the first period of a Checkout, however long the months are at its payment", () => {
    const zone = "UTC";
    const year = (start: string) => ({
      start: at(start),
      end: boundary(at(start), zone, { interval: "year", intervalCount: 1 }, 1),
    });
    const agreed = agreeOnDiscount(held({ duration: "repeating", months: 2 }), year("2025-01-31"), zone);
    expect(discountOn(agreed, sale(36_500), null)).toBe(1475); // 59 of 365 days
    const begun = beginAgreedDiscount(agreed, year("2025-02-01"), zone);
    expect(begun).toMatchObject({ startedAt: at("2025-02-01"), endsAt: at("2025-04-01") });
    expect(discountOn(begun, sale(36_500), year("2025-02-01"))).toBe(1475);
    // A change begins a new period, of which the discount covers 45 of 365 days.
    expect(discountOn(begun, sale(36_500), year("2025-02-15"))).toBe(1125);
    expect(discountOn(beginDiscount(agreed, at("2025-01-31"), zone), sale(36_500), year("2025-01-31"))).toBe(1475);
  });

  it("a Checkout from before that agreed to all of the first period", () => {
    const discount = held({ duration: "repeating", months: 2 });
    expect(discountOn(discount, sale(36_500), null)).toBe(9125);
    expect(beginAgreedDiscount(discount, YEAR, "UTC")?.first).toBeNull();
  });

  test.each([
    ["2025-06-01", "2025-09-01", "2026-06-01", "UTC", "for 3 of 12 months"],
    ["2025-01-31", "2025-02-28", "2025-04-30", "UTC", "for 1 of 3 months"],
    ["2025-06-11", "2025-08-01", "2026-06-11", "UTC", "until 1 August 2025"],
    ["2025-06-01", "2025-07-01", "2025-07-31", "UTC", "until 1 July 2025"],
    ["2025-03-01T12:00:00Z", "2025-04-01T11:00:00Z", "2026-03-01T12:00:00Z", "UTC", "until 1 April 2025"],
    ["2025-03-01T12:00:00Z", "2025-04-01T11:00:00Z", "2026-03-01T12:00:00Z", "Europe/Berlin", "for 1 of 12 months"],
  ])("%s to %s of %s in %s is said to be %s", (start, until, end, zone, said) => {
    expect(partInWords({ ...span(start, end), until: at(until) }, zone)).toBe(said);
  });
});

describe("a change while a discount for months ends within the year (rules X1, X2)", () => {
  it("adds up to zero with the change back at the same instant", () => {
    const discount = beginDiscount(
      held({ basisPoints: 10_000, duration: "repeating", months: 2 }),
      at("2025-06-01"),
      "UTC",
    );
    const year = { interval: "year", amount: 36_500, paidRate: 30_400, discount } as const;
    const there = change(subscriptionWith(year), other(73_000, "year"), "invoice_now", at("2025-09-09"));
    expect(there.after.paidRate).toBe(60_800);
    expect(there.amounts).toEqual([-22_071, 44_142]);
    const target = { ...other(36_500, "year"), productId: "prd_current" };
    expect(change(there.after, target, "invoice_now", at("2025-09-09")).amounts).toEqual([-44_142, 22_071]);
  });

  it("bills a year less the months that are left of the discount", () => {
    const discount = beginDiscount(
      held({ basisPoints: 10_000, duration: "repeating", months: 2 }),
      at("2025-06-01"),
      "UTC",
    );
    const free = subscriptionWith({ paidRate: 0, discount });
    const { lines, after } = change(free, other(36_500, "year"), "invoice_now", at("2025-07-01"));
    expect(lines).toMatchObject([
      { amount: 36_500, discountAmount: 3100, basis: { discount: { part: { until: at("2025-08-01") } } } },
    ]);
    expect(after.paidRate).toBe(33_400);
  });
});

describe("months that are counted anew (rules X1d, D8e)", () => {
  const UTC: [string, string] = ["UTC", "UTC"];
  const half = (start: string, months: number) =>
    beginDiscount(held({ duration: "repeating", months, basisPoints: 5000 }), at(start), "UTC");
  test.each([
    ["after a suspension, from a short month", "2025-01-31", 3, "2025-02-28", "2025-03-10", "2025-05-10"],
    ["after a suspension, into a short month", "2025-06-01", 3, "2025-08-01", "2025-08-31", "2025-09-30"],
    ["at the end of a period, by another interval", "2025-01-31", 3, "2025-02-28", "2025-02-28", "2025-04-28"],
    ["after a part of a month, by the time between", "2025-06-01", 2, "2025-06-15", "2025-06-25", "2025-08-11"],
    ["with no month left", "2025-06-01", 1, "2025-07-01", "2025-07-20", "2025-07-20"],
  ])("%s", (_, start, months, from, to, end) => {
    const counted = recountDiscount(half(start, months), { from: at(from), to: at(to), zones: UTC })!;
    expect(counted.endsAt).toBe(at(end));
  });

  it("discount exactly as many whole monthly periods, whatever the suspensions are", () => {
    const breaks = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 364 }), fc.integer({ min: 1, max: 6 }), breaks, (day, months, days) => {
        let anchor = addDays24(at("2025-01-01"), day);
        let [start, n] = [anchor, 0];
        let discount = beginDiscount(held({ duration: "repeating", months, basisPoints: 5000 }), start, "UTC");
        const off = days.map((gap) => {
          n += 1;
          const end = addCalendar(anchor, "UTC", `P${n}M`);
          const taken = discountOn(discount, sale(3000), { start, end });
          start = addDays24(end, gap);
          if (gap > 0) {
            discount = recountDiscount(discount, { from: end, to: start, zones: UTC });
            [anchor, n] = [start, 0];
          }
          return taken;
        });
        expect(off).toEqual(days.map((__, place) => (place < months ? 1500 : 0)));
      }),
    );
  });
});
