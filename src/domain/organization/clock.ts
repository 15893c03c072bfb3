import { HOUR, type Instant } from "../calendar.ts";

/**
 * Decides a request to advance a clock from `now` to `wanted` (rule T5e). `stored`: the target of the advance that is
 * under way; null: there is no such advance. A refusal is returned as its error code.
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
 * The state of an advance to `target`. `now`: the time of the clock. `stored`: the present target of the clock.
 * `isDueLeft`: work is still due at `now`, so an advance to `now` was stopped before its end (rules T5f, T5g).
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
 * The longest slice. An item and a later item that the first item causes are further apart: periods, trials, retries
 * and grace are whole days, and a day has at least 23 hours.
 */
const SLICE_MILLISECONDS = 12 * HOUR;

/** A Subscription that is due. */
export type DueRow = { customerId: string; dueAt: Instant };
/** The work of one transaction: each Customer's items at the Customer's own instant `at`. `to`: the last instant. */
export type Slice = { to: Instant; customers: { id: string; at: Instant }[] };

/**
 * Plans the next slice of an advance. `due`: the first due rows, by instant; the last instant may have more rows.
 * `until`: the latest end of the slice.
 * The slice ends before an instant at which one of its Customers is due again: the outcome of that Customer's earlier
 * charges comes first. The slice also ends before an instant at which one Customer has more than `most` due
 * Subscriptions. If this is the first instant, that Customer is alone in the slice, and several steps carry out that
 * Customer's items while the clock stays at this instant (rules T5a, T5b, T5h).
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

/** A slice with the first Customer alone. */
export function firstOf({ customers: [first] }: Slice): Slice {
  return { to: first!.at, customers: [first!] };
}
