import { boundary, type Instant, type Period } from "../calendar.ts";
import type { FirstPeriod } from "./new-subscription.ts";

/** The period in progress, as another system has it. `trialEnd` not null: the period is a trial, and ends then. */
export type GivenPeriod = { periodStart: Instant; periodEnd: Instant; anchorAt: Instant; trialEnd: Instant | null };

/** The boundary that is nearest to an instant. Its number is 0 or more. */
function nearest(anchorAt: Instant, zone: string, period: Period, at: Instant): number {
  const isBefore = (n: number) => boundary(anchorAt, zone, period, n) < at;
  let [before, after] = [0, 1];
  while (isBefore(after)) [before, after] = [after, after * 2];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isBefore(middle)) before = middle;
    else after = middle;
  }
  const distance = (n: number) => Math.abs(boundary(anchorAt, zone, period, n) - at);
  return distance(before) <= distance(after) ? before : after;
}

/**
 * The period in progress of an imported Subscription: its start and its end are those of the other system. The next
 * boundaries are counted from that system's anchor in the zone of the Organization (rules T2, V3).
 */
export function importedPeriod(
  { periodStart, periodEnd, anchorAt, trialEnd }: GivenPeriod,
  zone: string,
  period: Period,
): FirstPeriod & { trialStart: Instant | null; trialEnd: Instant | null } {
  const known = { ...period, anchorTimeZone: zone, currentPeriodStart: periodStart };
  if (trialEnd !== null) {
    return {
      ...known,
      currentPeriodEnd: trialEnd,
      anchorAt: trialEnd,
      anchorIndex: 0,
      trialStart: periodStart,
      trialEnd,
    };
  }
  const anchorIndex = nearest(anchorAt, zone, period, periodEnd);
  return { ...known, currentPeriodEnd: periodEnd, anchorAt, anchorIndex, trialStart: null, trialEnd: null };
}

/**
 * Whether the zone of the Organization would end the period in progress at another instant. The given end counts for
 * this period, and the zone counts from the next one on (rule V3).
 */
export function hasOtherBoundary(given: GivenPeriod, zone: string, period: Period): boolean {
  const { anchorAt, anchorIndex, currentPeriodEnd } = importedPeriod(given, zone, period);
  return boundary(anchorAt, zone, period, anchorIndex) !== currentPeriodEnd;
}
