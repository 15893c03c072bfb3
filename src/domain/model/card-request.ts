import { addDays24, later, type Instant } from "../calendar.ts";
import type { Subscription } from "./subscription.ts";

/** The reminder of a missing card, in days before the first charge. A request is no later, unless the charge is nearer. */
export const CARD_REMINDER_DAYS = 3;

const reminderAt = ({ currentPeriodEnd }: Pick<Subscription, "currentPeriodEnd">) =>
  addDays24(currentPeriodEnd, -CARD_REMINDER_DAYS);

/**
 * The instant at which the Customer of an imported Subscription is asked for a card. `days`: that many days before the
 * end of the period, at least `CARD_REMINDER_DAYS`; null: at once. At once also if that instant has passed (rule V21).
 */
export function firstCardRequest(
  subscription: Pick<Subscription, "currentPeriodEnd">,
  days: number | null,
  now: Instant,
): Instant {
  return days === null ? now : later(addDays24(subscription.currentPeriodEnd, -days), now);
}

/** The instant of the reminder after a request at `at`; null: the request came at that instant or later (rule V21a). */
export function cardReminder(subscription: Pick<Subscription, "currentPeriodEnd">, at: Instant): Instant | null {
  const remindAt = reminderAt(subscription);
  return remindAt > at ? remindAt : null;
}

/**
 * The instant of the next request if the next charge has no amount due, because a balance or a discount pays it: the
 * begin of the period after it (rule V21c). Null: the Subscription costs 0, or that period has begun.
 */
export function requestAfterFree(
  { amount, currentPeriodEnd }: Pick<Subscription, "amount" | "currentPeriodEnd">,
  at: Instant,
): Instant | null {
  return amount > 0 && currentPeriodEnd > at ? currentPeriodEnd : null;
}
