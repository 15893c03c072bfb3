import type { Account } from "../account/account.ts";
import type { Subscription } from "./subscription.ts";

/** The Customer's Subscription of this id, ended or not; null: the Customer has none. Those that have not ended are loaded always. */
export function findSubscription(account: Account, id: string): Subscription | null {
  const subscription = account.subscriptions.get(id);
  if (!subscription) account.need({ part: "subscription", id });
  return subscription;
}
