import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at, renew, subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import { change, other } from "../../../test/support/change.ts";
import { anyTerms, fixed, held } from "../../../test/support/discount.ts";
import {
  beginDiscount,
  codeKey,
  discountOn,
  isFreeForEver,
  refusalOf,
  type Discount,
  type HeldDiscount,
} from "./discount.ts";

const sale = (price: number, productId = "prd_current") => ({ productId, price });
const JUNE = { start: at("2025-06-01"), end: at("2025-07-01") };

describe("the discount on a price (rule X1)", () => {
  test.each([
    ["a quarter", held(), 1000, 250],
    ["a quarter, rounded half up", held(), 2, 1],
    ["all of it", held({ basisPoints: 10_000 }), 999, 999],
    ["a fixed amount", fixed(300), 1000, 300],
    ["a fixed amount, never more than the price", fixed(300), 200, 200],
    ["zero on a free Product", held(), 0, 0],
    ["zero on a Product that isn't covered", held({ productIds: ["prd_other"] }), 1000, 0],
    ["zero without a discount", null, 1000, 0],
  ])("%s", (_, discount, price, expected) => {
    expect(discountOn(discount, sale(price), JUNE)).toBe(expected);
    expect(discountOn(discount, sale(price), null)).toBe(expected);
  });

  it("is never below zero nor above the price", () => {
    fc.assert(
      fc.property(anyTerms({}), fc.nat(1_000_000_000), (discount, price) => {
        const off = discountOn(discount, sale(price), JUNE);
        expect(off).toBeGreaterThanOrEqual(0);
        expect(off).toBeLessThanOrEqual(price);
      }),
    );
  });
});

describe("for how long", () => {
  const periods = (discount: HeldDiscount, count: number) => {
    let current = subscriptionWith({ discount: beginDiscount(discount, at("2025-06-01"), "UTC"), paidRate: 750 });
    return Array.from({ length: count }, () => {
      const { subscription, line } = renew(current, "Present", "UTC");
      current = subscription;
      expect(subscription.paidRate).toBe(line.amount - line.discountAmount);
      return line.discountAmount;
    });
  };
  it("once: the first period for which an invoice is made", () =>
    expect(periods(held({ duration: "once" }), 2)).toEqual([0, 0]));
  it("repeating: n months from that one on", () => {
    expect(periods(held({ duration: "repeating", months: 3 }), 4)).toEqual([250, 250, 0, 0]);
  });
  it("forever", () => expect(periods(held(), 3)).toEqual([250, 250, 250]));

  it("a trial makes no invoice: it begins when the trial ends", () => {
    const { subscription, line } = renew(trialWith({ discount: held({ duration: "once" }) }), "Present", "UTC");
    expect(line).toMatchObject({ amount: 1000, discountAmount: 250, taxAmount: 0 });
    expect(subscription.discount).toMatchObject({ startedAt: at("2025-06-15") });
    expect(renew(subscription, "Present", "UTC").line.discountAmount).toBe(0);
  });

  it("months are those of the Organization's calendar", () => {
    const begun = beginDiscount(
      held({ duration: "repeating", months: 1 }),
      at("2025-01-31T12:00:00Z"),
      "Europe/Berlin",
    );
    expect(begun).toMatchObject({ startedAt: at("2025-01-31T12:00:00Z"), endsAt: at("2025-02-28T12:00:00Z") });
    expect(beginDiscount(begun, at("2025-06-01"), "UTC")).toBe(begun);
    expect(beginDiscount(null, at("2025-06-01"), "UTC")).toBeNull();
    const once = beginDiscount(held({ duration: "once" }), at("2025-06-01"), "UTC");
    expect(discountOn(once, sale(1000), JUNE)).toBe(250);
    // A change that restarts the period at that very instant begins another period.
    expect(discountOn(beginDiscount(once, at("2025-06-01"), "UTC"), sale(1000), JUNE)).toBe(0);
  });
});

describe("a change of Product (rules P, X2)", () => {
  const discounted = (more: Partial<HeldDiscount> = {}) => {
    return subscriptionWith({
      amount: 1000,
      paidRate: 750,
      discount: beginDiscount(held(more), at("2025-06-01"), "UTC"),
    });
  };

  it("credits the paid price and bills the discounted new price; the lines are not discounted again", () => {
    const { amounts, lines, after } = change(discounted(), other(2000), "invoice_now", at("2025-06-16"));
    expect(amounts).toEqual([-375, 750]);
    expect(lines.map((line) => line.discountAmount)).toEqual([0, 0]);
    expect(after.paidRate).toBe(1500);
  });

  it("bills the full price of a Product that isn't covered; the discount comes back with a covered one", () => {
    const there = change(discounted({ productIds: ["prd_current"] }), other(2000), "invoice_now", at("2025-06-16"));
    expect(there.amounts).toEqual([-375, 1000]);
    expect(renew(there.after, "Other", "UTC").line.discountAmount).toBe(0);
    const back = { ...there.after, productId: "prd_current", amount: 1000 };
    expect(renew(back, "Present", "UTC").line.discountAmount).toBe(250);
  });

  it("counts a restarted period as one of its own", () => {
    const once = change(discounted({ duration: "once" }), other(9000, "year"), "invoice_now", at("2025-06-16"));
    expect(once.lines.map(({ amount, discountAmount }) => [amount, discountAmount])).toEqual([
      [-375, 0],
      [9000, 0],
    ]);
    const forever = change(discounted(), other(9000, "year"), "invoice_now", at("2025-06-16"));
    expect(forever.lines.at(-1)).toMatchObject({ amount: 9000, discountAmount: 2250 });
    expect(forever.after.paidRate).toBe(6750);
  });
});

describe("the use of a code", () => {
  const discount = (more: Partial<Discount> = {}): Discount => ({
    ...held(),
    organizationId: "org_1",
    codeKey: "LAUNCH",
    maxRedemptions: null,
    redemptions: 0,
    startsAt: null,
    endsAt: null,
    deletedAt: null,
    version: 1,
    createdAt: at("2025-01-01"),
    updatedAt: at("2025-01-01"),
    ...more,
  });
  const now = at("2025-06-01");
  const table: [who: string, more: Partial<Discount>, refusal: ReturnType<typeof refusalOf>][] = [
    ["anybody", {}, null],
    ["from its start on", { startsAt: now }, null],
    ["not before", { startsAt: at("2025-06-02") }, "discount_not_active"],
    ["not from its end on", { endsAt: now }, "discount_not_active"],
    ["while a use is left", { maxRedemptions: 2, redemptions: 1 }, null],
    ["not when no use is left", { maxRedemptions: 2, redemptions: 2 }, "discount_exhausted"],
    ["for another Product", { productIds: ["prd_2"] }, "discount_not_for_product"],
    [
      "in another currency",
      { type: "fixed", basisPoints: null, amount: 5, currency: "eur" },
      "discount_other_currency",
    ],
  ];
  test.each(table)("%s", (_, more, refusal) => {
    expect(refusalOf(discount(more), { productId: "prd_1", currency: "usd" }, now)).toBe(refusal);
  });

  it("compares codes without case", () => expect(codeKey("launch25")).toBe(codeKey("Launch25")));

  it("is free for ever only with all of it taken off for ever", () => {
    expect(isFreeForEver(sale(0), null)).toBe(true);
    expect(isFreeForEver(sale(100), held({ basisPoints: 10_000 }))).toBe(true);
    expect(isFreeForEver(sale(100), held({ basisPoints: 10_000, duration: "once" }))).toBe(false);
    expect(isFreeForEver(sale(100_000), held({ basisPoints: 9999 }))).toBe(false);
    expect(isFreeForEver(sale(100), fixed(100))).toBe(true);
    expect(isFreeForEver(sale(100), held({ basisPoints: 10_000, productIds: ["prd_other"] }))).toBe(false);
  });
});
