import type { CustomerBilling, ProductRows } from "../billing/customer-billing.ts";
import type { Subscription } from "../model/subscription.ts";
import { groupHolder } from "./group.ts";
import { findProduct } from "../catalogue/find-product.ts";

const isForSale = (billing: ProductRows, productId: string): boolean =>
  findProduct(billing, productId)?.archived === false;

/**
 * Whether the Subscription is to change to another Product that is archived (rule P6). The end of a sale leaves a
 * Product with its Customers, so a change of its quantity or price still takes place.
 */
export const isTargetArchived = (billing: ProductRows, { pendingChange, productId }: Subscription): boolean =>
  pendingChange !== null && pendingChange.productId !== productId && !isForSale(billing, pendingChange.productId);

/**
 * Whether the pending change of a Subscription, if there is one, is possible at the end of the period: it leads to no
 * other Product that is archived, and its group is not taken by another Subscription, Checkout or change (rules C4,
 * P6). An impossible change is dropped.
 */
export function isChangePossible(billing: CustomerBilling, subscription: Subscription): boolean {
  const { pendingChange, groupKey } = subscription;
  if (!pendingChange) return true;
  if (isTargetArchived(billing, subscription)) return false;
  const movesTo = pendingChange.groupKey === groupKey ? null : pendingChange.groupKey;
  return movesTo === null || groupHolder(billing, movesTo) === null;
}
