import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import type { Bill } from "../invoice/bills.ts";
import { isStalled, NO_CANCELLATION, type Subscription } from "../model/subscription.ts";
import { planCancellation, type CancellationWhy } from "../model/cancellation.ts";
import { requireNoChange } from "../collection/change-refusal.ts";
import { claimWithItsCard } from "../collection/claim.ts";
import { runDueAtRest } from "../collection/due.ts";
import { endNow, endSubscription } from "../collection/end.ts";
import { Refusal } from "../refusal.ts";

function requireCancelable(billing: Pick<CustomerBilling, "changes">, subscription: Subscription): void {
  if (subscription.status === "canceled") throw new Refusal("subscription_canceled");
  requireNoChange(billing, subscription);
}

/** Schedules the cancellation at the end of the period, or undoes it (rule S1). @throws Refusal 409 */
export function changeCancellation(
  billing: CustomerBilling,
  subscription: Subscription,
  cancelAtPeriodEnd: boolean,
  why: CancellationWhy,
): Subscription {
  requireCancelable(billing, subscription);
  const claimed = claimWithItsCard(billing, subscription);
  return cancelAtPeriodEnd ? scheduleCancellation(billing, claimed, why) : undoCancellation(billing, claimed);
}

/** @throws Refusal 409 if a pause is scheduled (rule S8c) */
function scheduleCancellation(
  billing: CustomerBilling,
  subscription: Subscription,
  why: CancellationWhy,
): Subscription {
  if (subscription.pause !== null && subscription.status !== "paused")
    throw new Refusal("subscription_pause_scheduled");
  const plan = planCancellation(subscription, why, billing.now);
  if ("unchanged" in plan) return subscription;
  const next = recordSubscription(billing, { ...subscription, ...plan.change }, plan.event, billing.now);
  if (isStalled(next, billing.now)) endSubscription(billing, next, "ended", billing.now);
  // The access is suspended, and the period ends at this instant: the planned end is due.
  else runDueAtRest(billing);
  return billing.subscriptions.get(next.id)!;
}

function undoCancellation(billing: CustomerBilling, subscription: Subscription): Subscription {
  if (!subscription.cancelAtPeriodEnd) return subscription;
  return recordSubscription(
    billing,
    { ...subscription, ...NO_CANCELLATION },
    "subscription.cancellation_undone",
    billing.now,
  );
}

/** Ends a Subscription at once: its grants are revoked, but no payment is refunded (rule S). @throws Refusal 409 */
export function cancelNow(billing: CustomerBilling, subscription: Subscription, why: CancellationWhy): Bill | null {
  requireCancelable(billing, subscription);
  return endNow(billing, claimWithItsCard(billing, subscription), why);
}
