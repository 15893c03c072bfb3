import { addDays24, type Instant } from "../calendar.ts";
import type { Purpose } from "./payment.ts";
import { nextStatus, type Subscription } from "./subscription.ts";

export type Dunning = { retryDays: readonly number[]; graceDays: number };
export type FailurePlan =
  | { change: Partial<Subscription>; event: "subscription.past_due" | null }
  | { exhausted: true };

/**
 * Plans dunning after a charge of a Subscription's invoice failed at `now`. The first failure fixes the schedule, in
 * days of 24 h (rules D3a, D4a). Only scheduled retries use the schedule up. After the last retry the Subscription is
 * to be canceled.
 */
export function planFailure(subscription: Subscription, purpose: Purpose, dunning: Dunning, now: Instant): FailurePlan {
  if (subscription.status === "active") {
    const change = {
      status: nextStatus("active", "charge_failed"),
      firstFailedAt: now,
      retryDays: [...dunning.retryDays],
      retriesDone: 0,
      nextRetryAt: addDays24(now, dunning.retryDays[0]!),
      graceEndsAt: addDays24(now, dunning.graceDays),
    };
    return { change, event: "subscription.past_due" };
  }
  if (purpose !== "retry") return { change: {}, event: null };
  const retriesDone = subscription.retriesDone + 1;
  const day = subscription.retryDays?.[retriesDone];
  if (day === undefined || subscription.firstFailedAt === null) return { exhausted: true };
  const planned = addDays24(subscription.firstFailedAt, day);
  // A late outcome must not use up the next retries in a moment. If the next retry's day has passed, the days between
  // the two retries count from now (rule D3d).
  const nextRetryAt = planned > now ? planned : addDays24(now, day - (subscription.retryDays?.[retriesDone - 1] ?? 0));
  return { change: { retriesDone, nextRetryAt }, event: null };
}
