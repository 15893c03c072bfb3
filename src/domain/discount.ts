import { addCalendar, instant, type Instant } from "./calendar.ts";
import { multiplyDivide, type Amount } from "./money.ts";

export type DiscountType = "percentage" | "fixed";
export type DiscountDuration = "once" | "repeating" | "forever";

/** What a discount takes off: `basisPoints` of a price (2500 is 25 %), or `amount` minor units of `currency`. */
export type DiscountTerms = {
  type: DiscountType;
  basisPoints: number | null;
  amount: Amount | null;
  currency: string | null;
  duration: DiscountDuration;
  /** Of a `repeating` one. */
  months: number | null;
  /** Products that it covers; null: all. */
  productIds: string[] | null;
};

export type Discount = DiscountTerms & {
  organizationId: string;
  id: string;
  code: string;
  codeKey: string;
  maxRedemptions: number | null;
  redemptions: number;
  startsAt: Instant | null;
  endsAt: Instant | null;
  deletedAt: Instant | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/**
 * A discount as a Checkout or a Subscription holds it, whatever becomes of the Discount itself. `startedAt`: the begin of the first
 * period for which an invoice was made. Periods that begin before `endsAt` are discounted; null: no end, or not begun.
 */
export type HeldDiscount = DiscountTerms & { id: string; code: string; startedAt: Instant | null; endsAt: Instant | null };

/** What codes are compared by. */
export function codeKey(code: string): string {
  return code.normalize("NFC").toUpperCase();
}

export function holdDiscount({ id, code, ...discount }: Discount): HeldDiscount {
  const { type, basisPoints, amount, currency, duration, months, productIds } = discount;
  return { id, code, type, basisPoints, amount, currency, duration, months, productIds, startedAt: null, endsAt: null };
}

/** Why a Discount can't be used for this sale now; null: it can. */
export function refusalOf(
  discount: Discount,
  sale: { productId: string; currency: string },
  now: Instant,
): "discount_not_active" | "discount_exhausted" | "discount_not_for_product" | "discount_other_currency" | null {
  const { startsAt, endsAt, maxRedemptions, redemptions, productIds, currency } = discount;
  if ((startsAt !== null && now < startsAt) || (endsAt !== null && now >= endsAt)) return "discount_not_active";
  if (maxRedemptions !== null && redemptions >= maxRedemptions) return "discount_exhausted";
  if (productIds !== null && !productIds.includes(sale.productId)) return "discount_not_for_product";
  return currency !== null && currency !== sale.currency ? "discount_other_currency" : null;
}

/** What the terms take off a price of a Product they cover; never more than the price. */
function takenOff(terms: DiscountTerms, price: Amount): Amount {
  return terms.type === "percentage" ? multiplyDivide(price, terms.basisPoints!, 10_000) : Math.min(terms.amount!, price);
}

/**
 * What is taken off a Product's price for a period that begins at `periodStart` (rule X1); 0 while the discount sleeps because the
 * Product isn't covered, or once it has ended.
 */
export function discountOn(held: HeldDiscount | null, sale: { productId: string; price: Amount }, periodStart: Instant): Amount {
  if (!held || (held.productIds !== null && !held.productIds.includes(sale.productId))) return 0;
  if (held.endsAt !== null && periodStart >= held.endsAt) return 0;
  return takenOff(held, sale.price);
}

/**
 * Begins with the first period for which an invoice is made (rule X1), months in `zone`. One that has begun stays as it is, but what is for
 * one period ends where the next begins: a change may begin that at the very instant of the first.
 */
export function beginDiscount(held: HeldDiscount | null, periodStart: Instant, zone: string): HeldDiscount | null {
  if (!held) return null;
  if (held.startedAt !== null) {
    return held.duration === "once" && held.endsAt! > periodStart ? { ...held, endsAt: periodStart } : held;
  }
  const ends = {
    once: () => instant(periodStart + 1),
    repeating: () => addCalendar(periodStart, zone, `P${held.months}M`),
    forever: () => null,
  };
  return { ...held, startedAt: periodStart, endsAt: ends[held.duration]() };
}

/** Whether a Product at this price never costs anything: free, or all of it taken off for ever (rule C2). */
export function isFreeForEver(sale: { productId: string; price: Amount }, held: HeldDiscount | null): boolean {
  if (sale.price === 0) return true;
  if (held?.duration !== "forever" || (held.productIds !== null && !held.productIds.includes(sale.productId))) return false;
  return takenOff(held, sale.price) === sale.price;
}
