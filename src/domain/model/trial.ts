import { addCalendar, type Instant } from "../calendar.ts";
import { changesAt, type Subscription } from "./subscription.ts";

/** The most days from the start of a trial to an end that a request sets: those of the longest trial of a Product. */
export const MOST_TRIAL_DAYS = 730;

export type TrialRefusal = "subscription_canceled" | "subscription_not_trialing" | "subscription_pause_scheduled";

/** `outOfRange`: the end is before `earliest`, or after `latest` (rule S9b). */
export type TrialPlan =
  | { refusal: TrialRefusal }
  | { outOfRange: { earliest: Instant; latest: Instant } }
  | { unchanged: true }
  | { change: Partial<Subscription> };

/** Lengthens a trial. All that is planned for its end moves along (rules S9a, S9b, S9c). */
export function planTrial(subscription: Subscription, end: Instant): TrialPlan {
  const { status, pause, pendingChange, cancelAtPeriodEnd, cardRequestAt, anchorTimeZone } = subscription;
  const { currentPeriodStart: start, currentPeriodEnd: earliest } = subscription;
  if (status === "canceled") return { refusal: "subscription_canceled" };
  if (status !== "trialing") return { refusal: "subscription_not_trialing" };
  if (pause !== null) return { refusal: "subscription_pause_scheduled" };
  if (end === earliest) return { unchanged: true };
  const latest = addCalendar(start, anchorTimeZone, `P${MOST_TRIAL_DAYS}D`);
  if (end < earliest || end > latest) return { outOfRange: { earliest, latest } };
  const moved = { ...subscription, currentPeriodEnd: end };
  return {
    change: {
      trialEnd: end,
      currentPeriodEnd: end,
      anchorAt: end,
      pendingChange: pendingChange && { ...pendingChange, effectiveAt: changesAt(moved) },
      cardRequestAt: cardRequestAt && ((cardRequestAt + (end - earliest)) as Instant),
      ...(cancelAtPeriodEnd && { cancelAt: end }),
    },
  };
}
