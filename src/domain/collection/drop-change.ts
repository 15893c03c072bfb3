import type { Account } from "../billing/customer-billing.ts";
import { recordSubscription } from "./record-subscription.ts";
import { queueEmail } from "../billing/record-event.ts";
import type { Instant } from "../calendar.ts";
import type { Subscription } from "../model/subscription.ts";

/** Drops the pending change, which is no longer possible, and tells the buyer (rules C4, P6). */
export function dropChange(account: Account, subscription: Subscription, at: Instant): Subscription {
  const dropped = subscription.pendingChange!;
  const kept = recordSubscription(account, { ...subscription, pendingChange: null }, "subscription.updated", at);
  queueEmail(account, { type: "subscription.updated", subscription: kept, dropped }, at);
  return kept;
}
