import type { Account } from "../account/account.ts";
import type { Product } from "./product.ts";

/** A Product by its id, as it was when the Account was loaded; those that the Customer's Subscriptions name are loaded always. */
export function findProduct(account: Account, id: string): Product | null {
  const product = account.products.get(id);
  if (!product) account.need({ part: "product", id });
  return product;
}
