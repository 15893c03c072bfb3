import type { Account } from "../account/account.ts";
import type { Subscription } from "./subscription.ts";

/**
 * The Customer's Subscription with this id, ended or not; null: there is no such Subscription. Subscriptions that
 * have not ended are always loaded.
 */
export function findSubscription(account: Account, id: string): Subscription | null {
  const subscription = account.subscriptions.get(id);
  if (!subscription) account.need({ part: "subscription", id });
  return subscription;
}
