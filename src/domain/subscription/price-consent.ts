import type { CustomerBilling } from "../billing/customer-billing.ts";
import { claimWithItsCard } from "../collection/claim.ts";
import { consent } from "../collection/price-change.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * The consent of a Customer to the new price of a round, in the portal (rule N6). Returns false if this price does not
 * wait any more: it has begun, was withdrawn or replaced, or the Subscription has ended.
 */
export function consentToPrice(billing: CustomerBilling, subscription: Subscription, priceChangeId: string): boolean {
  if (subscription.priceChange?.priceChangeId !== priceChangeId) return false;
  consent(billing, claimWithItsCard(billing, subscription));
  return true;
}
