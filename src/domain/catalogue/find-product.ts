import type { Account } from "../billing/customer-billing.ts";
import type { Part } from "../billing/parts.ts";
import type { Product } from "../model/product.ts";

/**
 * A Product by its id, as it was when the Account was loaded. The Products of the Customer's live Subscriptions are
 * loaded with the part `books`.
 */
export function findProduct(account: Account, id: string): Product | null {
  const product = account.products.get(id);
  if (!product) account.need({ part: "product", id });
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
export function findNamed(account: Account, named: Named): Product | null {
  const part = partNaming(named);
  account.need(part);
  const isNamed = ({ id, key }: Product) =>
    part.part === "product" ? id === named.productId : key === named.productKey;
  return account.products.where(isNamed)[0] ?? null;
}
