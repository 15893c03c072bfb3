import type { Instant, Interval, Period } from "../calendar.ts";
import { minimumCharge } from "../currency.ts";
import type { QuantityRange, UnitName } from "./quantity.ts";

/**
 * `amount`: minor units of one unit for each period (or once). The amount of the smallest quantity is 0 or at least the
 * currency's minimum charge (rule M5a).
 */
export type Price = { currency: string; amount: number };
export type Metadata = Record<string, string | number | boolean>;

/** An item for sale. `interval` null: the Product is sold once. */
export type Product = {
  organizationId: string;
  id: string;
  key: string | null;
  name: string;
  description: string | null;
  /** A Customer has at most one live Subscription in each group; null: the Product stands alone (rule C4). */
  groupKey: string | null;
  interval: Interval | null;
  intervalCount: number | null;
  trialDays: number | null;
  /** Whether a trial asks for a card (rule C2). */
  trialCard: "required" | "optional";
  /** The quantities in which the Product is sold (rule Q1). */
  quantityMinimum: number;
  quantityMaximum: number;
  /** The noun of a unit; null: a unit has no name (rule Q2). */
  unitName: UnitName | null;
  prices: Price[];
  benefitIds: string[];
  archived: boolean;
  metadata: Metadata;
  /** Real time. Not null: the Benefits were edited, and not every source has been updated (rule B1). */
  syncAt: Instant | null;
  syncCursor: string | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The billing period of a recurring Product; null for a Product that is sold once. */
export function periodOf(product: Pick<Product, "interval" | "intervalCount">): Period | null {
  return product.interval && product.intervalCount
    ? { interval: product.interval, intervalCount: product.intervalCount }
    : null;
}

/** The quantities in which a Product is sold (rule Q1). */
export const limitsOf = (product: Pick<Product, "quantityMinimum" | "quantityMaximum">): QuantityRange => ({
  minimum: product.quantityMinimum,
  maximum: product.quantityMaximum,
});

/**
 * The prices whose smallest total can't be charged: above 0, and below the currency's minimum charge (rule M5a).
 * `index`: the place in the list. `least`: the minimum charge in minor units.
 */
export const pricesBelowMinimum = (prices: readonly Price[], { minimum }: Pick<QuantityRange, "minimum">) =>
  prices.flatMap(({ currency, amount }, index) => {
    if (amount === 0) return [];
    const least = minimumCharge(currency);
    return amount * minimum < least ? [{ index, currency, least }] : [];
  });

/** The Product's price in a currency; null: the Product has no such price. */
export function priceIn(product: Pick<Product, "prices">, currency: string): number | null {
  return product.prices.find((price) => price.currency === currency)?.amount ?? null;
}

/**
 * The Organization's currency if the Product has a price in it, else the Product's only currency. Null: the caller
 * has to choose a currency.
 */
export function defaultCurrency(product: Pick<Product, "prices">, organizationCurrency: string): string | null {
  if (priceIn(product, organizationCurrency) !== null) return organizationCurrency;
  return product.prices.length === 1 ? product.prices[0]!.currency : null;
}
