import { newId } from "../../ids.ts";
import { addCalendar, formatDate, instant, wholeMonths, type Instant } from "../calendar.ts";
import { multiplyDivide, type Amount } from "../money.ts";

export type DiscountType = "percentage" | "fixed";
export type DiscountDuration = "once" | "repeating" | "forever";

/** The terms of a discount: `basisPoints` off a price (2500 is 25 %), or `amount` minor units of `currency`. */
export type DiscountTerms = {
  type: DiscountType;
  basisPoints: number | null;
  amount: Amount | null;
  currency: string | null;
  duration: DiscountDuration;
  /** Only for a `repeating` discount. */
  months: number | null;
  /** The Products that the discount covers; null: all. */
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

/** A period that is billed: [start, end). */
export type BilledSpan = { start: Instant; end: Instant };
/** A discount covers [start, until) of the period [start, end). */
export type CoveredPart = BilledSpan & { until: Instant };

/**
 * A discount as a Checkout or a Subscription holds it; later changes of the Discount do not affect it. `startedAt`: the
 * start of the first invoiced period. `endsAt`: the discount covers the time before this instant; null: the discount
 * has no end, or has not begun. A `once` discount ends one millisecond after its start, but still covers that one
 * period in full.
 */
export type HeldDiscount = DiscountTerms & {
  id: string;
  code: string;
  startedAt: Instant | null;
  endsAt: Instant | null;
  /** The rest of the months, and the instant from which it is counted; absent: all months, from `startedAt`. */
  counted?: { at: Instant; months: number };
  /**
   * Only for a `repeating` discount from a Checkout. Absent for a Checkout from before discounts could cover a part of
   * a period.
   */
  first?: FirstPeriod | null;
};

/**
 * `part`: the part of the first period that the Checkout's discount covers; null: the whole period. This part is fixed:
 * the buyer may pay on a later day, with months of another length, but pays the amount that the page showed. `period`:
 * the first period; null until that period is billed.
 */
type FirstPeriod = { part: CoveredPart | null; period: BilledSpan | null };

/** The discount from the next period on, if it is not the held one; its `discount` null: there is none then (rule X4a). */
export type PendingDiscount = { discount: HeldDiscount | null };
/** The discount up to the event `until` of its Subscription, which counts the MRR of earlier events (rule R1). */
export type PastDiscount = { until: number; discount: HeldDiscount | null };

/** The terms of a discount as a line keeps them. `part`: the covered part of the period; absent: all of it. */
export type DiscountBasis = Pick<HeldDiscount, "code" | "type" | "basisPoints" | "amount"> & { part?: CoveredPart };

/** The key by which codes are compared: NFC, without case (rule X1f). */
export function codeKey(code: string): string {
  return code.normalize("NFC").toUpperCase();
}

/** The fields that the caller chooses for a new Discount. */
type NewDiscount = DiscountTerms & Pick<Discount, "code" | "maxRedemptions" | "startsAt" | "endsAt">;

/** A Discount without any redemption. */
export function newDiscount(organizationId: string, wanted: NewDiscount, now: Instant): Discount {
  const own = {
    organizationId,
    id: newId("dsc"),
    codeKey: codeKey(wanted.code),
    redemptions: 0,
    deletedAt: null,
    version: 1,
  };
  return { ...wanted, ...own, createdAt: now, updatedAt: now };
}

/** The terms of a Discount as a sale keeps them, also after an edit or the deletion of the Discount (rule X1h). */
export function holdDiscount({ id, code, ...discount }: Discount): HeldDiscount {
  const { type, basisPoints, amount, currency, duration, months, productIds } = discount;
  return {
    id,
    code,
    type,
    basisPoints,
    amount,
    currency,
    duration,
    months,
    productIds,
    startedAt: null,
    endsAt: null,
    first: null,
  };
}

/** The reason why a Discount can't be used for this sale now; null: it can be used (rules X1e, X1f). */
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

/**
 * The amount that the terms take off a price, in minor units from 0 to the price. The amount is in proportion to the
 * covered `part` of the period (null: all of it). It is exact until the one rounding at the end (rules M1, X1a, X1c).
 */
export function takenOff(
  { type, basisPoints, amount }: Pick<DiscountTerms, "type" | "basisPoints" | "amount">,
  price: Amount,
  part: CoveredPart | null,
): Amount {
  if (part && part.until <= part.start) return 0;
  const [covered, whole] = part ? [BigInt(part.until - part.start), BigInt(part.end - part.start)] : [1n, 1n];
  if (type === "percentage") return multiplyDivide(price, BigInt(basisPoints!) * covered, 10_000n * whole);
  return multiplyDivide(Math.min(amount!, price), covered, whole);
}

/**
 * The part of a period that a discount covers (rule X1c); null: all of it. Only a `repeating` discount can end within a
 * period.
 */
export function coveredPart(
  { startedAt, endsAt, duration, first }: HeldDiscount,
  span: BilledSpan | null,
): CoveredPart | null {
  const isFirst = startedAt === null || (span?.start === first?.period?.start && span?.end === first?.period?.end);
  if (first && isFirst) return first.part;
  if (span === null || endsAt === null || endsAt >= span.end) return null;
  if (duration !== "repeating" && endsAt > span.start) return null;
  return { ...span, until: endsAt > span.start ? endsAt : span.start };
}

type DiscountedSale = { productId: string; price: Amount };

/**
 * The amount that is taken off a Product's price for a period, or for a one-time Product (`span` null; rule X1). The
 * amount is 0 if the discount does not cover the Product, or has ended (rules X1a, X1e).
 */
export function discountOn(held: HeldDiscount | null, sale: DiscountedSale, span: BilledSpan | null): Amount {
  if (!held || (held.productIds !== null && !held.productIds.includes(sale.productId))) return 0;
  return takenOff(held, sale.price, coveredPart(held, span));
}

/** The terms that `discountOn` uses, to be kept with the line; null for a discount of 0. */
export function discountBasis(
  held: HeldDiscount | null,
  sale: DiscountedSale,
  span: BilledSpan | null,
): DiscountBasis | null {
  if (!held || discountOn(held, sale, span) === 0) return null;
  const { code, type, basisPoints, amount } = held;
  const part = coveredPart(held, span);
  return { code, type, basisPoints, amount, ...(part && { part }) };
}

/** `for 3 of 12 months`, or `until 14 March 2026` if the part or the whole is not a number of full months in `zone`. */
export function partInWords(part: CoveredPart, zone: string): string {
  const months = monthsOfPart(part, zone);
  return months ? `for ${months.covered} of ${months.whole} months` : `until ${formatDate(part.until, zone)}`;
}

/** The full months of the part and of the whole; null if one of them is not a number of full months in `zone`. */
export function monthsOfPart(
  { start, until, end }: CoveredPart,
  zone: string,
): { covered: number; whole: number } | null {
  const [covered, whole] = [wholeMonths(start, until, zone), wholeMonths(start, end, zone)];
  return covered === null || whole === null ? null : { covered, whole };
}

/**
 * Begins a discount with the first invoiced period (rules X1b, X1c); months are counted in `zone`. A discount that has
 * begun stays as it is, except a `once` discount: it ends at the start of the next period at the latest, because a
 * change may start that period at the very instant of the first one.
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
  return { ...held, startedAt: periodStart, endsAt: ends[held.duration](), first: null };
}

/**
 * A discount when periods are counted anew from `to`, after periods up to `from` (rules X1d, D8e). If whole months are
 * used, the others are counted from `to`, so each month discounts a whole monthly period. Otherwise the end moves by
 * the time between. `zones`: of the earlier periods, and of the later ones.
 */
export function recountDiscount(
  held: HeldDiscount | null,
  { from, to, zones }: { from: Instant; to: Instant; zones: [before: string, after: string] },
): HeldDiscount | null {
  if (held?.duration !== "repeating" || held.endsAt === null) return held;
  const { at, months } = held.counted ?? { at: held.startedAt!, months: held.months! };
  const used = wholeMonths(at, from, zones[0]);
  if (used === null || used > months) return { ...held, endsAt: instant(held.endsAt + to - from) };
  const left = months - used;
  return { ...held, endsAt: addCalendar(to, zones[1], `P${left}M`), counted: { at: to, months: left } };
}

/**
 * The discount as a Checkout holds it. The covered part of the first period is fixed, as if that period were `span`
 * (rule C3c).
 */
export function agreeOnDiscount(held: HeldDiscount, span: BilledSpan, zone: string): HeldDiscount {
  if (held.duration !== "repeating") return held;
  return { ...held, first: { part: coveredPart(beginDiscount(held, span.start, zone)!, span), period: null } };
}

/**
 * Begins a discount with the first period that a Checkout sold. A later debit for that same period uses the covered
 * part that the Checkout fixed.
 */
export function beginAgreedDiscount(held: HeldDiscount | null, span: BilledSpan, zone: string): HeldDiscount | null {
  const begun = beginDiscount(held, span.start, zone);
  return begun && held?.first ? { ...begun, first: { part: held.first.part, period: span } } : begun;
}

/**
 * Whether a Product never costs anything: its price is 0, or a discount takes all of it off for ever (rules C2, X1i).
 */
export function isFreeForEver(sale: { productId: string; price: Amount }, held: HeldDiscount | null): boolean {
  if (sale.price === 0) return true;
  if (held?.duration !== "forever" || (held.productIds !== null && !held.productIds.includes(sale.productId)))
    return false;
  return takenOff(held, sale.price, null) === sale.price;
}
