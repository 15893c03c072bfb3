import type { CustomerBilling } from "../billing/customer-billing.ts";
import { claimWithItsCard } from "../collection/claim.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { lacksConsent } from "../model/scheduled-price.ts";
import type { Subscription } from "../model/subscription.ts";

/** Records the consent of the Customer to the new price that waits, if the price lacks it (rule N6). */
export function consent(billing: CustomerBilling, subscription: Subscription): Subscription {
  const { organizationId, id: subscriptionId, priceChange } = subscription;
  if (priceChange === null || !lacksConsent(priceChange)) return subscription;
  const { now } = billing;
  const { priceChangeId } = priceChange;
  const step = { status: "scheduled", reason: null, consentedAt: now, settledAt: null } as const;
  billing.repriced.settled.push({ organizationId, priceChangeId, subscriptionId, ...step });
  const agreed = { ...subscription, priceChange: { ...priceChange, consentedAt: now, remindAt: null } };
  return recordSubscription(billing, agreed, "subscription.updated", now);
}

/**
 * The consent of a Customer to the new price of a round, in the portal (rule N6). Returns false if this price does not
 * wait any more: it has begun, was withdrawn or replaced, or the Subscription has ended.
 */
export function consentToPrice(billing: CustomerBilling, subscription: Subscription, priceChangeId: string): boolean {
  if (subscription.priceChange?.priceChangeId !== priceChangeId) return false;
  consent(billing, claimWithItsCard(billing, subscription));
  return true;
}
