import { type CustomerBilling, findSubscription } from "../billing/customer-billing.ts";
import { syncSubscription } from "../benefit/sync-grants.ts";
import { dropChange } from "../collection/renew.ts";
import { isTargetArchived } from "../collection/pending-change.ts";

/**
 * Applies an edit of a Product to a Subscription that has the Product (rule B1), or is to change to the Product: if the
 * Product is archived, a change from another Product is dropped (rule P6).
 */
export function followProduct(billing: CustomerBilling, id: string, productId: string): void {
  const subscription = findSubscription(billing, id);
  if (!subscription || subscription.status === "canceled") return;
  if (subscription.pendingChange?.productId === productId && isTargetArchived(billing, subscription))
    dropChange(billing, subscription, billing.now);
  if (subscription.productId === productId) syncSubscription(billing, id);
}
