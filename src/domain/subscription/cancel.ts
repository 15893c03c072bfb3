import type { Account } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import type { Bill } from "../invoice/bills.ts";
import { isStalled, NO_CANCELLATION, type Subscription } from "../model/subscription.ts";
import { AppError } from "../../errors.ts";
import { planCancellation, type CancellationWhy } from "../model/cancellation.ts";
import { requireNoChange } from "../collection/change-refused.ts";
import { claimWithItsCard } from "../collection/claim.ts";
import { endNow, endSubscription } from "../collection/end.ts";

function requireCancelable(account: Account, subscription: Subscription): void {
  if (subscription.status === "canceled") throw new AppError("subscription_canceled");
  requireNoChange(account, subscription);
}

/** Schedules the cancellation at the end of the period, or undoes it (rule S1). @throws AppError 409 */
export function changeCancellation(
  account: Account,
  subscription: Subscription,
  cancelAtPeriodEnd: boolean,
  why: CancellationWhy,
): Subscription {
  requireCancelable(account, subscription);
  const claimed = claimWithItsCard(account, subscription);
  return cancelAtPeriodEnd ? scheduleCancellation(account, claimed, why) : undoCancellation(account, claimed);
}

function scheduleCancellation(account: Account, subscription: Subscription, why: CancellationWhy): Subscription {
  const plan = planCancellation(subscription, why, account.now);
  if ("unchanged" in plan) return subscription;
  const next = recordSubscription(account, { ...subscription, ...plan.change }, plan.event, account.now);
  if (!isStalled(next, account.now)) return next;
  endSubscription(account, next, "ended", account.now);
  return account.subscriptions.get(next.id)!;
}

function undoCancellation(account: Account, subscription: Subscription): Subscription {
  if (!subscription.cancelAtPeriodEnd) return subscription;
  return recordSubscription(
    account,
    { ...subscription, ...NO_CANCELLATION },
    "subscription.cancellation_undone",
    account.now,
  );
}

/** Ends a Subscription at once: its grants are revoked, but no payment is refunded (rule S). @throws AppError 409 */
export function cancelNow(account: Account, subscription: Subscription, why: CancellationWhy): Bill | null {
  requireCancelable(account, subscription);
  return endNow(account, claimWithItsCard(account, subscription), why);
}
