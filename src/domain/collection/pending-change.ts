import type { CustomerBilling, ProductRows } from "../billing/customer-billing.ts";
import type { Subscription } from "../model/subscription.ts";
import { groupHolder } from "./group.ts";
import { findProduct } from "../catalogue/find-product.ts";

const isForSale = (billing: ProductRows, productId: string): boolean =>
  findProduct(billing, productId)?.archived === false;

/** Whether the Subscription is to change to a Product that is archived (rule P6). */
export const isTargetArchived = (billing: ProductRows, { pendingChange }: Subscription): boolean =>
  pendingChange !== null && !isForSale(billing, pendingChange.productId);

/**
 * Whether the pending change of a Subscription, if there is one, is possible at the end of the period: its Product is
 * not archived, and its group is not taken by another Subscription, Checkout or change (rules C4, P6). An impossible
 * change is dropped.
 */
export function isChangePossible(billing: CustomerBilling, { pendingChange, groupKey }: Subscription): boolean {
  if (!pendingChange) return true;
  if (!isForSale(billing, pendingChange.productId)) return false;
  const movesTo = pendingChange.groupKey === groupKey ? null : pendingChange.groupKey;
  return movesTo === null || groupHolder(billing, movesTo) === null;
}
