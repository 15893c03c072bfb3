import type { Instant } from "../calendar.ts";
import { nextStatus, NO_CANCELLATION, NO_DUNNING, type Subscription } from "./subscription.ts";

type PeriodColumns =
  "currentPeriodStart" | "currentPeriodEnd" | "anchorAt" | "anchorTimeZone" | "anchorIndex" | "interval" | "intervalCount";
/** The columns of a first period; of a trial also when it is. */
export type FirstPeriod = Pick<Subscription, PeriodColumns> & { trialStart?: Instant | null; trialEnd?: Instant | null };

/** What is known of a Subscription when it begins; `periods`: its first, which is the trial where it has one. */
export type NewSubscription = Pick<
  Subscription,
  | "organizationId"
  | "id"
  | "customerId"
  | "productId"
  | "checkoutId"
  | "groupKey"
  | "currency"
  | "amount"
  | "paidRate"
  | "paidTax"
  | "discount"
  | "customerNamed"
  | "cardMissing"
  | "paymentMethodId"
  | "billing"
  | "metadata"
  | "startedAt"
  | "simulated"
  | "createdAt"
> & { periods: FirstPeriod };

/** A Subscription that is not written yet, in its first period (rule S). */
export function beginSubscription({ periods, ...known }: NewSubscription): Subscription {
  return {
    ...known,
    trialStart: null,
    trialEnd: null,
    ...periods,
    status: nextStatus(null, periods.trialEnd ? "trial_started" : "purchased"),
    periodNumber: 1,
    ...NO_CANCELLATION,
    ...NO_DUNNING,
    endedAt: null,
    pendingChange: null,
    changeId: null,
    accessEndsAt: null,
    noticedUntil: null,
    dueAt: null,
    version: 0,
    eventSequence: 0,
    updatedAt: known.createdAt,
  };
}
