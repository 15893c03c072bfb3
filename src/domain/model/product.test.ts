import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { minimumCharge } from "../currency.ts";
import { pricesBelowMinimum } from "./product.ts";

describe("the prices of which the smallest total can't be charged (rule M5a)", () => {
  test.each<[amount: number, minimum: number, refused: boolean]>([
    [0, 1, false],
    [0, 1000, false],
    [49, 1, true],
    [50, 1, false],
    [1, 49, true],
    [1, 50, false],
    [5, 9, true],
    [5, 10, false],
    [24, 2, true],
    [25, 2, false],
    [1, 100_000, false],
  ])("%d cents in at least %d units: %j", (amount, minimum, refused) => {
    const found = pricesBelowMinimum([{ currency: "usd", amount }], { minimum });
    expect(found).toEqual(refused ? [{ index: 0, currency: "usd", least: 50 }] : []);
  });

  it("are named by their places", () => {
    const prices = [
      { currency: "usd", amount: 10 },
      { currency: "jpy", amount: 4 },
      { currency: "eur", amount: 9 },
    ];
    expect(pricesBelowMinimum(prices, { minimum: 5 }).map(({ index }) => index)).toEqual([1, 2]);
  });

  it("leave no offered quantity with a total above 0 and below the minimum charge", () => {
    const quantity = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(
        fc.constantFrom("usd", "jpy", "kwd"),
        fc.nat(20_000),
        quantity,
        fc.nat(500),
        (currency, amount, minimum, more) => {
          fc.pre(pricesBelowMinimum([{ currency, amount }], { minimum }).length === 0);
          const total = amount * (minimum + more);
          expect(total === 0 || total >= minimumCharge(currency)).toBe(true);
        },
      ),
    );
  });
});
