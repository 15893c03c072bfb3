import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { cardOf } from "../payment/card.ts";
import type { Subscription } from "../model/subscription.ts";
import { requireNoChange } from "../collection/change-refusal.ts";
import { endSubscription } from "../collection/end.ts";
import { Refusal } from "../refusal.ts";

/**
 * Ends an unclaimed Subscription that the Customer does not recognize, at once and without a charge (rules C13a, C13d).
 * The buyer's card is no default card of the Customer any more. Returns false for a claimed Subscription, which stays.
 * @throws Refusal 409 `subscription_canceled`, `change_in_progress`
 */
export function disownSubscription(billing: CustomerBilling, subscription: Subscription): boolean {
  if (subscription.status === "canceled") throw new Refusal("subscription_canceled");
  if (subscription.claimed) return false;
  requireNoChange(billing, subscription);
  endSubscription(billing, subscription, "unrecognized", billing.now, { reason: "unrecognized" });
  const { paymentMethodId: own } = subscription;
  if (own !== null && own === billing.customer.defaultPaymentMethodId) dropDefaultCard(billing);
  return true;
}

/** Leaves the Customer without a default card (rule C13b). */
function dropDefaultCard(billing: CustomerBilling): void {
  // The Customer's version stays: only the engine uses this column.
  billing.customer = { ...billing.customer, defaultPaymentMethodId: null };
  for (const live of liveSubscriptions(billing)) {
    if (live.status === "trialing" && !live.cardMissing && cardOf(billing, live) === null)
      recordSubscription(billing, { ...live, cardMissing: true }, null, billing.now);
  }
}
