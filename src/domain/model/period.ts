import { addCalendar, boundary, type Instant, type Period } from "../calendar.ts";

/** The columns of a Subscription that describe its periods. */
type PeriodFields = Period & {
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  anchorAt: Instant;
  anchorTimeZone: string;
  anchorIndex: number;
};

/** The instant from which periods are counted, and its zone (rule T2). */
export type Anchor = Pick<PeriodFields, "anchorAt" | "anchorTimeZone">;

/**
 * The first boundary after `start`, from boundary `index` on. Boundary `index` equals `start` if the zone skipped a
 * whole calendar day.
 */
function until(
  anchorAt: Instant,
  zone: string,
  period: Period,
  index: number,
  start: Instant,
): { anchorIndex: number; currentPeriodEnd: Instant } {
  let anchorIndex = index;
  while (boundary(anchorAt, zone, period, anchorIndex) <= start) anchorIndex += 1;
  return { anchorIndex, currentPeriodEnd: boundary(anchorAt, zone, period, anchorIndex) };
}

/**
 * A first paid period, a restarted period, or a period of another interval. It begins at `start`, which is its anchor
 * (rule T2).
 */
export function startPeriods(start: Instant, zone: string, period: Period): PeriodFields {
  return {
    ...period,
    anchorAt: start,
    anchorTimeZone: zone,
    currentPeriodStart: start,
    ...until(start, zone, period, 1, start),
  };
}

/** The period after the current one, counted from the same anchor (rule T2). */
export function nextPeriod(
  subscription: PeriodFields,
): Pick<PeriodFields, "currentPeriodStart" | "currentPeriodEnd" | "anchorIndex"> {
  const { anchorAt, anchorTimeZone, anchorIndex, currentPeriodEnd } = subscription;
  const start = currentPeriodEnd;
  return { currentPeriodStart: start, ...until(anchorAt, anchorTimeZone, subscription, anchorIndex + 1, start) };
}

/**
 * The period that contains `now`, counted from an anchor in the past (rule T2): for a Subscription that began
 * elsewhere.
 * @throws RangeError for an anchor after `now`
 */
export function periodAt(anchorAt: Instant, zone: string, period: Period, now: Instant): PeriodFields {
  if (anchorAt > now) throw new RangeError("the anchor lies ahead");
  const starts = (n: number) => boundary(anchorAt, zone, period, n) <= now;
  let [before, after] = [0, 1];
  while (starts(after)) [before, after] = [after, after * 2];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (starts(middle)) before = middle;
    else after = middle;
  }
  const currentPeriodStart = boundary(anchorAt, zone, period, before);
  return {
    ...period,
    anchorAt,
    anchorTimeZone: zone,
    currentPeriodStart,
    ...until(anchorAt, zone, period, after, currentPeriodStart),
  };
}

/** A trial as a period of calendar days in the Organization's zone. Its end becomes the anchor (rules T2, S). */
export function trialPeriod(
  start: Instant,
  zone: string,
  days: number,
  period: Period,
): PeriodFields & { trialStart: Instant; trialEnd: Instant } {
  const trialEnd = addCalendar(start, zone, `P${days}D`);
  return {
    ...period,
    anchorAt: trialEnd,
    anchorTimeZone: zone,
    anchorIndex: 0,
    currentPeriodStart: start,
    currentPeriodEnd: trialEnd,
    trialStart: start,
    trialEnd,
  };
}

export function samePeriod(one: Period, other: Period): boolean {
  return one.interval === other.interval && one.intervalCount === other.intervalCount;
}
