import { describe, expect, it, test } from "vitest";
import { CURRENCIES, CURRENCIES_AS_OF, exponentOf, formatMoney, isCurrency, minimumCharge } from "./currency.ts";

const spaced = (text: string) => text.replaceAll("\u00a0", " ");

describe("the table of currencies", () => {
  test.each([
    ["usd", 2],
    ["eur", 2],
    ["huf", 2],
    ["mga", 2],
    ["jpy", 0],
    ["isk", 0],
    ["ugx", 0],
    ["kwd", 3],
    ["iqd", 3],
    ["clf", 4],
  ])("%s has the exponent %s", (code, exponent) => {
    expect(exponentOf(code)).toBe(exponent);
  });

  it("is dated, in order, and of three lower-case letters", () => {
    const codes = [...CURRENCIES.keys()];
    expect(CURRENCIES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(codes).toEqual(codes.toSorted());
    expect(codes.filter((code) => !/^[a-z]{3}$/.test(code))).toEqual([]);
    expect(codes).toHaveLength(158);
  });

  test.each(["USD", "", "us", "xau", "xxx", "xts", "hrk", "bgn", "ang", "zwl", "__proto__"])(
    "%j is no currency",
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(() => exponentOf(code)).toThrow(RangeError);
      expect(() => minimumCharge(code)).toThrow(RangeError);
    },
  );
});

describe("minimumCharge", () => {
  test.each([
    ["usd", 50],
    ["gbp", 30],
    ["jpy", 50],
    ["huf", 17_500],
    ["krw", 50],
    ["zar", 50],
    ["kwd", 500],
    ["clf", 5_000],
  ])("%s: %s", (code, minimum) => {
    expect(minimumCharge(code)).toBe(minimum);
  });

  it("is a positive whole number for every currency", () => {
    for (const code of CURRENCIES.keys())
      expect(minimumCharge(code)).toSatisfy((value: number) => Number.isInteger(value) && value > 0);
  });
});

describe("formatMoney", () => {
  test.each([
    [1_000, "usd", "US$10.00"],
    [-1_000, "usd", "-US$10.00"],
    [0, "usd", "US$0.00"],
    [5, "usd", "US$0.05"],
    [1_000, "jpy", "JP¥1,000"],
    [1_500, "kwd", "KWD 1.500"],
    [150, "huf", "HUF 1.50"],
    [150, "idr", "IDR 1.50"],
    [150, "isk", "ISK 150"],
    [1_999, "eur", "€19.99"],
    [999_999_999_999, "usd", "US$9,999,999,999.99"],
    [Number.MAX_SAFE_INTEGER, "eur", "€90,071,992,547,409.91"],
  ])("%s %s: %s", (amount, currency, expected) => {
    expect(spaced(formatMoney(amount, currency))).toBe(expected);
  });

  it("shows as many decimals as the table says, for every currency", () => {
    for (const [code, exponent] of CURRENCIES) {
      expect(formatMoney(10 ** exponent, code).replace(/^\D+/, "")).toBe((1).toFixed(exponent));
    }
  });
});
