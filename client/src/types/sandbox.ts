// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

import type { CheckoutField, UnitName } from "./checkouts.ts";

export interface UpdateCardParams {
  expMonth: number;
  expYear: number;
  /** The last four digits of the new card. Null: the card keeps its number. */
  last4?: string | null;
}

export interface RefundPaymentParams {
  /** In the currency's minor unit (cents for usd). The default is all that the provider can still refund. */
  amount?: number | null;
}

export interface FailRefundParams {
  failureCode?: "declined" | "card_gone" | "card_lost" | "insufficient_funds" | "canceled" | "disputed" | "unknown" | "amount_too_small" | "amount_too_large" | "currency_unsupported" | "request_invalid";
}

export interface DisputePaymentParams {
  reason?: "fraudulent" | "duplicate" | "not_received" | "not_as_described" | "subscription_canceled" | "refund_not_received" | "unrecognized" | "other";
  /** In the currency's minor unit (cents for usd). At most, and by default, the part of the payment that was not refunded to the card. */
  amount?: number | null;
  /** The bank only asks, and takes no money. */
  inquiry?: boolean;
}

export interface CloseDisputeParams {
  outcome: "won" | "lost" | "closed";
}

export interface Clock {
  /** RFC 3339 in UTC with milliseconds. */
  now: string;
  /** Null: no advance is under way. */
  target: string | null;
  /** The number of due items that the present or last advance has carried out. */
  done: number;
}

export interface SetClockParams {
  now: string;
}

export interface AdvanceClockParams {
  to?: string;
  by?: string;
  toNextDue?: true;
}

export interface ClockAdvance {
  /** RFC 3339 in UTC with milliseconds. */
  now: string;
  /** The number of due items that the present or last advance has carried out. */
  done: number;
}

export interface ClockAdvancing {
  /** RFC 3339 in UTC with milliseconds. */
  now: string;
  /** RFC 3339 in UTC with milliseconds. */
  target: string;
  /** The number of due items that the present or last advance has carried out. */
  done: number;
}

export interface PayCheckoutParams {
  /** A card number. Can be left out if no amount is due now and no card is asked for. */
  card?: string | null;
  email?: string | null;
  name?: string | null;
  companyName?: string | null;
  /** Required if tax rates exist and the Customer's country is not known. */
  billingAddress?: {
    /** ISO 3166-1 alpha-2. Lower case is accepted too. */
    country: string;
    line1?: string | null;
    line2?: string | null;
    postalCode?: string | null;
    city?: string | null;
    state?: string | null;
  } | null;
  taxId?: {
    type: string;
    /** If there is a check for the type, the value is stored in upper case without spaces, dots and dashes. */
    value: string;
    /** Ignored. A tax id can be sent as it was read. */
    verification?: string;
  } | null;
  /** The values of the Checkout's own fields, by key. */
  fieldValues?: Record<string, string | number | boolean | null>;
}

export interface PaidCheckout {
  id: string;
  /** `processing`: the payment is submitted, and its outcome is not known yet. */
  status: "open" | "processing" | "completed" | "expired";
  /** The hosted page. The secret in the address opens only this Checkout. */
  url: string;
  /** The payment link that sold the Product. Null: an operation made the Checkout. */
  paymentLinkId: string | null;
  productId: string;
  customerId: string | null;
  externalCustomerId: string | null;
  subscriptionId: string | null;
  invoiceId: string | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** The number of units, from 1 to 100,000. */
  quantity: number;
  /** The quantities among which the buyer may choose on the page. Null: the quantity is fixed. */
  quantityChange: {
    minimum: number;
    maximum: number;
  } | null;
  /** The price of one unit, in the currency's minor unit: the total ÷ `quantity`. */
  unitAmount: number;
  /** Null: the unit has no name. */
  unitName: UnitName | null;
  /** The price of today, in the currency's minor unit. With a trial, the price is 0. */
  subtotalAmount: number;
  /** In the currency's minor unit (cents for usd). */
  discountAmount: number;
  /** Null while tax may be due and no billing country is known. `totalAmount`, `balanceApplied` and `amountDue` are then null too. */
  taxAmount: number | null;
  /** `subtotalAmount` less discount, plus tax on top. For the change of a Subscription: `amountDue`. */
  totalAmount: number | null;
  /** The part that the Customer's balance settles, in the currency's minor unit. A purchase uses 0 to `totalAmount`, and only if the request named the Customer by `customerId`, `externalCustomerId` or `customer.externalId`. A part that the provider can't charge counts in any case: the provider charges some currencies in multiples (rule M5). While the status is `open`, the amount follows the balance. `processing` and `completed`: the amount is fixed. `expired`: 0. The change of a Subscription may add to the balance or collect a debt. The amount is then below 0. */
  balanceApplied: number | null;
  /** The amount that the card pays today, in the currency's minor unit, 0 or more. */
  amountDue: number | null;
  /** The list price of all units that renews, before discount and tax. */
  recurringAmount: number | null;
  interval: "day" | "week" | "month" | "year" | null;
  intervalCount: number | null;
  trialDays: number | null;
  discountId: string | null;
  allowDiscountCodes: boolean;
  /** `{CHECKOUT_ID}` in the address is replaced by the id of the Checkout. */
  successUrl: string | null;
  cancelUrl: string | null;
  /** The language tag (BCP 47) of the page. Null: the language of the Customer, else the language of the browser. */
  locale: string | null;
  lastPaymentError: {
    code: string;
    message: string;
  } | null;
  /** RFC 3339 in UTC with milliseconds. */
  expiresAt: string;
  completedAt: string | null;
  /** Your own questions to the buyer on the page. Null: there are none. */
  fields: CheckoutField[] | null;
  /** The buyer's values of your own fields, by key. An optional field without a value is left out. Null: the purchase has no fields, or is not submitted. */
  fieldValues: Record<string, string | number | boolean> | null;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
  /** The next step of the buyer: to authenticate the payment at this address of their bank, or to pay on this page of the provider. */
  nextAction: {
    type: "challenge";
    url: string;
  } | null;
}

export interface SetCardParams {
  /** A card number. */
  card: string;
}
