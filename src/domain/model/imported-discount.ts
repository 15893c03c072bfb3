import { boundary, type Instant } from "../calendar.ts";
import type { HeldDiscount } from "./discount.ts";
import type { FirstPeriod } from "./new-subscription.ts";

/** The first end of a period that is at or after `at`, from the end of the period in progress on. */
function endAfter(
  { currentPeriodEnd, anchorAt, anchorTimeZone, anchorIndex, ...period }: FirstPeriod,
  at: Instant,
): Instant {
  let end = currentPeriodEnd;
  for (let index = anchorIndex; end < at;) end = boundary(anchorAt, anchorTimeZone, period, (index += 1));
  return end;
}

/**
 * The rest of a discount of another system. There a discount takes its amount off each period that begins before its
 * end, from the whole period. So the end here is that of the last such period (rules X1c, V3). Null: the discount has
 * ended with the period in progress, or before.
 */
export function restOfDiscount(held: HeldDiscount | null, period: FirstPeriod): HeldDiscount | null {
  if (held === null || held.startedAt === null || held.endsAt === null) return held;
  if (held.endsAt <= period.currentPeriodStart) return null;
  const { startedAt: at } = held;
  // No month is left to count, so another begin of the periods moves the end by the time between (rule X1d).
  return { ...held, endsAt: endAfter(period, held.endsAt), counted: { at, months: 0 } };
}
