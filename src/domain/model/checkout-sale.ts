import type { Organization } from "./organization.ts";
import { defaultCurrency, priceIn, type Price, type Product } from "./product.ts";
import { Refusal } from "../refusal.ts";

/** The Product that a request body names, by id or key. */
export type NamedProduct = { productId: string | null; productKey: string | null };

/** A Product for sale, and its list price in one currency. */
export type Sale = { product: Product; price: Price };

/** The Product for sale and its price. @throws Refusal 422 at the faulty field */
export function requireSale(
  product: Product | null,
  organization: Organization,
  named: NamedProduct & { currency: string | null },
): Sale {
  const pointer = named.productId === null ? "/productKey" : "/productId";
  if (!product) throw new Refusal("unknown_product", { field: pointer });
  if (product.archived) throw new Refusal("product_archived", { field: pointer });
  const currency = named.currency ?? defaultCurrency(product, organization.defaultCurrency);
  if (currency === null) throw new Refusal("currency_required", { field: "/currency" });
  const amount = priceIn(product, currency);
  if (amount === null) throw new Refusal("currency_missing", { field: "/currency", currency });
  return { product, price: { currency, amount } };
}
