import type { Price } from "./objects.ts";

/** Stripe counts periods from the anchor, by the calendar of UTC. Instants are in seconds. */

export type Period = { start: number; end: number };
export type Recurring = Pick<NonNullable<Price["recurring"]>, "interval" | "interval_count">;

const DAY = 86_400;
const DAYS = { day: 1, week: 7, month: 31, year: 366 };
const MONTHLY: Recurring = { interval: "month", interval_count: 1 };

/** `n` intervals after the anchor. A month that is too short has the boundary on its last day. */
export function boundary(anchor: number, { interval, interval_count }: Recurring, n: number): number {
  const count = n * interval_count;
  if (interval === "day" || interval === "week") return anchor + count * DAYS[interval] * DAY;
  const from = new Date(anchor * 1000);
  const months = from.getUTCMonth() + count * (interval === "year" ? 12 : 1);
  const first = Date.UTC(from.getUTCFullYear(), months, 1) / 1000;
  const days = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const sinceMidnight = ((anchor % DAY) + DAY) % DAY;
  return first + (Math.min(from.getUTCDate(), days) - 1) * DAY + sinceMidnight;
}

/** The first boundary after an instant. */
export function nextBoundary(anchor: number, recurring: Recurring | null, after: number): number {
  const rule = recurring ?? MONTHLY;
  const longest = DAYS[rule.interval] * rule.interval_count * DAY;
  for (let n = Math.max(0, Math.floor((after - anchor) / longest)); ; n += 1) {
    const at = boundary(anchor, rule, n);
    if (at > after) return at;
  }
}

/** The period that ends at an instant, and an anchor whose boundaries these two are. */
export function periodBefore(end: number, recurring: Recurring | null): Period & { anchor: number } {
  const rule = recurring ?? MONTHLY;
  for (let n = 1; n <= 48; n += 1) {
    const anchor = boundary(end, rule, -n);
    if (boundary(anchor, rule, n) === end) return { anchor, start: boundary(anchor, rule, n - 1), end };
  }
  throw new Error(`No anchor has a boundary at ${end}`);
}
