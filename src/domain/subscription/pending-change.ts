import type { Account } from "../account/account.ts";
import type { Subscription } from "./subscription.ts";
import { groupHolder } from "./group.ts";
import { findProduct } from "../catalogue/find-product.ts";

/**
 * Whether the pending change of a Subscription, if there is one, is possible at the end of the period: its Product is
 * not archived, and its group is not taken by another Subscription, Checkout or change (rules C4, P6). An impossible
 * change is dropped.
 */
export function isChangePossible(account: Account, { pendingChange, groupKey }: Subscription): boolean {
  if (!pendingChange) return true;
  const target = findProduct(account, pendingChange.productId);
  if (!target || target.archived) return false;
  const movesTo = pendingChange.groupKey === groupKey ? null : pendingChange.groupKey;
  return movesTo === null || groupHolder(account, movesTo) === null;
}
