import { expect, test } from "vitest";
import { keepMade } from "./keep-made.ts";

test("a value is made once for the same texts, and anew once too many others were made", () => {
  const made: string[][] = [];
  const make = keepMade(2, (...texts) => {
    made.push(texts);
    return texts.length;
  });
  expect([make("a", "b"), make("a", "b"), make("ab")]).toEqual([2, 2, 1]);
  expect(made).toEqual([["a", "b"], ["ab"]]);
  expect([make("c"), make("a", "b")]).toEqual([1, 2]);
  expect(made).toEqual([["a", "b"], ["ab"], ["c"], ["a", "b"]]);
});
