import type { ProductRows } from "../billing/customer-billing.ts";
import { findNamed } from "../catalogue/find-product.ts";
import type { ChangeTarget } from "../model/plan-change.ts";
import { periodOf, priceIn } from "../model/product.ts";
import type { ProrationBehavior } from "../model/proration.ts";
import type { Subscription } from "../model/subscription.ts";
import { Refusal } from "../refusal.ts";

/**
 * The Product that a caller asks for, by id or key, and the options of the change. `price` absent: a request for the
 * current Product keeps the price as sold (rule P6). `catalogue`: the request asks for the Product's present price
 * (rule P7).
 */
export type AskedProduct = {
  productId?: string | undefined;
  productKey?: string | undefined;
  price?: "catalogue" | undefined;
  prorationBehavior?: ProrationBehavior | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
};

/** The price of a Checkout, which replaces the catalogue's present price (rule C3a). */
export type AgreedPrice = Pick<ChangeTarget, "amount" | "interval" | "intervalCount">;

/**
 * The Product of a request body, as a target for this Subscription. `agreed` null: at the catalogue's present price.
 * @throws Refusal 422 at the faulty field
 */
export function findTarget(
  billing: ProductRows,
  subscription: Subscription,
  { productId, productKey, price }: AskedProduct,
  agreed: AgreedPrice | null,
): ChangeTarget {
  const pointer = productId === undefined ? "/productKey" : "/productId";
  const product = findNamed(billing, { productId, productKey });
  if (!product) throw new Refusal("unknown_product", { field: pointer });
  const { id, name: productName, groupKey } = product;
  if (id === subscription.productId && price === undefined) return asSold(subscription, productName);
  if (product.archived) throw new Refusal("product_archived", { field: pointer });
  const period = periodOf(product);
  if (!period) throw new Refusal("product_not_recurring", { field: pointer });
  const { currency } = subscription;
  const amount = agreed?.amount ?? priceIn(product, currency);
  if (amount === null) throw new Refusal("currency_missing", { field: pointer, currency });
  return { productId: id, productName, groupKey, amount, ...period, ...agreed };
}

/** The current Product as sold: the catalogue may have archived the Product, or have no such price any more. */
function asSold(subscription: Subscription, productName: string): ChangeTarget {
  const { productId, groupKey, amount, interval, intervalCount } = subscription;
  return { productId, productName, groupKey, amount, interval, intervalCount };
}
