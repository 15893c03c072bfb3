import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { CURRENCIES, exponentOf } from "../../domain/currency.ts";
import { amountsOf, balanceFromStripe, balanceToStripe, fromStripe, toStripe } from "./money.ts";

const TAKEN = [...CURRENCIES.keys()].filter((code) => amountsOf(code) !== null);

/** The decimals of Stripe's unit, by Stripe's list of currencies. */
const ZERO = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THREE = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);
const decimalsAtStripe = (code: string) => (ZERO.has(code) ? 0 : THREE.has(code) ? 3 : 2);

/** An amount that can be charged. */
const charged = fc.constantFrom(...TAKEN).chain((currency) => {
  const { least, most, step } = amountsOf(currency)!;
  return fc.integer({ min: least / step, max: most / step }).map((steps) => ({ currency, amount: steps * step }));
});

describe("an amount", () => {
  it("is the same sum of money at Stripe", () => {
    fc.assert(
      fc.property(charged, ({ currency, amount }) => {
        // Compared as whole numbers of the finer unit, so no fraction is rounded.
        const [ours, theirs] = [10 ** (4 - exponentOf(currency)), 10 ** (4 - decimalsAtStripe(currency))];
        expect(BigInt(toStripe(amount, currency)) * BigInt(theirs)).toBe(BigInt(amount) * BigInt(ours));
      }),
    );
  });

  it("comes back as it went", () => {
    fc.assert(
      fc.property(charged, ({ currency, amount }) => {
        expect(fromStripe(toStripe(amount, currency), currency)).toBe(amount);
        expect(Number.isSafeInteger(toStripe(amount, currency))).toBe(true);
      }),
    );
  });

  test.each([
    ["usd", 1050, 1050],
    ["jpy", 1050, 1050],
    ["isk", 1050, 105_000],
    ["ugx", 1050, 105_000],
    ["mga", 105_000, 1050],
    ["kwd", 1050, 1050],
    ["huf", 105_000, 105_000],
    ["twd", 105_000, 105_000],
  ])("of %s: %i is %i at Stripe", (currency, ours, theirs) => {
    expect(toStripe(ours, currency)).toBe(theirs);
    expect(fromStripe(theirs, currency)).toBe(ours);
  });

  test.each([
    ["mga", 150],
    ["kwd", 1051],
  ])("that Stripe's %s can't express is refused", (currency, amount) => {
    expect(() => toStripe(amount, currency)).toThrow(RangeError);
  });
});

describe("the limits", () => {
  test.each([
    ["usd", { least: 50, most: 999_999_999_999, step: 1 }],
    ["jpy", { least: 50, most: 999_999_999_999, step: 1 }],
    ["idr", { least: 50, most: 999_999_999_999, step: 1 }],
    ["isk", { least: 50, most: 9_999_999_999, step: 1 }],
    ["mga", { least: 100, most: 999_999_999_900, step: 100 }],
    ["kwd", { least: 500, most: 999_999_999_990, step: 10 }],
    ["irr", null],
    ["iqd", null],
    ["xyz", null],
  ])("of %s", (currency, limits) => {
    expect(amountsOf(currency)).toEqual(limits);
  });

  it("are multiples of the step", () => {
    for (const currency of TAKEN) {
      const { least, most, step } = amountsOf(currency)!;
      expect([currency, least % step, most % step, least <= most]).toEqual([currency, 0, 0, true]);
      expect(String(toStripe(most, currency)).length).toBeLessThanOrEqual(12);
    }
  });
});

describe("a balance", () => {
  test.each([
    ["usd", -1050, -1050, -1050],
    ["kwd", 1051, 1051, 1051],
    ["isk", -1250, -12, -1200],
    ["isk", 1250, 12, 1200],
    ["mga", -105, -10_500, -105],
  ])("of %s is moved in whole units: of %i at Stripe, %i moves", (currency, theirs, ours, moved) => {
    expect(balanceFromStripe(theirs, currency)).toBe(ours);
    expect(balanceToStripe(ours, currency)).toBe(moved);
  });
});
