import type { Instant, Interval } from "../calendar.ts";
import type { Amount } from "../money.ts";

/*
 * Customers and subscriptions of another billing system, as far as an import decides by them. `ref` is the id there.
 * Amounts are in minor units of ISO 4217.
 */

/**
 * The price of one unit. `amount`: null if there is no such amount in whole minor units.
 * `productName`: null if the product is in no list any more. `isTiered`: the amount depends
 * on the quantity in another way. `isMetered`: the quantity is the usage.
 */
export type ForeignPrice = {
  ref: string;
  product: string;
  productName: string | null;
  currency: string;
  amount: Amount | null;
  interval: Interval;
  intervalCount: number;
  isTiered: boolean;
  isMetered: boolean;
};

/** `quantity`: 0 for usage. `isDiscounted`: the item has discounts of its own. */
export type ForeignItem = { price: ForeignPrice; quantity: number; isDiscounted: boolean };

/** `terms`: null if the terms are not known. `endsAt`: null for a discount that has no end or is used once. */
export type ForeignDiscount = {
  ref: string;
  terms: { basisPoints: number } | { amount: Amount; currency: string } | null;
  duration: "once" | "repeating" | "forever";
  endsAt: Instant | null;
};

/**
 * The card or other payment method that the next renewal is charged to; null: none. `country`: of the card's bank, null
 * if unknown.
 */
export type ForeignPayment =
  | { type: "card"; ref: string; expYear: number; expMonth: number; country: string | null }
  | { type: "other"; name: string }
  | null;

/**
 * A subscription that has not ended. `hasSchedule`: changes are planned, other than an end. `hasOpenInvoice`: an
 * invoice is not final or not paid. `hasPendingItems`: amounts wait for the next invoice. `hasThreshold`: the amount of
 * usage may end a period. `hasOtherSeller`: a platform or another account takes part in the sale. `isTest`: the
 * Customer has the clock of a test.
 */
export type ForeignSubscription = {
  ref: string;
  status: "incomplete" | "trialing" | "active" | "past_due" | "unpaid" | "paused" | "unknown";
  currency: string;
  items: readonly ForeignItem[];
  collection: "automatic" | "invoice";
  payment: ForeignPayment;
  discounts: readonly ForeignDiscount[];
  taxes: "none" | "automatic" | "rates";
  nextChargeAt: Instant;
  trialEndsAt: Instant | null;
  endsAt: Instant | null;
  isPaused: boolean;
  hasSchedule: boolean;
  hasOpenInvoice: boolean;
  hasPendingItems: boolean;
  hasThreshold: boolean;
  hasOtherSeller: boolean;
  isTest: boolean;
};

/** A Customer with all subscriptions that have not ended. `balance`: above zero if the seller owes the Customer. */
export type ForeignCustomer = {
  ref: string;
  email: string | null;
  balance: Amount;
  taxIds: number;
  subscriptions: readonly ForeignSubscription[];
};
