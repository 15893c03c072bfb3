import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { allocate, divideRoundHalfAwayFromZero, MAX_AMOUNT, multiplyDivide } from "./money.ts";

const amount = () => fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT });

describe("divideRoundHalfAwayFromZero", () => {
  test.each([
    [5, 2, 3],
    [-5, 2, -3],
    [5, -2, -3],
    [-5, -2, 3],
    [1, 3, 0],
    [-1, 3, 0],
    [2, 3, 1],
    [0, 7, 0],
    [0, -7, 0],
    [1n, 2, 1],
    [9_007_199_254_740_991n * 3n, 3n, 9_007_199_254_740_991],
  ])("%s / %s is %s", (numerator, denominator, expected) => {
    expect(divideRoundHalfAwayFromZero(numerator, denominator)).toBe(expected);
  });

  test.each([
    [1, 0],
    [1.5, 1],
    [Number.NaN, 1],
    [9_007_199_254_740_992n, 1],
  ])("%s / %s is refused", (numerator, denominator) => {
    expect(() => divideRoundHalfAwayFromZero(numerator, denominator)).toThrow(RangeError);
  });

  it("is never more than half away from the quotient, and a half is away from zero", () => {
    fc.assert(
      fc.property(amount(), fc.integer({ min: 1, max: MAX_AMOUNT }), (numerator, denominator) => {
        const error =
          2n * (BigInt(divideRoundHalfAwayFromZero(numerator, denominator)) * BigInt(denominator) - BigInt(numerator));
        const outward = numerator < 0 ? -error : error;
        expect(outward <= BigInt(denominator) && outward > -BigInt(denominator)).toBe(true);
      }),
    );
  });
});

describe("multiplyDivide", () => {
  it("is exact where the product is too large for a double", () => {
    expect(multiplyDivide(MAX_AMOUNT, 2_678_399_999, 2_678_400_000)).toBe(999_999_999_626);
  });

  it("rounds each line alone: 5 to 6 at half a period is -3 and +3 (rule M2)", () => {
    expect([multiplyDivide(-5, 1, 2), multiplyDivide(6, 1, 2)]).toEqual([-3, 3]);
  });

  it("gives the amount back for the whole of it, and mirrors its sign", () => {
    fc.assert(
      fc.property(amount(), fc.nat(10_000), fc.integer({ min: 1, max: 10_000 }), (value, any, whole) => {
        // A part above the whole of a large amount would not be a safe integer.
        const part = any % (whole + 1);
        expect(multiplyDivide(value, whole, whole)).toBe(value);
        expect(multiplyDivide(-value, part, whole) + multiplyDivide(value, part, whole)).toBe(0);
      }),
    );
  });
});

describe("allocate", () => {
  test.each([
    ["the largest remainder gets the unit", 100, [100, 200], [33, 67]],
    ["of equal remainders the earlier", 100, [1, 1, 1], [34, 33, 33]],
    ["a negative total mirrors", -100, [1, 1, 1], [-34, -33, -33]],
    ["a weight of 0 gets nothing", 5, [0, 3, 0], [0, 5, 0]],
    ["nothing to share", 0, [1, 2], [0, 0]],
    ["nothing to share and no weight", 0, [0, 0], [0, 0]],
    ["nothing to share and nobody", 0, [], []],
  ])("%s", (_, total, weights, expected) => {
    expect(allocate(total, weights)).toEqual(expected);
  });

  test.each([
    ["no weight to share over", 1, [0, 0]],
    ["nobody to share among", 1, []],
    ["a negative weight", 1, [2, -1]],
    ["a broken weight", 1, [0.5]],
    ["a broken total", 0.5, [1]],
  ])("refuses %s", (_, total, weights) => {
    expect(() => allocate(total, weights)).toThrow(RangeError);
  });

  it("sums exactly, each part within one unit of its share", () => {
    const weights = fc.array(fc.nat(MAX_AMOUNT), { minLength: 1 }).filter((list) => list.some((weight) => weight > 0));
    fc.assert(
      fc.property(amount(), weights, (total, list) => {
        const parts = allocate(total, list);
        const sum = list.reduce((running, weight) => running + BigInt(weight), 0n);
        expect(parts.reduce((running, part) => running + part, 0)).toBe(total);
        parts.forEach((part, index) => {
          const difference = BigInt(part) * sum - BigInt(total) * BigInt(list[index] ?? 0);
          expect(difference < sum && difference > -sum).toBe(true);
        });
      }),
    );
  });
});
