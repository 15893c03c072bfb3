import { isHeldForImport, type Subscription } from "../model/subscription.ts";
import { Refusal } from "../refusal.ts";

/** @throws Refusal 409 `subscription_held` for a live Subscription that another system bills (rule V2) */
export function requireNotHeld(subscription: Subscription): void {
  if (subscription.status !== "canceled" && isHeldForImport(subscription)) throw new Refusal("subscription_held");
}
