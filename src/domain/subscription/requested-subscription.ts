import { type Account, findSubscription } from "../billing/customer-billing.ts";
import { runDue } from "../collection/due.ts";
import { nextDue, type Subscription } from "../model/subscription.ts";
import { AppError } from "../../errors.ts";
import { claim } from "../collection/claim.ts";

/**
 * The Subscription of a request, after all due work of its Customer is done (rule T3). `checkVersion` checks the
 * Subscription against the caller's version.
 * @throws AppError 404, 409 `catch_up_pending`, and the errors of `checkVersion`
 */
export function subscriptionAtHand(
  account: Account,
  id: string,
  checkVersion?: (subscription: Subscription) => void,
): Subscription {
  findSubscription(account, id);
  runDue(account);
  const subscription = account.subscriptions.get(id);
  if (!subscription) throw new AppError("not_found");
  checkVersion?.(subscription);
  const due = nextDue(subscription);
  // All due work except held work is done at this point, so this work is held (rule T4).
  if (due && due.at <= account.now) throw new AppError("catch_up_pending");
  return subscription;
}

/** As `subscriptionAtHand`, for a request that claims the Subscription (rule C12b). */
export const claimedAtHand = (account: Account, id: string): Subscription =>
  claim(account, subscriptionAtHand(account, id));
