import { isId, type IdPrefix } from "../../../ids.ts";
import type { List } from "./list.ts";

/** The rows of a page. */
export const PER_PAGE = 50;
/** The rows that a CSV reads at once: the most of a page of the management API. */
export const PER_READ = 100;

/** The earlier pages that an address remembers. From a later page, "Previous page" ends at the first page. */
const MOST_EARLIER = 20;
const EARLIER = "earlier";
/** The parameters of an address that are no filters. `done`: the operation that led to the list. */
const OWN = ["cursor", EARLIER, "done"];

/**
 * The address of a page of a list. `filters`: the given filters as typed. `cursor`: null for the first page.
 * `earlier`: the cursors of the pages before this one, without the first page, oldest first.
 */
export type Address = { filters: Readonly<Record<string, string>>; cursor: string | null; earlier: readonly string[] };

/** The cursors share the prefix of their ids, so the address leaves the prefix out. */
function readEarlier(prefix: IdPrefix, text: string): string[] {
  const cursors = text.split(".").map((each) => `${prefix}_${each}`);
  return cursors.filter((each) => isId(prefix, each)).slice(-MOST_EARLIER);
}

/** Reads the query of an address. A filter without a value is no filter: a form sends each of its fields. */
export function readAddress({ prefix }: Pick<List, "prefix">, query: URLSearchParams): Address {
  const given = [...query].filter(([name, value]) => !OWN.includes(name) && value.trim() !== "");
  return {
    filters: Object.fromEntries(given),
    cursor: query.get("cursor"),
    earlier: readEarlier(prefix, query.get(EARLIER) ?? ""),
  };
}

/** The query of an address, with its question mark; empty for the first page without filters. */
export function queryOf({ filters, cursor, earlier }: Address): string {
  const query = new URLSearchParams(filters);
  if (cursor !== null) query.set("cursor", cursor);
  if (earlier.length > 0) query.set(EARLIER, earlier.map((each) => each.slice(each.indexOf("_") + 1)).join("."));
  return query.size === 0 ? "" : `?${query}`;
}

/** The page after this one. */
export function nextOf({ filters, cursor, earlier }: Address, next: string): Address {
  const passed = cursor === null ? [] : [...earlier, cursor];
  return { filters, cursor: next, earlier: passed.slice(-MOST_EARLIER) };
}

/** The page before this one; null for the first page. */
export function previousOf({ filters, cursor, earlier }: Address): Address | null {
  if (cursor === null) return null;
  return { filters, cursor: earlier.at(-1) ?? null, earlier: earlier.slice(0, -1) };
}
