import { expect, test } from "vitest";
import { keysLike, suggestedKey } from "./suggested-key.ts";

test.each([
  ["Pro", "pro"],
  ["  Pro plan (monthly) ", "pro-plan-monthly"],
  ["Größe Ä & É", "grosse-a-e"],
  ["api_calls", "api_calls"],
  ["明日香", ""],
  ["--", ""],
  ["x".repeat(80), "x".repeat(64)],
])("%j leads to %j", (name, key) => {
  expect(suggestedKey(name)).toBe(key);
});

test("a taken key leads to others of at most 64 characters", () => {
  expect(keysLike("pro", "year")).toEqual(["pro-year", "pro-2", "pro-3", "pro-4"]);
  expect(keysLike("x".repeat(64), null).map(({ length }) => length)).toEqual([64, 64, 64]);
});
