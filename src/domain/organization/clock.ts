import type { Instant } from "../calendar.ts";

/**
 * The fate of a request to advance a clock from `now` to `wanted` (rule T5). `stored`: the target of the advance that is under way,
 * null where none is. A refusal is the code of its error.
 */
export function planAdvance(
  now: Instant,
  stored: Instant | null,
  wanted: Instant,
): "start" | "join" | "clock_backwards" | "clock_advancing" {
  if (wanted < now) return "clock_backwards";
  if (stored === null) return "start";
  return stored === wanted ? "join" : "clock_advancing";
}

/**
 * The fate of an advance to `target`, by where the clock stands and where it is to go now. `isDueLeft`: something is still due at
 * the instant at which the clock stands, so an advance to that very instant was stopped before its end.
 */
export function fateOf(
  target: Instant,
  now: Instant,
  stored: Instant | null,
  isDueLeft: boolean,
): "under_way" | "arrived" | "stopped" {
  if (stored === target) return "under_way";
  if (now === target && stored === null && isDueLeft) return "stopped";
  return now >= target ? "arrived" : "stopped";
}

/**
 * Shorter than each way from an item to a later one that follows from it: periods, trials, retries and grace are whole days, and a day is
 * 23 hours at the least.
 */
const SLICE_MILLISECONDS = 12 * 3_600_000;

/** A Subscription that is due. */
export type DueRow = { customerId: string; dueAt: Instant };
/** The work of one transaction: the items of each of these Customers at one instant, the Customer's own. `to`: the last of the instants. */
export type Slice = { to: Instant; customers: { id: string; at: Instant }[] };

/**
 * The next slice of an advance. `due`: the first due rows, by their instants; there may be more rows at the last of these instants.
 * `until`: the slice goes no further. It ends before an instant at which a Customer of the slice is due again, so that no Customer's items
 * come before the outcome of that Customer's earlier charges. It also ends before an instant at which more than `most` Subscriptions of one
 * Customer are due, unless that is the first instant: then that Customer is alone in the slice, and is dealt with in several steps while
 * the clock stays there.
 */
export function planSlice(due: readonly [DueRow, ...DueRow[]], until: Instant, most: number): Slice {
  const start = due[0].dueAt;
  const last = Math.max(start, Math.min(until, start + SLICE_MILLISECONDS));
  const taken = new Map<string, Instant>();
  let to = start;
  for (const [at, rows] of Map.groupBy(due, ({ dueAt }) => dueAt)) {
    if (at > last) break;
    const byCustomer = Map.groupBy(rows, ({ customerId }) => customerId);
    const busy = byCustomer.keys().find((id) => byCustomer.get(id)!.length > most);
    if (at > start && (busy !== undefined || byCustomer.keys().some((id) => taken.has(id)))) break;
    for (const id of busy === undefined ? byCustomer.keys() : [busy]) taken.set(id, at);
    to = at;
    if (busy !== undefined) break;
  }
  return { to, customers: [...taken].map(([id, at]) => ({ id, at })) };
}

/** The first Customer of a slice alone. */
export function firstOf({ customers: [first] }: Slice): Slice {
  return { to: first!.at, customers: [first!] };
}
