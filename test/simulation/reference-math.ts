import type { Every } from "./history.ts";

// The reference calculator's own arithmetic: nothing here is shared with the code it is held against.

/** `amount` × `part` ÷ `whole`, rounded once, a half away from zero. */
export function share(amount: number, part: number, whole: number): number {
  const [top, bottom] = [BigInt(amount) * BigInt(part), BigInt(whole)];
  const doubled = 2n * (top < 0n ? -top : top) + bottom;
  const rounded = Number(doubled / (2n * bottom));
  return top < 0n ? 0 - rounded : rounded;
}

/** Wall-clock time of `from`, so many units on, back in the zone: clamped to the month's last day, moved forward over a gap. */
export function addWall(from: number, zone: string, interval: Every["interval"], n: number): number {
  const local = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDateTime();
  const moved = local.add({ [`${interval}s`]: n }, { overflow: "constrain" });
  return moved.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}

/** Where a period's boundaries are counted from, and which one ends the period in progress. */
export type Count = { anchor: number; zone: string; n: number };

/** The period that begins at `from`: a day that the zone left out altogether ends none. */
export function periodFrom(from: number, count: Count, every: Every): { from: number; to: number; count: Count } {
  for (let { n } = count; ; n++) {
    const to = addWall(count.anchor, count.zone, every.interval, n * every.count);
    if (to > from) return { from, to, count: { ...count, n } };
  }
}

export const sameEvery = (one: Every, other: Every): boolean => one.interval === other.interval && one.count === other.count;

/** What is due of a total, and what the balance settles of it: a little is left to the balance as a debt (rules M4, M5). */
export function settleWith(balance: number, total: number, minimum: number): { applied: number; due: number } {
  if (total <= 0) return { applied: total, due: 0 };
  const due = Math.max(total - balance, 0);
  return due < minimum ? { applied: total, due: 0 } : { applied: total - due, due };
}
