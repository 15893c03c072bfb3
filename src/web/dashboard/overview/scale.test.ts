import fc from "fast-check";
import { expect, test } from "vitest";
import { boxesOf, roundUp, scaleOf, TONES } from "./scale.ts";

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [21, 25],
  [101, 200],
  [2500, 2500],
  [7_000_001, 10_000_000],
])("the scale for %i ends at %i", (value, end) => {
  expect(roundUp(value)).toBe(end);
});

test("a column stands on zero, and what is lost hangs below zero", () => {
  const columns = [
    [
      { value: 30, tone: "one" },
      { value: 20, tone: "two" },
      { value: -10, tone: "four" },
    ],
    [],
  ] as const;
  const scale = scaleOf(columns);
  expect(scale).toMatchObject({ highest: 50, lowest: -10 });
  expect(scale.zero).toBeCloseTo(83.333);
  const boxes = boxesOf(columns, scale).map(({ y, height, tone }) => [Math.round(y), Math.round(height), tone]);
  expect(boxes).toEqual([
    [33, 50, "one"],
    [0, 33, "two"],
    [83, 17, "four"],
  ]);
});

test("every box lies within the plot, for any figures", () => {
  const part = fc.record({
    value: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
    tone: fc.constantFrom(...TONES),
  });
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 4 }), { minLength: 1, maxLength: 40 }), (columns) => {
      for (const { x, y, width, height } of boxesOf(columns, scaleOf(columns))) {
        expect(Math.min(x, y, width, height)).toBeGreaterThanOrEqual(-1e-9);
        expect(x + width).toBeLessThanOrEqual(100 + 1e-9);
        expect(y + height).toBeLessThanOrEqual(100 + 1e-9);
      }
    }),
  );
});
