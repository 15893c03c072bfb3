import type { Interval } from "../calendar.ts";
import { keysLike, suggestedKey } from "../catalogue/suggested-key.ts";
import { minimumCharge } from "../currency.ts";
import { limitsOf, priceIn, type Product } from "../model/product.ts";
import { MOST_UNITS, type QuantityRange, type UnitName } from "../model/quantity.ts";
import type { Amount } from "../money.ts";
import type { ForeignPrice } from "./foreign.ts";

/**
 * A price of the other system, with the Product that is sold at it here. `amount`: minor units of one unit.
 * `subscriptions`: that have the price. A seller edits `productKey` and `name`; the other fields are facts.
 */
export type MappedPrice = {
  price: string;
  name: string;
  currency: string;
  amount: Amount;
  interval: Interval;
  intervalCount: number;
  subscriptions: number;
  productKey: string;
};

/** `account`: of the provider. */
export type Mapping = { account: string; prices: readonly MappedPrice[] };

/** A price in use, with the smallest and the largest quantity of the subscriptions that move. */
export type UsedPrice = { price: ForeignPrice; quantity: QuantityRange };

type Sold = Pick<Product, "interval" | "intervalCount" | "archived" | "prices">;

/** A price with a whole amount for each unit, which a Product can have. */
export const isMappable = ({ amount, isTiered, isMetered }: ForeignPrice): boolean =>
  amount !== null && !isTiered && !isMetered;

const isSoldAs = (product: Sold, { interval, intervalCount }: Pick<MappedPrice, "interval" | "intervalCount">) =>
  product.interval === interval && product.intervalCount === intervalCount;

/** The first key that is free, or whose Product has this period and this currency already. */
function keyFor(
  { product, productName, interval, intervalCount, currency }: ForeignPrice,
  existing: ReadonlyMap<string, Sold>,
  taken: ReadonlySet<string>,
): string {
  const name = suggestedKey(productName ?? "") || suggestedKey(product) || "product";
  const fits = (key: string) => {
    const found = existing.get(key);
    if (taken.has(key)) return false;
    return (
      !found || (!found.archived && isSoldAs(found, { interval, intervalCount }) && priceIn(found, currency) !== null)
    );
  };
  return [name, ...keysLike(name, interval)].find(fits) ?? `${name}-${product.slice(-8)}`.toLowerCase().slice(-64);
}

/**
 * A mapping to edit: the prices of one product with one period share a key. Prices with the most subscriptions come
 * first, because the first one of a key and a currency becomes the price of the Product.
 */
export function suggestMapping(
  account: string,
  prices: readonly { price: ForeignPrice; subscriptions: number }[],
  existing: ReadonlyMap<string, Sold>,
): Mapping {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  const sorted = prices
    .filter(({ price }) => isMappable(price))
    .toSorted((one, other) => other.subscriptions - one.subscriptions || (one.price.ref < other.price.ref ? -1 : 1));
  return {
    account,
    prices: sorted.map(({ price, subscriptions }) => {
      const { ref, product, productName, currency, amount, interval, intervalCount } = price;
      const productKey = keys.getOrInsertComputed(`${product} ${interval} ${intervalCount}`, () =>
        keyFor(price, existing, taken),
      );
      taken.add(productKey);
      const name = productName ?? product;
      return { price: ref, name, currency, amount: amount!, interval, intervalCount, subscriptions, productKey };
    }),
  };
}

/** A Product that the mapping names and that does not exist. */
export type MappedProduct = {
  key: string;
  name: string;
  interval: Interval;
  intervalCount: number;
  prices: { currency: string; amount: Amount }[];
  quantity: QuantityRange;
  unitName: UnitName | null;
};

/**
 * A line of the mapping that can't be used. `no_line`: the price is in use, and the mapping has no line for it.
 * `twice`: two lines have the price. `other_price`: a fact of the line is not that of the price. `other_period`,
 * `no_price`, `archived`, `sold_once`: of the Product. `quantity`: the Product does not sell the quantities in use.
 */
export type MappingFault = { price: string } & (
  | { fault: "no_line"; name: string }
  | { fault: "twice" }
  | { fault: "other_price"; field: "currency" | "amount" | "interval" | "intervalCount"; found: string | number }
  | { fault: "other_period"; productKey: string; interval: Interval; intervalCount: number }
  | { fault: "no_price"; productKey: string; currency: string }
  | { fault: "archived" | "sold_once"; productKey: string }
  | { fault: "quantity"; productKey: string; sold: QuantityRange; used: QuantityRange }
);

const FACTS = ["currency", "amount", "interval", "intervalCount"] as const;

function factFaults(line: MappedPrice, { price }: UsedPrice): MappingFault[] {
  return FACTS.flatMap((field) => {
    const found = price[field];
    if (found === line[field] || found === null) return [];
    return [{ price: line.price, fault: "other_price", field, found } as const];
  });
}

function productFault(line: MappedPrice, product: Product, used: UsedPrice | undefined): MappingFault | null {
  const { price, productKey, currency } = line;
  const { interval, intervalCount } = product;
  if (product.archived) return { price, fault: "archived", productKey };
  if (interval === null || intervalCount === null) return { price, fault: "sold_once", productKey };
  if (!isSoldAs(product, line)) return { price, fault: "other_period", productKey, interval, intervalCount };
  if (priceIn(product, currency) === null) return { price, fault: "no_price", productKey, currency };
  const sold = limitsOf(product);
  if (!used || (used.quantity.minimum >= sold.minimum && used.quantity.maximum <= sold.maximum)) return null;
  return { price, fault: "quantity", productKey, sold, used: used.quantity };
}

/** The least quantity at which each price can be charged, as far as a sale can be so small (rule M5a). */
const leastOf = (prices: MappedProduct["prices"]): number =>
  Math.max(
    1,
    ...prices.map(({ currency, amount }) => (amount === 0 ? 1 : Math.ceil(minimumCharge(currency) / amount))),
  );

/** `seat` becomes `seat` and `seats`. The seller can change the nouns of the Product. */
const unitNameOf = (label: string | null): UnitName | null =>
  label ? { en: { one: label, other: label.endsWith("s") ? label : `${label}s` } } : null;

function newProduct(key: string, lines: readonly MappedPrice[], used: ReadonlyMap<string, UsedPrice>): MappedProduct {
  const [{ name, interval, intervalCount }] = lines as [MappedPrice];
  const prices = [...Map.groupBy(lines, ({ currency }) => currency).values()].map(([first]) => ({
    currency: first!.currency,
    amount: first!.amount,
  }));
  const inUse = lines.flatMap(({ price }) => used.get(price) ?? []);
  const most = Math.max(1, ...inUse.map(({ quantity }) => quantity.maximum));
  const minimum = leastOf(prices);
  const label = inUse.map(({ price }) => price.unitLabel).find((each) => each) ?? null;
  const quantity = { minimum, maximum: most > 1 || minimum > 1 ? MOST_UNITS : 1 };
  return { key, name, interval, intervalCount, prices, quantity, unitName: unitNameOf(label) };
}

/** The Products to make, or all faults of the mapping. */
export type CataloguePlan = { faults: MappingFault[]; made: MappedProduct[] };

/**
 * Checks a mapping against the prices in use and the Products that exist, by their keys. A price other than the
 * Product's is no fault: the Subscription gets a price of its own (rule N3).
 */
export function planCatalogue(
  { prices }: Mapping,
  used: ReadonlyMap<string, UsedPrice>,
  existing: ReadonlyMap<string, Product>,
): CataloguePlan {
  const faults: MappingFault[] = [];
  const lines = new Map<string, MappedPrice>();
  for (const line of prices) {
    if (lines.has(line.price)) faults.push({ price: line.price, fault: "twice" });
    lines.set(line.price, line);
    const of = used.get(line.price);
    if (of) faults.push(...factFaults(line, of));
  }
  for (const [ref, { price }] of used)
    if (!lines.has(ref)) faults.push({ price: ref, fault: "no_line", name: price.productName ?? price.product });
  const made: MappedProduct[] = [];
  for (const [key, ofKey] of Map.groupBy(lines.values(), ({ productKey }) => productKey)) {
    const product = existing.get(key);
    const inUse = ofKey.filter(({ price }) => used.has(price));
    if (inUse.length === 0) continue;
    if (product) faults.push(...inUse.flatMap((line) => productFault(line, product, used.get(line.price)) ?? []));
    else {
      const [first] = ofKey as [MappedPrice];
      const { interval, intervalCount } = first;
      const others = ofKey.filter((line) => !isSoldAs({ ...first, archived: false, prices: [] }, line));
      for (const { price } of others)
        faults.push({ price, fault: "other_period", productKey: key, interval, intervalCount });
      made.push(newProduct(key, ofKey, used));
    }
  }
  return { faults, made };
}
