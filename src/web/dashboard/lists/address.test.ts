import { expect, test } from "vitest";
import { newId } from "../../../ids.ts";
import { nextOf, previousOf, queryOf, readAddress, type Address } from "./address.ts";

const LIST = { prefix: "cus" } as const;
const again = (address: Address) => readAddress(LIST, new URLSearchParams(queryOf(address)));

test("a filter without a value is no filter", () => {
  const { filters, cursor, earlier } = readAddress(LIST, new URLSearchParams("email=&status=%20&code=A"));
  expect([filters, cursor, earlier]).toEqual([{ code: "A" }, null, []]);
});

test("pages lead forward and back to the first one, with their filters", () => {
  const cursors = Array.from({ length: 5 }, () => newId("cus"));
  const first: Address = { filters: { email: "ada+1@example.com" }, cursor: null, earlier: [] };
  const pages = cursors.reduce((all, cursor) => [...all, again(nextOf(all.at(-1)!, cursor))], [first]);
  expect(queryOf(first)).toBe("?email=ada%2B1%40example.com");
  expect(pages.map(({ cursor }) => cursor)).toEqual([null, ...cursors]);
  for (const [n, page] of pages.entries()) expect(previousOf(page)).toEqual(pages[n - 1] ?? null);
});

test("after many pages the way back ends at the first page", () => {
  let page: Address = { filters: {}, cursor: null, earlier: [] };
  for (let n = 0; n < 60; n++) page = again(nextOf(page, newId("cus")));
  expect(queryOf(page).length).toBeLessThan(800);
  let steps = 0;
  for (let back: Address | null = page; back !== null; back = previousOf(back)) steps += 1;
  expect(steps).toBe(22);
});

test("made-up earlier pages are left out", () => {
  expect(readAddress(LIST, new URLSearchParams("cursor=x&earlier=a.b..<script>")).earlier).toEqual([]);
});
