import type { Every } from "./history.ts";

// The reference calculator's own arithmetic. It shares no code with `src/`.

/** `amount` × `part` ÷ `whole`, rounded once, a half away from zero. */
export function share(amount: number, part: number | bigint, whole: number | bigint): number {
  const [top, bottom] = [BigInt(amount) * BigInt(part), BigInt(whole)];
  const doubled = 2n * (top < 0n ? -top : top) + bottom;
  const rounded = Number(doubled / (2n * bottom));
  return top < 0n ? 0 - rounded : rounded;
}

/**
 * Shares `total` out by weight. Each part is rounded down, and the rest goes to the largest remainders, of equal ones
 * to the first.
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const whole = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  const parts = weights.map((weight, index) => {
    const product = BigInt(total) * BigInt(weight);
    return { index, part: Number(product / whole), left: product % whole };
  });
  const missing = total - parts.reduce((sum, { part }) => sum + part, 0);
  const served = parts.toSorted((one, other) =>
    one.left === other.left ? one.index - other.index : one.left > other.left ? -1 : 1,
  );
  for (const { index } of served.slice(0, missing)) parts[index]!.part += 1;
  return parts.map(({ part }) => part);
}

/**
 * The instant of `from` plus `n` units of local time, clamped to the month's last day and moved forward over a gap.
 */
export function addWall(from: number, zone: string, interval: Every["interval"], n: number): number {
  const local = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDateTime();
  const moved = local.add({ [`${interval}s`]: n }, { overflow: "constrain" });
  return moved.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}

/**
 * The anchor and zone that boundaries are counted from, and the number `n` of the boundary that ends the period in
 * progress.
 */
export type Count = { anchor: number; zone: string; n: number };
export type Span = { from: number; to: number; count: Count };

const boundary = ({ anchor, zone }: Count, every: Every, n: number) =>
  addWall(anchor, zone, every.interval, n * every.count);

/** The period that begins at `from`. A day that the zone skipped ends no period. */
export function periodFrom(from: number, count: Count, every: Every): Span {
  for (let { n } = count; ; n++) {
    const to = boundary(count, every, n);
    if (to > from) return { from, to, count: { ...count, n } };
  }
}

/** The period that contains `now`. */
export function periodAround(now: number, count: Count, every: Every): Span {
  for (let n = 1; ; n++) {
    if (boundary(count, every, n) > now) return periodFrom(boundary(count, every, n - 1), { ...count, n }, every);
  }
}

export const sameEvery = (one: Every, other: Every): boolean =>
  one.interval === other.interval && one.count === other.count;

/**
 * The due part of a total, and the part that the balance settles. A due part below the minimum moves to the balance
 * as a debt (rules M4, M5). Credit in the total that is `held` pays for no line: it goes to the balance (rule D7).
 */
export function settleWith(
  balance: number,
  total: number,
  held: number,
  minimum: number,
): { applied: number; due: number; held: number } {
  const toPay = total + held;
  if (toPay <= 0) return { applied: total, due: 0, held };
  const due = Math.max(toPay - balance, 0);
  return due < minimum ? { applied: total, due: 0, held } : { applied: total - due, due, held };
}

/** The part of a period's price that falls on one month: a year has 12 months and 365 days (rule R2). */
export function monthly(price: number, { interval, count }: Every): number {
  const [times, of] = { day: [365, 12], week: [365, 84], month: [1, 1], year: [1, 12] }[interval] as [number, number];
  return share(price, times, of * count);
}
