import type { Instant, Interval } from "../calendar.ts";
import { minimumCharge } from "../currency.ts";
import { discountOn, isFreeForEver, type HeldDiscount } from "../discount/discount.ts";
import { lineTotal, type Totals } from "../invoice/invoice.ts";
import type { Metadata } from "../catalogue/product.ts";
import type { ProrationBehavior } from "../subscription/proration.ts";
import { billedLine, billedOf, taxFor, taxOf, type Billing, type LineTax, type Seller } from "../tax/tax.ts";

export type CheckoutStatus = "open" | "processing" | "completed" | "expired";

/** What is asked of a Subscription beside its Product. `undo`: a scheduled cancellation is undone with it. */
export type AskedChange = { behavior: ProrationBehavior; undo: boolean };
/** A Checkout's change of a Subscription, and what that came to when it was last reckoned; see rule C6. */
export type CheckoutChange = AskedChange & { totals: Totals };

/** A purchase in the making; Product and price are fixed when it is created (rule C3a). */
export type Checkout = {
  organizationId: string;
  id: string;
  status: CheckoutStatus;
  productId: string;
  customerId: string | null;
  customerNamed: boolean;
  subscriptionId: string | null;
  invoiceId: string | null;
  productName: string;
  groupKey: string | null;
  currency: string;
  amount: number;
  interval: Interval | null;
  intervalCount: number | null;
  trialDays: number | null;
  trialCard: "required" | "optional";
  discount: HeldDiscount | null;
  /** Where the buyer said to be on the page; null: where the Customer is. */
  billing: Billing | null;
  /** Null while there are tax rates and the buyer's country is not known. */
  tax: { rate: LineTax | null } | null;
  /** Null: it sells something new. */
  change: CheckoutChange | null;
  successUrl: string | null;
  cancelUrl: string | null;
  lastPaymentError: { code: string; message: string } | null;
  failedAttempts: number;
  submittedAt: Instant | null;
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

type Priced = Pick<Checkout, "productId" | "amount" | "trialDays" | "discount" | "tax" | "change">;

/** A Product and its price, as far as the tax depends on them. */
export type Sold = Pick<Checkout, "productId" | "amount" | "currency" | "discount">;

export type CheckoutTotals = { subtotalAmount: number; discountAmount: number; taxAmount: number | null; totalAmount: number | null };

/**
 * What is due today, in minor units; a trial makes it 0, and an unknown country leaves tax and total open (rule C3e). Of a change the total
 * is what the balance leaves to be paid.
 */
export function checkoutTotals({ productId, amount: price, trialDays, discount, tax, change }: Priced): CheckoutTotals {
  if (change) {
    const { subtotalAmount, discountAmount, taxAmount, amountDue: totalAmount } = change.totals;
    return { subtotalAmount, discountAmount, taxAmount, totalAmount };
  }
  const [full, off] = trialDays === null ? [price, discountOn(discount, { productId, price }, null)] : [0, 0];
  const { amount: subtotalAmount, discountAmount } = billedLine(full, off, tax?.rate ?? null);
  if (!tax) return { subtotalAmount, discountAmount, taxAmount: null, totalAmount: null };
  const taxAmount = taxOf(subtotalAmount - discountAmount, tax.rate);
  const line = { amount: subtotalAmount, discountAmount, taxAmount, tax: tax.rate };
  return { subtotalAmount, discountAmount, taxAmount, totalAmount: lineTotal(line) };
}

/** What is due today; before tax while the buyer's country is not known. */
export function dueToday(checkout: Priced): number {
  const { totalAmount, subtotalAmount, discountAmount } = checkoutTotals(checkout);
  return totalAmount ?? subtotalAmount - discountAmount;
}

/**
 * The tax of a Checkout for a buyer: open while there are rates and the buyer's place is not known (rules C3e, X3). Where the price without
 * its tax is too small to be charged, the tax is charged with it (rule M5).
 */
export function checkoutTax(seller: Seller, billing: Billing | null, sale: Sold): Checkout["tax"] {
  if (seller.taxRates.length === 0) return { rate: null };
  if (!billing?.address) return null;
  const rate = taxFor(seller, billing);
  const { productId, amount: price, currency, discount } = sale;
  const left = billedOf(price - discountOn(discount, { productId, price }, null), rate);
  const isTooSmall = rate?.takenOut && left > 0 && left < minimumCharge(currency);
  return { rate: isTooSmall ? taxFor(seller, { ...billing, taxId: null }) : rate };
}

export type CardNeed = "charge" | "save" | "optional" | "none";

/** Whether the buyer gives a card, and what becomes of it (rule C2): charged now, only saved, saved if they like, or not asked for. */
export function cardNeed(checkout: Priced & Pick<Checkout, "trialCard" | "interval">): CardNeed {
  const { productId, amount: price, discount, trialDays, trialCard, interval, change } = checkout;
  if (change && dueToday(checkout) > 0) return "charge";
  if (isFreeForEver({ productId, price }, discount)) return "none";
  if (trialDays !== null) return trialCard === "required" ? "save" : "optional";
  if (dueToday(checkout) > 0) return "charge";
  return interval === null ? "none" : "save";
}

const HOUR = 3_600_000;

/** A challenge is waited for until the Checkout's time is past, but at least for an hour (rule C). */
export function challengeEndsAt(checkout: Pick<Checkout, "expiresAt" | "submittedAt">): Instant {
  return Math.max(checkout.expiresAt, (checkout.submittedAt ?? 0) + HOUR) as Instant;
}

/**
 * The payment of a submitted Checkout failed: the buyer may try again, unless its time is past meanwhile. Who they are is resolved with
 * each submission where no Customer was named, so that a mistyped e-mail is not kept.
 */
export function reopened(checkout: Checkout, error: { code: string; message: string }, now: Instant): Checkout {
  const status = checkout.expiresAt <= now ? "expired" : "open";
  const dueAt = status === "open" ? checkout.expiresAt : null;
  const customerId = checkout.customerNamed || checkout.change ? checkout.customerId : null;
  const failedAttempts = checkout.failedAttempts + 1;
  return { ...checkout, status, customerId, dueAt, submittedAt: null, lastPaymentError: error, failedAttempts };
}
