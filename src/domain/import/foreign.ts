import type { Instant, Interval } from "../calendar.ts";
import type { Amount } from "../money.ts";
import type { Address } from "../tax/address.ts";
import type { TaxId } from "../tax/tax-id.ts";

/*
 * Customers and subscriptions of another billing system, as far as an import decides by them. `ref` is the id there.
 * Amounts are in minor units of ISO 4217.
 */

/**
 * The price of one unit. `amount`: null if there is no such amount in whole minor units.
 * `productName`: null if the product is in no list any more. `unitLabel`: the noun of a unit. `isTiered`: the amount
 * depends on the quantity in another way. `isMetered`: the quantity is the usage.
 */
export type ForeignPrice = {
  ref: string;
  product: string;
  productName: string | null;
  unitLabel: string | null;
  currency: string;
  amount: Amount | null;
  interval: Interval;
  intervalCount: number;
  isTiered: boolean;
  isMetered: boolean;
};

/** `quantity`: 0 for usage. `isDiscounted`: the item has discounts of its own. */
export type ForeignItem = { price: ForeignPrice; quantity: number; isDiscounted: boolean };

/**
 * `terms`: null if the terms are not known. `months`: of a repeating discount; null if unknown. `endsAt`: null for a
 * discount that has no end or is used once.
 */
export type ForeignDiscount = {
  ref: string;
  terms: { basisPoints: number } | { amount: Amount; currency: string } | null;
  duration: "once" | "repeating" | "forever";
  months: number | null;
  startedAt: Instant;
  endsAt: Instant | null;
};

/**
 * `fingerprint`: the same for each use of one card, or the ref if the provider knows none. `brand`: as the provider
 * names it in our own payments. `country`: of the card's bank, null if unknown.
 */
export type ForeignCard = {
  type: "card";
  ref: string;
  fingerprint: string;
  brand: string;
  last4: string;
  expYear: number;
  expMonth: number;
  country: string | null;
};

/** A card or another payment method; null: none. */
export type ForeignPayment = ForeignCard | { type: "other"; name: string } | null;

/**
 * A subscription that has not ended. `payment`: the next renewal is charged to it. `anchorAt`: the periods are counted
 * from this instant. `latestInvoice`: the id of the last invoice; null: there is none. `hasSchedule`: changes are
 * planned, other than an end. `hasOpenInvoice`: an invoice is not final or not paid. `hasPendingItems`: amounts wait
 * for the next invoice. `hasThreshold`: the amount of usage may end a period. `hasOtherSeller`: a platform or another
 * account takes part in the sale. `isTest`: the Customer has the clock of a test.
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
  startedAt: Instant;
  anchorAt: Instant;
  periodStart: Instant;
  periodEnd: Instant;
  metadata: Readonly<Record<string, string>>;
  latestInvoice: string | null;
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

/** `locales`: language tags, the best one first. `address`: its country may be missing. */
export type ForeignDetails = {
  name: string | null;
  companyName: string | null;
  address: (Omit<Address, "country"> & { country: string | null }) | null;
  taxIds: readonly TaxId[];
  locales: readonly string[];
  metadata: Readonly<Record<string, string>>;
};

/**
 * A Customer with all subscriptions that have not ended. `payment`: the default for subscriptions without a payment
 * method of their own. `balance`: above zero if the seller owes the Customer.
 */
export type ForeignCustomer = {
  ref: string;
  email: string | null;
  details: ForeignDetails;
  payment: ForeignPayment;
  balance: Amount;
  taxIds: number;
  subscriptions: readonly ForeignSubscription[];
};

/**
 * The next invoice of a subscription, as the other system previews it. `total`: after discounts and taxes, before the
 * Customer's balance. `subtotal`: before all three. `tax`: on top of the prices or in them.
 */
export type UpcomingInvoice = {
  currency: string;
  subtotal: Amount;
  discount: Amount;
  tax: Amount;
  total: Amount;
};
