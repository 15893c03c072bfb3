import type { ProductRows } from "../billing/customer-billing.ts";
import { findNamed, findProduct } from "../catalogue/find-product.ts";
import { requireAmount, namedLimitsOf, requireOffered, requireTotal } from "../model/checkout-sale.ts";
import type { ChangeTarget } from "../model/plan-change.ts";
import { periodOf, priceIn, type Product } from "../model/product.ts";
import type { ProrationBehavior } from "../model/proration.ts";
import { unitAmountOf } from "../model/quantity.ts";
import type { Subscription } from "../model/subscription.ts";
import { Refusal } from "../refusal.ts";

/**
 * The Product that a caller asks for, by id or key, the quantity, and the options of the change. Without a Product, the
 * request is for the current one. `quantity` absent: the present quantity (rule Q6). `price` absent: a request for the
 * current Product keeps the price as sold (rule P6). `catalogue`: the request asks for the Product's present price
 * (rule P7).
 */
export type AskedProduct = {
  productId?: string | undefined;
  productKey?: string | undefined;
  quantity?: number | undefined;
  price?: "catalogue" | undefined;
  prorationBehavior?: ProrationBehavior | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
};

/** The total price of a Checkout, which replaces the catalogue's present price (rule C3a). */
export type AgreedPrice = Pick<ChangeTarget, "amount" | "interval" | "intervalCount">;

/** Whether a request asks for another Product or another quantity. */
export const asksForChange = ({ productId, productKey, quantity }: AskedProduct): boolean =>
  productId !== undefined || productKey !== undefined || quantity !== undefined;

/** The Product of a request; without a name, the current one. */
const findAsked = (billing: ProductRows, subscription: Subscription, { productId, productKey }: AskedProduct) =>
  productId === undefined && productKey === undefined
    ? findProduct(billing, subscription.productId)
    : findNamed(billing, { productId, productKey });

/**
 * The Product and the quantity of a request body, as a target for this Subscription. `agreed` null: at the catalogue's
 * present price. The current Product keeps the price of a unit as sold, unless `price` says otherwise (rules Q6a, Q6b).
 * @throws Refusal 422 at the faulty field
 */
export function findTarget(
  billing: ProductRows,
  subscription: Subscription,
  asked: AskedProduct,
  agreed: AgreedPrice | null,
): ChangeTarget {
  const { productId, price, quantity = subscription.quantity } = asked;
  const pointer = productId === undefined ? "/productKey" : "/productId";
  const product = findAsked(billing, subscription, asked);
  if (!product) throw new Refusal("unknown_product", { field: pointer });
  const { id, name: productName, groupKey, unitName } = product;
  const isCurrent = id === subscription.productId;
  const isAsOffered = agreed !== null || (isCurrent && quantity === subscription.quantity);
  if (isCurrent && price === undefined) {
    if (!isAsOffered) requireOffered(namedLimitsOf(product), quantity);
    return asSold(subscription, product, quantity, agreed);
  }
  if (product.archived) throw new Refusal("product_archived", { field: pointer });
  const period = periodOf(product);
  if (!period) throw new Refusal("product_not_recurring", { field: pointer });
  const { currency } = subscription;
  const sold = { productId: id, productName, groupKey, quantity, unitName };
  if (agreed) return { ...sold, ...agreed };
  const unitAmount = priceIn(product, currency);
  if (unitAmount === null) throw new Refusal("currency_missing", { field: pointer, currency });
  if (!isAsOffered) requireOffered(namedLimitsOf(product), quantity);
  // The limits may have changed, so the present quantity may be smaller than any that is offered.
  const amount = requireAmount(requireTotal(unitAmount, quantity, currency), currency, "/quantity");
  return { ...sold, amount, ...period };
}

/**
 * The current Product at the price of a unit as sold: the catalogue may have archived the Product, or have no such
 * price any more. `agreed`: the total that a page showed for this quantity (rules Q6a, P6).
 */
function asSold(
  subscription: Subscription,
  { name: productName, unitName }: Product,
  quantity: number,
  agreed: AgreedPrice | null,
): ChangeTarget {
  const { productId, groupKey, currency, interval, intervalCount, priceChange } = subscription;
  const sold = { productId, productName, groupKey, quantity, unitName, interval, intervalCount };
  if (quantity === subscription.quantity) return { ...sold, amount: subscription.amount };
  if (priceChange !== null) requireTotal(priceChange.unitAmount, quantity, currency);
  const amount = agreed?.amount ?? requireTotal(unitAmountOf(subscription), quantity, currency);
  return { ...sold, amount: requireAmount(amount, currency, "/quantity") };
}
