import { describe, expect, test } from "vitest";
import { instant, parseInstant } from "../calendar.ts";
import { newDiscount } from "../model/discount.ts";
import type { ForeignDiscount, ForeignSubscription, UpcomingInvoice } from "./foreign.ts";
import { discountTerms, heldDiscount, runningDiscount } from "./imported-terms.ts";

const at = (day: string) => parseInstant(`${day}T12:00:00Z`)!;
const START = at("2026-03-01");

const discount: ForeignDiscount = {
  ref: "SPRING",
  terms: { basisPoints: 2500 },
  duration: "repeating",
  months: 6,
  startedAt: at("2026-01-15"),
  endsAt: at("2026-07-15"),
};
const once: ForeignDiscount = { ...discount, duration: "once", months: null, endsAt: null };
const preview = (taken: number): UpcomingInvoice => ({
  currency: "usd",
  subtotal: 2000,
  discount: taken,
  tax: 0,
  total: 2000 - taken,
});

describe("the discount that goes on", () => {
  const running = (upcoming: UpcomingInvoice | null, ...discounts: ForeignDiscount[]) =>
    runningDiscount({ discounts, periodStart: START } as unknown as ForeignSubscription, upcoming);

  test("is the one that has not ended with an earlier period", () => {
    expect(running(null)).toBeNull();
    expect(running(null, { ...discount, endsAt: START }, discount)).toBe(discount);
    expect(running(null, { ...discount, endsAt: START })).toBeNull();
    const ending = { ...discount, endsAt: instant(START + 1) };
    expect(running(null, ending)).toBe(ending);
  });

  test("is one of a single invoice only if the next invoice has it", () => {
    expect(running(preview(500), once)).toBe(once);
    expect(running(preview(0), once)).toBeNull();
    expect(running(null, once)).toBeNull();
  });
});

test("a coupon has the terms of a Discount for all Products", () => {
  const none = { basisPoints: null, amount: null, currency: null, months: null, productIds: null };
  expect(discountTerms(discount)).toEqual({
    ...none,
    type: "percentage",
    basisPoints: 2500,
    duration: "repeating",
    months: 6,
  });
  const off = { ...once, terms: { amount: 500, currency: "usd" } };
  expect(discountTerms(off)).toEqual({ ...none, type: "fixed", amount: 500, currency: "usd", duration: "once" });
  expect(() => discountTerms({ ...discount, terms: null })).toThrow(TypeError);
});

test("a held discount keeps begin and end of there, and one of a single invoice has not begun", () => {
  const limits = { code: "SPRING", maxRedemptions: null, startsAt: null, endsAt: null };
  const row = newDiscount("org_1", { ...discountTerms(discount), ...limits }, START);
  expect(heldDiscount(row, discount)).toMatchObject({
    id: row.id,
    startedAt: discount.startedAt,
    endsAt: discount.endsAt,
    months: 6,
  });
  expect(heldDiscount(row, once)).toMatchObject({ startedAt: null, endsAt: null });
});
