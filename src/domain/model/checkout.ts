import { HOUR, type Instant, type Interval } from "../calendar.ts";
import type { CheckoutField, FieldAnswer } from "./checkout-field.ts";
import { discountOn, isFreeForEver, type HeldDiscount } from "./discount.ts";
import type { Locale } from "../locale.ts";
import { lineTotal, type BalanceBasis, type Totals } from "./invoice.ts";
import type { ChargeLimits } from "./charge-limits.ts";
import { isProviderRefusal, type FailureCode } from "./payment-outcome.ts";
import type { Metadata } from "./product.ts";
import type { ProrationBehavior } from "./proration.ts";
import type { QuantityRange, Units } from "./quantity.ts";
import { billedLine, billedOf, taxFor, taxOf, type Billing, type LineTax, type Seller } from "../tax/tax.ts";

/**
 * The most failed attempts. More would let thieves test stolen cards, or find out e-mail addresses of Customers
 * (rule D3s).
 */
export const MAX_FAILED_ATTEMPTS = 10;

export type CheckoutStatus = "open" | "processing" | "completed" | "expired";

/**
 * The options of a change beside the Product. `price` absent: the current Product keeps its price as sold (rule P6).
 * `undo`: the change also undoes a scheduled cancellation.
 */
export type AskedChange = { behavior: ProrationBehavior; price?: "catalogue"; undo: boolean };
/** A Checkout's change of a Subscription, with the totals as they were last computed (rule C6). */
export type CheckoutChange = AskedChange & { totals: Totals };

/**
 * The part of a sale's total that the Customer's balance settles, in minor units from 0 to the total, and the credit
 * and the provider's limits from which that part follows (rules C7, M5).
 */
export type Settlement = { balanceApplied: number; basis: BalanceBasis };

/**
 * A purchase, or the change of a Subscription, on a page. Product and price are fixed at the start (rule C3). `amount`:
 * the total of all units (rule Q4).
 */
export type Checkout = Units & {
  organizationId: string;
  id: string;
  status: CheckoutStatus;
  /** The payment link that sold the Product; null: an operation made the Checkout. */
  paymentLinkId: string | null;
  productId: string;
  customerId: string | null;
  customerNamed: boolean;
  subscriptionId: string | null;
  invoiceId: string | null;
  productName: string;
  groupKey: string | null;
  currency: string;
  amount: number;
  /** The quantities among which the buyer may choose on the page; null: the quantity is fixed (rule Q3). */
  quantityChange: QuantityRange | null;
  interval: Interval | null;
  intervalCount: number | null;
  trialDays: number | null;
  trialCard: "required" | "optional";
  /** Whether the buyer may type a discount code. */
  allowDiscountCodes: boolean;
  discount: HeldDiscount | null;
  /** The billing data that the buyer typed on the page; null: the Customer's billing data. */
  billing: Billing | null;
  /** Null while the buyer's country is unknown, if the tax can depend on it (rules C3d, C3e). */
  tax: { rate: LineTax | null } | null;
  /** Null: the Checkout sells something new. */
  change: CheckoutChange | null;
  /** Whether the caller named the Customer by an id, so that the Customer's balance pays (rule C7). */
  usesBalance: boolean;
  /** Fixed at the submission. Null on a stored Checkout that is open or has expired, or if the balance has no part. */
  settlement: Settlement | null;
  successUrl: string | null;
  cancelUrl: string | null;
  /** The language of the page; null: the Customer's, else the language of the browser. */
  locale: Locale | null;
  /** The reason of the last failed payment. */
  lastPaymentError: { code: FailureCode } | null;
  failedAttempts: number;
  submittedAt: Instant | null;
  /** The seller's own fields on the page (rule C14); null: there are none. */
  fields: CheckoutField[] | null;
  /** Fixed at the submission. Null before it, and on a Checkout without fields. */
  fieldAnswers: FieldAnswer[] | null;
  metadata: Metadata;
  expiresAt: Instant;
  completedAt: Instant | null;
  dueAt: Instant | null;
  simulated: boolean;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

type Priced = Pick<Checkout, "productId" | "amount" | "trialDays" | "discount" | "tax" | "change" | "settlement">;

/** The fields of a sale on which the tax depends. */
export type Sold = Pick<Checkout, "productId" | "amount" | "interval" | "discount">;

/** Whether the tax of a sale can depend on a place: a free one-time purchase has no later charge (rule C3d). */
export const isTaxable = ({ taxRates }: Pick<Seller, "taxRates">, { amount, interval }: Sold): boolean =>
  taxRates.length > 0 && (amount > 0 || interval !== null);

export type CheckoutTotals = {
  subtotalAmount: number;
  discountAmount: number;
  taxAmount: number | null;
  totalAmount: number | null;
  balanceApplied: number | null;
  amountDue: number | null;
};

/**
 * The totals of today, in minor units. A trial makes them 0; an unknown country leaves all but subtotal and discount
 * null (rule C3). The total of a change is its amount due, which the balance does not settle.
 */
export function checkoutTotals(checkout: Priced): CheckoutTotals {
  const { productId, amount: price, trialDays, discount, tax, change, settlement } = checkout;
  if (change) {
    const { subtotalAmount, discountAmount, taxAmount, balanceApplied, amountDue } = change.totals;
    return { subtotalAmount, discountAmount, taxAmount, totalAmount: amountDue, balanceApplied, amountDue };
  }
  const [full, off] = trialDays === null ? [price, discountOn(discount, { productId, price }, null)] : [0, 0];
  const { amount: subtotalAmount, discountAmount } = billedLine(full, off, tax?.rate ?? null);
  const common = { subtotalAmount, discountAmount };
  if (!tax) return { ...common, taxAmount: null, totalAmount: null, balanceApplied: null, amountDue: null };
  const taxAmount = taxOf(subtotalAmount - discountAmount, tax.rate);
  const line = { amount: subtotalAmount, discountAmount, taxAmount, tax: tax.rate };
  const totalAmount = lineTotal(line);
  const balanceApplied = settlement?.balanceApplied ?? 0;
  return { ...common, taxAmount, totalAmount, balanceApplied, amountDue: totalAmount - balanceApplied };
}

/** The amount due today; before tax while the buyer's country is unknown. */
export function dueToday(checkout: Priced): number {
  const { amountDue, subtotalAmount, discountAmount } = checkoutTotals(checkout);
  return amountDue ?? subtotalAmount - discountAmount;
}

/**
 * The tax of a Checkout; null while the buyer's country is unknown, if the tax can depend on it (rules C3, X3). If the
 * price without its contained tax is below `least`, in minor units, the price is charged with the tax (rule X3i).
 */
export function checkoutTax(
  seller: Seller,
  billing: Billing | null,
  sale: Sold,
  { least }: ChargeLimits,
): Checkout["tax"] {
  if (seller.taxRates.length === 0) return { rate: null };
  if (!billing?.address) return isTaxable(seller, sale) ? null : { rate: null };
  const rate = taxFor(seller, billing);
  const { productId, amount: price, discount } = sale;
  const left = billedOf(price - discountOn(discount, { productId, price }, null), rate);
  const isTooSmall = rate?.takenOut && left > 0 && left < least;
  return { rate: isTooSmall ? taxFor(seller, { ...billing, taxId: null }) : rate };
}

export type CardNeed = "charge" | "save" | "optional" | "none";

/** The use of the buyer's card (rules C2, C7h): charged now, saved only, saved if the buyer likes, or not asked for. */
export function cardNeed(checkout: Priced & Pick<Checkout, "trialCard" | "interval">): CardNeed {
  const { productId, amount: price, discount, trialDays, trialCard, interval, change } = checkout;
  if (change && dueToday(checkout) > 0) return "charge";
  if (isFreeForEver({ productId, price }, discount)) return "none";
  if (trialDays !== null) return trialCard === "required" ? "save" : "optional";
  if (dueToday(checkout) > 0) return "charge";
  return interval === null ? "none" : "save";
}

const HALF_HOUR = HOUR / 2;

/**
 * The end of the wait for a challenge: the Checkout's expiry, but at least an hour after the submission (rules C, D3p).
 */
export function challengeEndsAt(checkout: Pick<Checkout, "expiresAt" | "submittedAt">): Instant {
  return Math.max(checkout.expiresAt, (checkout.submittedAt ?? 0) + HOUR) as Instant;
}

/**
 * The end of the wait for a buyer on the provider's page: 30 minutes after the submission, also if the Checkout expires
 * earlier or later (rule C).
 */
export function hostedPageEndsAt({ submittedAt }: Pick<Checkout, "submittedAt">): Instant {
  return ((submittedAt ?? 0) + HALF_HOUR) as Instant;
}

/**
 * The Checkout after a failed payment: open for another try, or expired if its time is over. Its part of the balance is
 * free again (rule C7), and the values of its own fields are dropped (rule C14c). If no Customer was named, each
 * submission finds the Customer anew, so a mistyped e-mail is not kept. A refusal of the provider does not count as a
 * failed attempt of the buyer (rules C7f, D9).
 */
export function reopened(checkout: Checkout, reason: FailureCode, now: Instant): Checkout {
  const status = checkout.expiresAt <= now ? "expired" : "open";
  const dueAt = status === "open" ? checkout.expiresAt : null;
  const customerId = checkout.customerNamed || checkout.change ? checkout.customerId : null;
  const refused = isProviderRefusal(reason);
  const failedAttempts = checkout.failedAttempts + (refused ? 0 : 1);
  const lastPaymentError = { code: refused ? ("provider_refused" as const) : reason };
  const released = { submittedAt: null, settlement: null, fieldAnswers: null };
  return { ...checkout, ...released, status, customerId, dueAt, lastPaymentError, failedAttempts };
}
