import type { Instant } from "../calendar.ts";
import { nextStatus, NO_CANCELLATION, NO_DUNNING, type Subscription } from "./subscription.ts";

type PeriodColumns =
  | "currentPeriodStart"
  | "currentPeriodEnd"
  | "anchorAt"
  | "anchorTimeZone"
  | "anchorIndex"
  | "interval"
  | "intervalCount";
/** The columns of a first period, with start and end of a trial. */
export type FirstPeriod = Pick<Subscription, PeriodColumns> & {
  trialStart?: Instant | null;
  trialEnd?: Instant | null;
};

/** The known fields of a Subscription when it begins. `periods`: its first period, or its trial. */
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
  | "quantity"
  | "ownPrice"
  | "imported"
  | "fieldAnswers"
  | "paidRate"
  | "paidTax"
  | "discount"
  | "claimed"
  | "cardMissing"
  | "paymentMethodId"
  | "billing"
  | "metadata"
  | "startedAt"
  | "simulated"
  | "createdAt"
> & { periods: FirstPeriod };

/** Drafts a Subscription in its first period (rule S). */
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
    pendingDiscount: null,
    pastDiscounts: [],
    pause: null,
    pausesBegun: [],
    priceChange: null,
    changeId: null,
    trialCovered: false,
    accessEndsAt: null,
    noticedUntil: null,
    cardRequestAt: null,
    dueAt: null,
    version: 0,
    eventSequence: 0,
    updatedAt: known.createdAt,
  };
}
