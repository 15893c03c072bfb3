import type { ProductRows } from "../billing/customer-billing.ts";
import type { Part } from "../billing/parts.ts";
import type { Product } from "../model/product.ts";

/**
 * A Product by its id, as it was when the billing was loaded. The Products of the Customer's live Subscriptions are
 * loaded with the part `open_items`.
 */
export function findProduct(billing: ProductRows, id: string): Product | null {
  const product = billing.products.get(id);
  if (!product) billing.need({ part: "product", id });
  return product;
}

/** A Product as a request body names it. The key counts only if the id is left out. */
type Named = { productId?: string | null | undefined; productKey?: string | null | undefined };

/** The part that loads the Product of a request body. */
export const partNaming = ({ productId, productKey }: Named): Part =>
  productId === undefined || productId === null
    ? { part: "product_by_key", key: productKey! }
    : { part: "product", id: productId };

/** The Product of a request body; null: no such Product exists. */
export function findNamed(billing: ProductRows, named: Named): Product | null {
  const part = partNaming(named);
  billing.need(part);
  const isNamed = ({ id, key }: Product) =>
    part.part === "product" ? id === named.productId : key === named.productKey;
  return billing.products.where(isNamed)[0] ?? null;
}
