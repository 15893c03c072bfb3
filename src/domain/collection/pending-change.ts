import type { Account } from "../billing/customer-billing.ts";
import type { Subscription } from "../model/subscription.ts";
import { groupHolder } from "./group.ts";
import { findProduct } from "../catalogue/find-product.ts";

const isForSale = (account: Account, productId: string): boolean => findProduct(account, productId)?.archived === false;

/** Whether the Subscription is to change to a Product that is archived (rule P6). */
export const isTargetArchived = (account: Account, { pendingChange }: Subscription): boolean =>
  pendingChange !== null && !isForSale(account, pendingChange.productId);

/**
 * Whether the pending change of a Subscription, if there is one, is possible at the end of the period: its Product is
 * not archived, and its group is not taken by another Subscription, Checkout or change (rules C4, P6). An impossible
 * change is dropped.
 */
export function isChangePossible(account: Account, { pendingChange, groupKey }: Subscription): boolean {
  if (!pendingChange) return true;
  if (!isForSale(account, pendingChange.productId)) return false;
  const movesTo = pendingChange.groupKey === groupKey ? null : pendingChange.groupKey;
  return movesTo === null || groupHolder(account, movesTo) === null;
}
