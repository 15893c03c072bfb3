import type { PriceTerms } from "../../domain/model/price-change.ts";
import { priceIn, type Product } from "../../domain/model/product.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CreatePriceChangeParams } from "../../resources/price-change.ts";

/**
 * The terms of a round for this Product, at the present prices of the catalogue (rule N1).
 * @throws Refusal 404, 422
 */
export function termsOf(product: Product | null, params: CreatePriceChangeParams): PriceTerms {
  if (!product) throw new Refusal("not_found");
  if (product.archived) throw new Refusal("product_archived", { field: "" });
  if (product.interval === null) throw new Refusal("product_not_recurring", { field: "" });
  const { currencies, only, noticeDays, consent } = params;
  for (const [index, currency] of (currencies ?? []).entries())
    if (priceIn(product, currency) === null)
      throw new Refusal("currency_missing", { field: `/currencies/${index}`, currency });
  const prices = product.prices.filter(({ currency }) => currencies?.includes(currency) ?? true);
  const { subscribedBefore = null, priceBelow = null } = only ?? {};
  return { productId: product.id, prices, subscribedBefore, priceBelow, noticeDays, consent };
}
