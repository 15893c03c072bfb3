import type { Account } from "../account/account.ts";
import { findNamed } from "../catalogue/find-product.ts";
import type { ChangeTarget } from "./plan-change.ts";
import { periodOf, priceIn, type Product } from "../catalogue/product.ts";
import type { ProrationBehavior } from "./proration.ts";
import type { Subscription } from "./subscription.ts";
import { invalid } from "../../errors.ts";
import { archivedProduct, oneTimeProduct, unknownProduct } from "../catalogue/refused-product.ts";

/** The Product that a caller asks for, by id or key, and the options of the change. */
export type AskedProduct = {
  productId?: string | undefined;
  productKey?: string | undefined;
  prorationBehavior?: ProrationBehavior | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
};

/** The Product of a request body, as a target for this Subscription. @throws AppError 422 at the faulty field */
export function findTarget(
  account: Account,
  subscription: Subscription,
  { productId, productKey }: AskedProduct,
): ChangeTarget {
  const pointer = productId === undefined ? "/productKey" : "/productId";
  const product = findNamed(account, { productId, productKey });
  if (!product) throw unknownProduct(pointer);
  const present = product.id === subscription.productId;
  // The present Product may be archived: a caller may name that Product, to clear a pending change.
  if (product.archived && !present) throw archivedProduct(pointer);
  return targetOf(product, subscription, pointer);
}

function targetOf(product: Product, subscription: Subscription, pointer: string): ChangeTarget {
  const period = periodOf(product);
  if (!period) throw oneTimeProduct(pointer);
  const price = product.archived ? subscription.amount : priceIn(product, subscription.currency);
  if (price === null)
    throw invalid(pointer, "currency_missing", `The Product has no price in ${subscription.currency}.`);
  return { productId: product.id, productName: product.name, groupKey: product.groupKey, amount: price, ...period };
}
