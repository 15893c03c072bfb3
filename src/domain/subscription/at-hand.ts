import type { Account } from "../account/account.ts";
import { runDue } from "../due.ts";
import { nextDue, type Subscription } from "./subscription.ts";
import { AppError } from "../../errors.ts";
import { findSubscription } from "./find.ts";

/**
 * A Subscription that a request is about, once all that was due on its Customer is done (rule T3). `match` holds it against the version
 * that the caller has seen. @throws AppError 404, 409 `catch_up_pending`, and whatever `match` throws
 */
export function subscriptionAtHand(account: Account, id: string, match?: (subscription: Subscription) => void): Subscription {
  findSubscription(account, id);
  runDue(account);
  const subscription = account.subscriptions.get(id);
  if (!subscription) throw new AppError("not_found");
  match?.(subscription);
  const due = nextDue(subscription);
  // All else that was due is done by now: this is held (rule T4).
  if (due && due.at <= account.now) throw new AppError("catch_up_pending");
  return subscription;
}
