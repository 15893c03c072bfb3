import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { CURRENCIES, minimumCharge } from "../currency.ts";
import { MAX_AMOUNT } from "../money.ts";
import { chargedPart, limitsWith, roundedDown } from "./charge-limits.ts";

describe("the amounts that a provider charges (rule M5)", () => {
  test.each([
    ["usd", 1, 50],
    ["kwd", 10, 500],
    ["mga", 1, 50],
    ["mga", 100, 100],
  ])("the least charge of %s with a step of %i", (currency, step, least) => {
    expect(limitsWith(currency, step)).toEqual({ least, step });
  });

  test.each([
    [0, 0],
    [499, 0],
    [500, 500],
    [509, 500],
    [510, 510],
    [1292, 1290],
  ])("of %i with a step of 10, %i is charged", (amount, charged) => {
    expect(chargedPart(amount, limitsWith("kwd", 10))).toBe(charged);
  });

  it("are multiples of the step, and leave less than the least charge", () => {
    const step = fc.constantFrom(1, 2, 10, 100);
    const amount = fc.oneof(fc.nat(3000), fc.nat(MAX_AMOUNT));
    fc.assert(
      fc.property(fc.constantFrom(...CURRENCIES.keys()), step, amount, (currency, unit, due) => {
        const limits = limitsWith(currency, unit);
        expect(limits.least % unit).toBe(0);
        expect(limits.least - minimumCharge(currency)).toBeLessThan(unit);
        expect(limits.least).toBeGreaterThanOrEqual(minimumCharge(currency));
        const charged = chargedPart(due, limits);
        expect([charged % unit, charged <= due]).toEqual([0, true]);
        expect(due - charged).toBeLessThan(charged === 0 ? limits.least : unit);
        expect(charged === 0 || charged === roundedDown(due, unit)).toBe(true);
      }),
    );
  });
});
