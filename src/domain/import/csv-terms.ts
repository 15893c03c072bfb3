import { boundary, DAY, type Instant, type Period } from "../calendar.ts";
import { minimumCharge } from "../currency.ts";
import { holdDiscount, type Discount, type HeldDiscount } from "../model/discount.ts";
import type { NewCustomer } from "../model/customer.ts";
import { limitsOf, periodOf, priceIn, type Metadata, type Product } from "../model/product.ts";
import { isOffered, unitAmountOf } from "../model/quantity.ts";
import type { Amount } from "../money.ts";
import type { CsvColumn } from "./csv-columns.ts";
import type { ImportedTerms } from "./imported-subscription.ts";

/** The faults whose words need no values. */
export type PlainTermsFault =
  | "unknown_product"
  | "product_archived"
  | "product_not_recurring"
  | "period_passed"
  | "in_the_future"
  | "unknown_discount"
  | "discount_not_for_product"
  | "discount_period_paid"
  | "discount_without_end"
  | "discount_end_missing"
  | "discount_end_passed"
  | "end_passed"
  | "end_after_charge"
  | "start_after_period";

/** A fault of the terms of a row, with the values that its words need. Amounts in minor units. */
export type TermsFault = { column: CsvColumn } & (
  | { code: PlainTermsFault }
  | { code: "quantity_not_offered"; minimum: number; maximum: number }
  | { code: "currency_missing" | "discount_other_currency"; currency: string }
  | { code: "amount_below_minimum"; currency: string; least: Amount }
  | { code: "amount_not_divisible"; currency: string; amount: Amount; quantity: number }
  | { code: "period_too_far"; period: Period }
  | { code: "period_differs"; period: Period; start: Instant }
);

/**
 * The subscription of a row. `amount`: the total of a period in minor units; null: the price of the catalogue.
 * `periodStart` null: one period before `periodEnd`. In a trial `periodEnd` is the end of the trial.
 */
export type CsvTerms = {
  productKey: string;
  quantity: number | null;
  amount: Amount | null;
  currency: string;
  startedAt: Instant | null;
  periodStart: Instant | null;
  periodEnd: Instant;
  trialEnd: Instant | null;
  cancelAt: Instant | null;
  discountCode: string | null;
  discountUntil: Instant | null;
  metadata: Metadata;
};

/** A row without faults. `terms` null: the row has a Customer alone. `balance`: minor units, above zero for credit. */
export type CsvRow = {
  line: number;
  id: string;
  customer: NewCustomer;
  terms: CsvTerms | null;
  balance: { currency: string; amount: Amount } | null;
};

/** The rows that a row names; null: there is no such row. `now`: billing time. `zone`: of the Organization. */
export type CsvContext = { product: Product | null; discount: Discount | null; now: Instant; zone: string };

export type ReadTerms = { terms: Omit<ImportedTerms, "source" | "ref">; product: Product } | { faults: TermsFault[] };

type Fail = (fault: TermsFault) => void;

/** Other systems end a period some hours earlier or later than the zone of the Organization does. */
const TOLERANCE = 2 * DAY;

function periodOfProduct(product: Product | null, fail: Fail): Period | null {
  if (product === null) fail({ column: "product", code: "unknown_product" });
  else if (product.archived) fail({ column: "product", code: "product_archived" });
  else if (periodOf(product) === null) fail({ column: "product", code: "product_not_recurring" });
  else return periodOf(product);
  return null;
}

/** The units and the price of one; null: there is no such price. */
function unitsOf({ quantity, amount, currency }: CsvTerms, product: Product, fail: Fail) {
  const limits = limitsOf(product);
  const units = quantity ?? limits.minimum;
  const { minimum, maximum } = limits;
  if (!isOffered(limits, units)) fail({ column: "quantity", code: "quantity_not_offered", minimum, maximum });
  const listed = priceIn(product, currency);
  if (amount === null) {
    if (listed === null) fail({ column: "amount", code: "currency_missing", currency });
    return { quantity: units, unitAmount: listed ?? 0 };
  }
  const least = minimumCharge(currency);
  if (amount > 0 && amount < least) fail({ column: "amount", code: "amount_below_minimum", currency, least });
  if (amount % units !== 0) fail({ column: "amount", code: "amount_not_divisible", currency, amount, quantity: units });
  return { quantity: units, unitAmount: unitAmountOf({ amount: amount - (amount % units), quantity: units }) };
}

/** A period of the 31st ends on the 31st, though it began on the last day of February: so both ends are tried. */
function fits(start: Instant, end: Instant, period: Period, zone: string): boolean {
  const isNear = (one: Instant, other: Instant) => Math.abs(one - other) <= TOLERANCE;
  return isNear(boundary(start, zone, period, 1), end) || isNear(boundary(end, zone, period, -1), start);
}

/** The start of the period in progress, which must hold the present instant. */
function startOf(terms: CsvTerms, period: Period, { now, zone }: CsvContext, fail: Fail): Instant {
  const { periodStart, periodEnd, trialEnd, startedAt } = terms;
  const column = trialEnd === null ? "period_end" : "trial_end";
  if (periodEnd <= now) fail({ column, code: "period_passed" });
  if (periodStart !== null && periodStart > now) fail({ column: "period_start", code: "in_the_future" });
  if (trialEnd !== null) return periodStart ?? startedAt ?? now;
  const start = periodStart ?? boundary(periodEnd, zone, period, -1);
  if (start > now && periodStart === null) fail({ column: "period_end", code: "period_too_far", period });
  if (!fits(start, periodEnd, period, zone)) fail({ column: "period_end", code: "period_differs", period, start });
  return start;
}

/**
 * The instant from which the periods are counted: the begin of the Subscription or of the period if it leads to the end
 * of the period, and otherwise that end. A Subscription of the 31st keeps its day in this way.
 */
function anchorOf(
  candidates: readonly (Instant | null)[],
  { periodEnd }: CsvTerms,
  period: Period,
  zone: string,
): Instant {
  const leads = (anchor: Instant) => {
    for (let n = 1; ; n += 1) {
      const at = boundary(anchor, zone, period, n);
      if (at >= periodEnd) return at === periodEnd;
    }
  };
  return candidates.find((anchor) => anchor !== null && anchor < periodEnd && leads(anchor)) ?? periodEnd;
}

function discountOf(
  { discountCode, discountUntil, trialEnd, currency }: CsvTerms,
  start: Instant,
  { discount, product, now }: CsvContext,
  fail: Fail,
): HeldDiscount | null {
  if (discountCode === null) return null;
  if (discount === null) {
    fail({ column: "discount_code", code: "unknown_discount" });
    return null;
  }
  const { duration, productIds, currency: only } = discount;
  if (productIds !== null && product !== null && !productIds.includes(product.id))
    fail({ column: "discount_code", code: "discount_not_for_product" });
  if (only !== null && only !== currency)
    fail({ column: "discount_code", code: "discount_other_currency", currency: only });
  if (duration === "once" && trialEnd === null) fail({ column: "discount_code", code: "discount_period_paid" });
  if (duration !== "repeating" && discountUntil !== null)
    fail({ column: "discount_until", code: "discount_without_end" });
  if (duration !== "repeating") return { ...holdDiscount(discount), startedAt: trialEnd === null ? start : null };
  if (discountUntil === null) fail({ column: "discount_until", code: "discount_end_missing" });
  else if (discountUntil <= now) fail({ column: "discount_until", code: "discount_end_passed" });
  return { ...holdDiscount(discount), startedAt: start, endsAt: discountUntil };
}

function checkEnd({ cancelAt, periodEnd }: CsvTerms, now: Instant, fail: Fail): void {
  if (cancelAt === null) return;
  if (cancelAt <= now) fail({ column: "ends_at", code: "end_passed" });
  if (cancelAt > periodEnd) fail({ column: "ends_at", code: "end_after_charge" });
}

/**
 * The terms of a row in the form of every import, or all of their faults. The dry run and the import both decide here
 * (rule V20).
 */
export function readTerms(given: CsvTerms, context: CsvContext): ReadTerms {
  const { product, now, zone } = context;
  const faults: TermsFault[] = [];
  const fail: Fail = (fault) => void faults.push(fault);
  const period = periodOfProduct(product, fail);
  if (product === null || period === null) return { faults };
  const units = unitsOf(given, product, fail);
  const periodStart = startOf(given, period, context, fail);
  const { periodEnd, trialEnd, cancelAt, metadata } = given;
  const startedAt = given.startedAt ?? periodStart;
  if (startedAt > now) fail({ column: "started_at", code: "in_the_future" });
  if (startedAt > periodStart) fail({ column: "started_at", code: "start_after_period" });
  checkEnd(given, now, fail);
  const discount = discountOf(given, periodStart, context, fail);
  if (faults.length > 0) return { faults };
  const anchorAt = trialEnd ?? anchorOf([given.startedAt, periodStart], given, period, zone);
  const dates = { startedAt, periodStart, periodEnd, anchorAt, trialEnd, cancelAt };
  return { product, terms: { ...units, ...dates, discount, paymentMethodId: null, metadata } };
}
