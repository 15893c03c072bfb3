import type { Instant } from "../calendar.ts";
import { isStalled, nextStatus, NO_DUNNING, type CancellationReason, type Subscription } from "./subscription.ts";

export type CancellationWhy = { reason?: CancellationReason | null | undefined; comment?: string | null | undefined };
export type CancellationPlan =
  | { change: Partial<Subscription>; event: "subscription.cancellation_scheduled" | "subscription.updated" }
  | { unchanged: true };

/**
 * Schedules the end for the end of the paid period (rule S1), or for now if that period is over (rules D8b, S8f). A new
 * reason or comment replaces the old one.
 */
export function planCancellation(subscription: Subscription, why: CancellationWhy, now: Instant): CancellationPlan {
  const said = {
    cancellationReason: why.reason === undefined ? subscription.cancellationReason : why.reason,
    cancellationComment: why.comment === undefined ? subscription.cancellationComment : why.comment,
  };
  if (!subscription.cancelAtPeriodEnd) {
    const cancelAt = isStalled(subscription, now) ? now : subscription.currentPeriodEnd;
    const change = { cancelAtPeriodEnd: true, cancelAt, canceledAt: now, ...said };
    return { change, event: "subscription.cancellation_scheduled" };
  }
  const same =
    said.cancellationReason === subscription.cancellationReason &&
    said.cancellationComment === subscription.cancellationComment;
  return same ? { unchanged: true } : { change: said, event: "subscription.updated" };
}

/** Ends a Subscription as of `at`: its pending change and discount and its dunning are over (rules S1, S5, X4e). */
export function ended(
  subscription: Subscription,
  cause: "ended" | "dunning_exhausted",
  at: Instant,
  why: CancellationWhy = {},
): Subscription {
  return {
    ...subscription,
    ...NO_DUNNING,
    status: nextStatus(subscription.status, cause),
    endedAt: at,
    canceledAt: subscription.canceledAt ?? at,
    // A planned end that was reached stays on record; an earlier end clears the plan.
    ...(subscription.cancelAt === at ? {} : { cancelAtPeriodEnd: false, cancelAt: null }),
    cancellationReason: why.reason ?? subscription.cancellationReason,
    cancellationComment: why.comment ?? subscription.cancellationComment,
    pendingChange: null,
    pendingDiscount: null,
    pause: null,
    priceChange: null,
  };
}
