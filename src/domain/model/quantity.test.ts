import { describe, expect, it, test } from "vitest";
import { MAX_AMOUNT } from "../money.ts";
import { isOffered, nearestOffered, totalOf, unitAmountOf, unitFormsIn, unitWord } from "./quantity.ts";

const [seat, platz, siege] = [
  { one: "seat", other: "seats" },
  { one: "Platz", other: "Plätze" },
  { one: "siège", other: "sièges" },
];

describe("the noun of a unit (rule Q2)", () => {
  test.each([
    [{ en: seat, de: platz }, "de", platz],
    [{ en: seat, de: platz }, "en", seat],
    [{ en: seat, de: platz }, "fr", seat],
    [{ en: seat, de: platz }, null, seat],
    [{ de: platz, fr: siege }, "ja", platz],
    [{ fr: siege, de: platz }, null, platz],
    [{ fr: siege }, "de", siege],
  ] as const)("%j for a reader of %s is %j", (unitName, language, forms) => {
    expect(unitFormsIn(unitName, language)).toBe(forms);
    expect(unitWord(unitName, 1, language)).toBe(forms.one);
    expect(unitWord(unitName, 2, language)).toBe(forms.other);
  });

  it("is missing without a name", () => {
    expect(unitWord(null, 2, "en")).toBeNull();
  });
});

describe("a quantity", () => {
  test.each([
    [1, false],
    [2, true],
    [50, true],
    [51, false],
  ])("of %d is within 2 to 50: %s (rule Q1)", (quantity, offered) => {
    expect(isOffered({ minimum: 2, maximum: 50 }, quantity)).toBe(offered);
  });

  test.each([
    [1, 2],
    [2, 2],
    [7, 7],
    [50, 50],
    [100_000, 50],
  ])("of %d is offered as %d (rules Q9d, Q9e)", (quantity, offered) => {
    expect(nearestOffered({ minimum: 2, maximum: 50 }, quantity)).toBe(offered);
  });

  it("has a total up to the largest amount, and an exact price of a unit (rules M1, Q4)", () => {
    expect(totalOf(1200, 5)).toBe(6000);
    expect(totalOf(9_999_999, 100_000)).toBe(999_999_900_000);
    expect(totalOf(10_000_000, 100_000)).toBeNull();
    expect(totalOf(MAX_AMOUNT, 1)).toBe(MAX_AMOUNT);
    expect(totalOf(MAX_AMOUNT, 100_000)).toBeNull();
    expect(unitAmountOf({ amount: 6000, quantity: 5 })).toBe(1200);
    expect(unitAmountOf({ amount: 0, quantity: 7 })).toBe(0);
  });
});
