import type { Context } from "../context.ts";
import type { Instant } from "../domain/calendar.ts";
import type { NewCustomer } from "../domain/customer.ts";
import type { Organization } from "../domain/organization.ts";
import { defaultCurrency, priceIn, type Price, type Product } from "../domain/product.ts";
import { invalid } from "../errors.ts";
import { findByExternalId } from "../store/customers.ts";
import type { Tx } from "../store/db.ts";
import { findProductByKey, products } from "../store/products.ts";
import { workOnResolved } from "./create-customer.ts";
import { workOn, type Work } from "./work.ts";

type ProductName = { productId: string | null; productKey: string | null };
type CustomerName = { customerId: string | null; externalCustomerId: string | null; customer: NewCustomer | null };

/** The Product that a body names by id or key, if there is one. */
export function findProduct(tx: Tx, organizationId: string, { productId, productKey }: ProductName): Promise<Product | null> {
  return productId === null ? findProductByKey(tx, organizationId, productKey!) : products.find(tx, organizationId, productId);
}

/** What is sold, and its list price in one currency. */
export type Sale = { product: Product; price: Price };

/** The Product that is sold, and its price; 422 at the pointer that names nothing usable. */
export function requireSale(product: Product | null, organization: Organization, params: ProductName & { currency: string | null }): Sale {
  const pointer = params.productId === null ? "/productKey" : "/productId";
  if (!product) throw invalid(pointer, "unknown_product", "No such Product exists.");
  if (product.archived) throw invalid(pointer, "product_archived", "The Product is archived.");
  const currency = params.currency ?? defaultCurrency(product, organization.defaultCurrency);
  if (currency === null) throw invalid("/currency", "currency_required", "The Product has several prices: say which `currency`.");
  const amount = priceIn(product, currency);
  if (amount === null) throw invalid("/currency", "currency_missing", `The Product has no price in ${currency}.`);
  return { product, price: { currency, amount } };
}

/** On the Customer that the body names or describes; null when the buyer is to say who they are. */
export async function workOnNamed(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  { customerId, externalCustomerId, customer }: CustomerName,
  now: Instant,
): Promise<Work | null> {
  if (customer !== null) return workOnResolved(ctx, tx, organizationId, customer, now);
  if (customerId !== null) {
    const work = await workOn(ctx, tx, organizationId, customerId);
    if (!work) throw invalid("/customerId", "unknown_customer", "No such Customer exists.");
    return work;
  }
  if (externalCustomerId === null) return null;
  const found = await findByExternalId(tx, organizationId, externalCustomerId);
  const work = found && (await workOn(ctx, tx, organizationId, found.id));
  if (!work) throw invalid("/externalCustomerId", "unknown_customer", "No Customer has this externalId; send `customer` to create one.");
  return work;
}
