import type { Instant } from "../calendar.ts";
import type { ChargeLimits } from "../model/charge-limits.ts";
import type { Sale } from "../model/checkout-sale.ts";
import { holdCode } from "../model/discount-code.ts";
import type { Discount } from "../model/discount.ts";
import type { Organization } from "../model/organization.ts";
import type { PaymentLink } from "../model/payment-link.ts";
import { defaultCurrency, limitsOf, priceIn, type Product } from "../model/product.ts";
import { isOffered, nearestOffered, totalOf, type QuantityRange } from "../model/quantity.ts";
import type { DiscountRefusal } from "../refusal.ts";

/** The values that a visit asks for in its address or form; null: the visit does not ask for a value. */
export type AskedOffer = { product: string | null; quantity: number | null; currency: string | null };

/** A Product as a payment link sells it to one visit. */
export type LinkOffer = Sale & {
  /** The quantities among which the buyer may choose; null: the quantity is fixed. */
  range: QuantityRange | null;
};

/** The offers of a visit, in the order of the link. `ignored`: the asked values that can't be used. */
export type LinkOffers = { offers: LinkOffer[]; ignored: (keyof AskedOffer)[] };

/** The currency of a Product: the link's, else the asked one, else the usual one. Null: the Product can't be sold. */
function currencyOf(
  { currency: fixed }: Pick<PaymentLink, "currency">,
  product: Product,
  { currency: asked }: AskedOffer,
  { defaultCurrency: usual }: Pick<Organization, "defaultCurrency">,
): string | null {
  if (fixed !== null) return priceIn(product, fixed) === null ? null : fixed;
  if (asked !== null && priceIn(product, asked) !== null) return asked;
  return defaultCurrency(product, usual) ?? product.prices[0]?.currency ?? null;
}

/**
 * The quantities of a link within the limits that the Product has now. `quantity`: the quantity without a wish.
 * `choice`: the quantities that a visit may ask for.
 */
function quantitiesOf(link: Pick<PaymentLink, "quantity" | "quantityChange">, product: Product) {
  const limits = limitsOf(product);
  const change = link.quantityChange;
  const range = change && {
    minimum: nearestOffered(limits, change.minimum),
    maximum: nearestOffered(limits, change.maximum),
  };
  const most = range ?? limits;
  const quantity = link.quantity === null ? most.minimum : nearestOffered(most, link.quantity);
  const choice = range ?? (link.quantity === null ? limits : { minimum: quantity, maximum: quantity });
  return { range, quantity, choice };
}

const isNamed = (product: Product, name: string) => product.id === name || product.key === name;

/**
 * The offers of a link to one visit. An asked value that can't be used is left out and named. `products`: those of the
 * link, in its order. A Product that is archived, or has no price in the currency of the link, is not offered.
 */
export function offersOf(
  organization: Pick<Organization, "defaultCurrency">,
  link: PaymentLink,
  products: readonly Product[],
  asked: AskedOffer,
): LinkOffers {
  const sold = products.filter(
    (product) => !product.archived && currencyOf(link, product, asked, organization) !== null,
  );
  const chosen = asked.product === null ? [] : sold.filter((product) => isNamed(product, asked.product!));
  const shown = chosen.length > 0 ? chosen : sold;
  const offers = shown.flatMap((product): LinkOffer[] => {
    const currency = currencyOf(link, product, asked, organization)!;
    const { range, quantity: usual, choice } = quantitiesOf(link, product);
    const unitAmount = priceIn(product, currency)!;
    const wanted = asked.quantity !== null && isOffered(choice, asked.quantity) ? asked.quantity : usual;
    const quantity = [wanted, usual].find((each) => totalOf(unitAmount, each) !== null);
    if (quantity === undefined) return [];
    return [{ product, quantity, range, price: { currency, amount: totalOf(unitAmount, quantity)! } }];
  });
  const isUnused = {
    product: asked.product !== null && chosen.length === 0,
    quantity: asked.quantity !== null && offers.every(({ quantity }) => quantity !== asked.quantity),
    currency: asked.currency !== null && offers.every(({ price }) => price.currency !== asked.currency),
  };
  return { offers, ignored: (["product", "quantity", "currency"] as const).filter((name) => isUnused[name]) };
}

type CodeTerms = { timeZone: string; now: Instant; limitsIn(currency: string): ChargeLimits };

/**
 * The offers on which a code can be used, by the id of the Product; or why it can be used on none of them (rule X1f).
 * `discount` null: the code does not exist.
 */
export function codeOn(
  offers: readonly LinkOffer[],
  discount: Discount | null,
  { limitsIn, ...terms }: CodeTerms,
): { productIds: ReadonlySet<string> } | { refused: DiscountRefusal } {
  const held = offers.map((offer) => {
    const limits = limitsIn(offer.price.currency);
    return { id: offer.product.id, held: holdCode(discount, offer, { ...terms, limits }) };
  });
  const usable = held.flatMap((each) => ("refused" in each.held ? [] : [each.id]));
  if (usable.length > 0) return { productIds: new Set(usable) };
  const refused = held.flatMap((each) => ("refused" in each.held ? [each.held.refused] : []))[0];
  return { refused: refused ?? "unknown_discount" };
}
