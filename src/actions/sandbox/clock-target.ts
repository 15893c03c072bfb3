import { addCalendar, LAST_CLOCK, later, type Instant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { Refusal } from "../../domain/refusal.ts";
import { earliestDueCheckout } from "../../store/checkouts.ts";
import type { Tx } from "../../store/driver/db.ts";
import { earliestDueCard } from "../../store/payment-methods.ts";
import { earliestDue } from "../../store/subscriptions.ts";

/**
 * The target of an advance: an instant, an ISO 8601 duration from the clock's present instant, or the next due instant.
 */
export type ClockTarget = { to: Instant } | { by: string } | { toNextDue: true };

const outOfRange = (field: "/to" | "/by" | "/now") => new Refusal("clock_out_of_range", { field, latest: LAST_CLOCK });

/** @throws Refusal 422 for an instant after the last one that a clock shows */
export function requireClock(at: Instant, field: "/to" | "/by" | "/now"): Instant {
  if (at > LAST_CLOCK) throw outOfRange(field);
  return at;
}

/** The instant to which an advance goes. @throws Refusal 422 for an instant beyond the calendar */
export async function resolveTarget(
  tx: Tx,
  organization: Organization,
  now: Instant,
  wanted: ClockTarget,
): Promise<Instant> {
  if ("to" in wanted) return requireClock(wanted.to, "/to");
  if ("by" in wanted) {
    try {
      return requireClock(addCalendar(now, organization.timeZone, wanted.by), "/by");
    } catch (error) {
      if (error instanceof RangeError) throw outOfRange("/by");
      throw error;
    }
  }
  const earliest = [earliestDue, earliestDueCard, earliestDueCheckout].map((find) => find(tx, organization.id));
  const due = (await Promise.all(earliest)).filter((at) => at !== null);
  return due.length === 0 ? now : later(now, Math.min(...due) as Instant);
}
