import { liveSubscriptions, type Account } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { cardOf } from "../payment/card.ts";
import type { Subscription } from "../model/subscription.ts";
import { AppError } from "../../errors.ts";
import { requireNoChange } from "../collection/change-refused.ts";
import { endSubscription } from "../collection/end.ts";

/**
 * Ends an unclaimed Subscription that the Customer does not recognize, at once and without a charge (rules C13a, C13d).
 * The buyer's card is no default card of the Customer any more. Returns false for a claimed Subscription, which stays.
 * @throws AppError 409 `subscription_canceled`, `change_in_progress`
 */
export function disownSubscription(account: Account, subscription: Subscription): boolean {
  if (subscription.status === "canceled") throw new AppError("subscription_canceled");
  if (subscription.claimed) return false;
  requireNoChange(account, subscription);
  endSubscription(account, subscription, "unrecognized", account.now, { reason: "unrecognized" });
  const { paymentMethodId: own } = subscription;
  if (own !== null && own === account.customer.defaultPaymentMethodId) dropDefaultCard(account);
  return true;
}

/** Leaves the Customer without a default card (rule C13b). */
function dropDefaultCard(account: Account): void {
  // The Customer's version stays: only the engine uses this column.
  account.customer = { ...account.customer, defaultPaymentMethodId: null };
  for (const live of liveSubscriptions(account)) {
    if (live.status === "trialing" && !live.cardMissing && cardOf(account, live) === null)
      recordSubscription(account, { ...live, cardMissing: true }, null, account.now);
  }
}
