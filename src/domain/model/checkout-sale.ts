import { minimumCharge } from "../currency.ts";
import type { Organization } from "./organization.ts";
import { defaultCurrency, limitsOf, priceIn, type Price, type Product } from "./product.ts";
import { isOffered, totalOf, type QuantityRange, type UnitName } from "./quantity.ts";
import { Refusal, type Pointer } from "../refusal.ts";
import { MAX_AMOUNT } from "../money.ts";

/** The Product that a request body names, by id or key. */
export type NamedProduct = { productId: string | null; productKey: string | null };

/** A Product for sale, its quantity, and the price of all units in one currency: the total of a period (rule Q4). */
export type Sale = { product: Product; quantity: number; price: Price };

/** The quantity of a request body, and the quantities among which the buyer may choose. Null: neither is named. */
export type NamedQuantity = { quantity?: number | null; quantityChange?: QuantityRange | null };

/** Limits of a quantity, with the noun of the unit. */
type NamedRange = QuantityRange & { unitName: UnitName | null };

/** @throws Refusal `quantity_not_offered` unless the limits hold this quantity (rule Q1) */
export function requireOffered(limits: NamedRange, quantity: number, field: Pointer = "/quantity"): void {
  if (!isOffered(limits, quantity)) throw new Refusal("quantity_not_offered", { field, ...limits });
}

/** The quantities in which a Product is sold, and the noun of their unit. */
export const namedLimitsOf = (product: Product): NamedRange => ({ ...limitsOf(product), unitName: product.unitName });

/** The total of `quantity` units. @throws Refusal `quantity_too_expensive` if an amount can't be so large (rule Q4) */
export function requireTotal(unitAmount: number, quantity: number, currency: string): number {
  const total = totalOf(unitAmount, quantity);
  if (total !== null) return total;
  throw new Refusal("quantity_too_expensive", { field: "/quantity", most: { currency, amount: MAX_AMOUNT } });
}

/** @throws Refusal `amount_below_minimum` for a total above 0 and below the currency's minimum charge (rule M5a) */
export function requireAmount(amount: number, currency: string, field: "/amount" | "/quantity"): number {
  const minimum = minimumCharge(currency);
  if (amount === 0 || amount >= minimum) return amount;
  throw new Refusal("amount_below_minimum", { field, least: { currency, amount: minimum } });
}

/**
 * The quantity of a sale (rules Q1, Q3). Without a quantity in the request, the smallest possible one is sold.
 * @throws Refusal `quantity_not_offered`
 */
function requireQuantity(product: Product, { quantity = null, quantityChange = null }: NamedQuantity): number {
  const limits = namedLimitsOf(product);
  if (quantityChange !== null) {
    requireOffered(limits, quantityChange.minimum, "/quantityChange/minimum");
    requireOffered(limits, quantityChange.maximum, "/quantityChange/maximum");
  }
  const range = { ...limits, ...quantityChange };
  const sold = quantity ?? range.minimum;
  requireOffered(range, sold);
  return sold;
}

/** The Product for sale, its quantity and its price. @throws Refusal 422 at the faulty field */
export function requireSale(
  product: Product | null,
  organization: Organization,
  named: NamedProduct & NamedQuantity & { currency: string | null },
): Sale {
  const pointer = named.productId === null ? "/productKey" : "/productId";
  if (!product) throw new Refusal("unknown_product", { field: pointer });
  if (product.archived) throw new Refusal("product_archived", { field: pointer });
  const currency = named.currency ?? defaultCurrency(product, organization.defaultCurrency);
  if (currency === null) throw new Refusal("currency_required", { field: "/currency" });
  const unitAmount = priceIn(product, currency);
  if (unitAmount === null) throw new Refusal("currency_missing", { field: "/currency", currency });
  const quantity = requireQuantity(product, named);
  return { product, quantity, price: { currency, amount: requireTotal(unitAmount, quantity, currency) } };
}
