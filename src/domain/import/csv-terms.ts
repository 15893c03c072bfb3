import { boundary, DAY, formatInstant, type Instant, type Period } from "../calendar.ts";
import { formatMoney, minimumCharge } from "../currency.ts";
import { holdDiscount, type Discount, type HeldDiscount } from "../model/discount.ts";
import type { NewCustomer } from "../model/customer.ts";
import { limitsOf, periodOf, priceIn, type Metadata, type Product } from "../model/product.ts";
import { isOffered, unitAmountOf } from "../model/quantity.ts";
import type { Amount } from "../money.ts";
import { periodInWords } from "../words.ts";
import type { CsvColumn } from "./csv-columns.ts";
import type { ImportedTerms } from "./imported-subscription.ts";

/** A fault of a row. `column` null: the row as a whole. `message`: a sentence with the remedy. */
export type ColumnFault = { column: string | null; message: string };

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

export type ReadTerms = { terms: Omit<ImportedTerms, "source" | "ref">; product: Product } | { faults: ColumnFault[] };

type Fail = (column: CsvColumn, message: string) => void;

/** Other systems end a period some hours earlier or later than the zone of the Organization does. */
const TOLERANCE = 2 * DAY;

function periodOfProduct(product: Product | null, fail: Fail): Period | null {
  if (product === null) fail("product", "There is no Product with this key. Make the Product first.");
  else if (product.archived) fail("product", "The Product is archived. Name another one.");
  else if (periodOf(product) === null) fail("product", "This Product is sold once. Name a recurring one.");
  else return periodOf(product);
  return null;
}

/** The units and the price of one; null: there is no such price. */
function unitsOf({ quantity, amount, currency }: CsvTerms, product: Product, fail: Fail) {
  const limits = limitsOf(product);
  const units = quantity ?? limits.minimum;
  if (!isOffered(limits, units))
    fail("quantity", `The Product is sold in quantities from ${limits.minimum} to ${limits.maximum}.`);
  const listed = priceIn(product, currency);
  if (amount === null) {
    if (listed === null) fail("amount", `The Product has no price in ${currency}. Write the amount of a period.`);
    return { quantity: units, unitAmount: listed ?? 0 };
  }
  const least = minimumCharge(currency);
  if (amount > 0 && amount < least) fail("amount", `This must be 0, or at least ${formatMoney(least, currency)}.`);
  if (amount % units !== 0)
    fail("amount", `${formatMoney(amount, currency)} is no whole price for each of ${units} units.`);
  return { quantity: units, unitAmount: unitAmountOf({ amount: amount - (amount % units), quantity: units }) };
}

/** The start of the period in progress, which must hold the present instant. */
function startOf(terms: CsvTerms, period: Period, { now, zone }: CsvContext, fail: Fail): Instant {
  const { periodStart, periodEnd, trialEnd, startedAt } = terms;
  const column = trialEnd === null ? "period_end" : "trial_end";
  if (periodEnd <= now) {
    const remedy = "Let the other system bill that period, and write the end of the present one.";
    fail(column, `This has passed. ${remedy}`);
  }
  if (periodStart !== null && periodStart > now) fail("period_start", "This is in the future.");
  if (trialEnd !== null) return periodStart ?? startedAt ?? now;
  const start = periodStart ?? boundary(periodEnd, zone, period, -1);
  const length = `The Product renews every ${periodInWords(period)}`;
  if (start > now && periodStart === null)
    fail("period_end", `This is more than a period away. ${length}. Write trial_end for a free time until then.`);
  if (Math.abs(boundary(start, zone, period, 1) - periodEnd) > TOLERANCE)
    fail("period_end", `This is not the end of the period that began at ${formatInstant(start)}. ${length}.`);
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
    fail("discount_code", "There is no Discount with this code. Make the Discount first.");
    return null;
  }
  const { duration, productIds, currency: only } = discount;
  if (productIds !== null && product !== null && !productIds.includes(product.id))
    fail("discount_code", "The Discount does not cover this Product.");
  if (only !== null && only !== currency) fail("discount_code", `The Discount is in ${only}.`);
  if (duration === "once" && trialEnd === null) fail("discount_code", "The Discount covers one period, which is paid.");
  if (duration !== "repeating" && discountUntil !== null)
    fail("discount_until", "Leave this empty: only a Discount for some months has an end.");
  if (duration !== "repeating") return { ...holdDiscount(discount), startedAt: trialEnd === null ? start : null };
  if (discountUntil === null) fail("discount_until", "This is missing: the Discount is for some months.");
  else if (discountUntil <= now) fail("discount_until", "This has passed. Leave both columns of the Discount empty.");
  return { ...holdDiscount(discount), startedAt: start, endsAt: discountUntil };
}

function checkEnd({ cancelAt, periodEnd }: CsvTerms, now: Instant, fail: Fail): void {
  if (cancelAt === null) return;
  if (cancelAt <= now) fail("ends_at", "This has passed. Leave the row out.");
  if (cancelAt > periodEnd)
    fail("ends_at", "This is after the next charge. Leave this empty, and plan the end here after that charge.");
}

/**
 * The terms of a row in the form of every import, or all of their faults. The dry run and the import both decide here
 * (rule V20).
 */
export function readTerms(given: CsvTerms, context: CsvContext): ReadTerms {
  const { product, now, zone } = context;
  const faults: ColumnFault[] = [];
  const fail: Fail = (column, message) => void faults.push({ column, message });
  const period = periodOfProduct(product, fail);
  if (product === null || period === null) return { faults };
  const units = unitsOf(given, product, fail);
  const periodStart = startOf(given, period, context, fail);
  const { periodEnd, trialEnd, cancelAt, metadata } = given;
  const startedAt = given.startedAt ?? periodStart;
  if (startedAt > now) fail("started_at", "This is in the future.");
  if (startedAt > periodStart) fail("started_at", "This is after the begin of the present period.");
  checkEnd(given, now, fail);
  const discount = discountOf(given, periodStart, context, fail);
  if (faults.length > 0) return { faults };
  const anchorAt = trialEnd ?? anchorOf([given.startedAt, periodStart], given, period, zone);
  const dates = { startedAt, periodStart, periodEnd, anchorAt, trialEnd, cancelAt };
  return { product, terms: { ...units, ...dates, discount, paymentMethodId: null, metadata } };
}
