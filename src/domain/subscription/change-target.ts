import type { Account } from "../account/account.ts";
import { findNamed } from "../catalogue/find-product.ts";
import type { ChangeTarget } from "./plan-change.ts";
import { periodOf, priceIn, type Product } from "../catalogue/product.ts";
import type { ProrationBehavior } from "./proration.ts";
import type { Subscription } from "./subscription.ts";
import { invalid } from "../../errors.ts";

/** The Product that a caller asks for, by id or key, and how. */
export type AskedProduct = {
  productId?: string | undefined;
  productKey?: string | undefined;
  prorationBehavior?: ProrationBehavior | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
};

/** The Product that a body names, as a target for this Subscription; 422 at the pointer when it can't be one. */
export function findTarget(account: Account, subscription: Subscription, { productId, productKey }: AskedProduct): ChangeTarget {
  const pointer = productId === undefined ? "/productKey" : "/productId";
  const product = findNamed(account, { productId, productKey });
  if (!product) throw invalid(pointer, "unknown_product", "No such Product exists.");
  const present = product.id === subscription.productId;
  // A Product that is sold already stays sold: an archived present one may be named, to clear a pending change.
  if (product.archived && !present) throw invalid(pointer, "product_archived", "The Product is archived.");
  return targetOf(product, subscription, pointer);
}

function targetOf(product: Product, subscription: Subscription, pointer: string): ChangeTarget {
  const period = periodOf(product);
  if (!period) throw invalid(pointer, "product_not_recurring", "The Product is sold once. A Subscription needs a recurring Product.");
  const price = product.archived ? subscription.amount : priceIn(product, subscription.currency);
  if (price === null) throw invalid(pointer, "currency_missing", `The Product has no price in ${subscription.currency}.`);
  return { productId: product.id, productName: product.name, groupKey: product.groupKey, amount: price, ...period };
}
