import { type CustomerBilling, findSubscription } from "../billing/customer-billing.ts";
import { runDue } from "../collection/due.ts";
import { nextDue, type Subscription } from "../model/subscription.ts";
import { claim } from "../collection/claim.ts";
import { requireNotHeld } from "../collection/hold.ts";
import { Refusal } from "../refusal.ts";

/**
 * The Subscription of a request that changes it, after all due work of its Customer is done (rule T3). `checkVersion`
 * checks the Subscription against the caller's version.
 * @throws Refusal 404, 409 `catch_up_pending`, `subscription_held`, and the errors of `checkVersion`
 */
export function subscriptionAtHand(
  billing: CustomerBilling,
  id: string,
  checkVersion?: (subscription: Subscription) => void,
): Subscription {
  const subscription = heldOrAtHand(billing, id, checkVersion);
  requireNotHeld(subscription);
  return subscription;
}

/** As `subscriptionAtHand`, and also a Subscription that is held for an import. */
export function heldOrAtHand(
  billing: CustomerBilling,
  id: string,
  checkVersion?: (subscription: Subscription) => void,
): Subscription {
  findSubscription(billing, id);
  runDue(billing);
  const subscription = billing.subscriptions.get(id);
  if (!subscription) throw new Refusal("not_found");
  checkVersion?.(subscription);
  const due = nextDue(subscription);
  // All due work except held work is done at this point, so this work is held (rule T4).
  if (due && due.at <= billing.now) throw new Refusal("catch_up_pending");
  return subscription;
}

/** As `subscriptionAtHand`, for a request that claims the Subscription (rule C12b). */
export const claimedAtHand = (billing: CustomerBilling, id: string): Subscription =>
  claim(billing, subscriptionAtHand(billing, id));
