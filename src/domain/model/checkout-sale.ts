import type { Organization } from "./organization.ts";
import { archivedProduct, unknownProduct } from "./refused-product.ts";
import { defaultCurrency, priceIn, type Price, type Product } from "./product.ts";
import { invalid } from "../../errors.ts";

/** The Product that a request body names, by id or key. */
export type NamedProduct = { productId: string | null; productKey: string | null };

/** A Product for sale, and its list price in one currency. */
export type Sale = { product: Product; price: Price };

/** The Product for sale and its price. @throws AppError 422 at the faulty field */
export function requireSale(
  product: Product | null,
  organization: Organization,
  named: NamedProduct & { currency: string | null },
): Sale {
  const pointer = named.productId === null ? "/productKey" : "/productId";
  if (!product) throw unknownProduct(pointer);
  if (product.archived) throw archivedProduct(pointer);
  const currency = named.currency ?? defaultCurrency(product, organization.defaultCurrency);
  if (currency === null)
    throw invalid("/currency", "currency_required", "The Product has several prices. Send the `currency`.");
  const amount = priceIn(product, currency);
  if (amount === null) throw invalid("/currency", "currency_missing", `The Product has no price in ${currency}.`);
  return { product, price: { currency, amount } };
}
