// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

import type { Refund } from "./invoices.ts";

export interface CreateCustomerParams {
  /** At most 320 characters. Case does not matter. The domain has a dot, and letters and digits of any script. */
  email: string;
  name?: string | null;
  companyName?: string | null;
  externalId?: string | null;
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
  locale?: string | null;
  /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
  metadata?: Record<string, string | number | boolean>;
}

export interface Customer {
  id: string;
  email: string;
  name: string | null;
  /** The company for which the Customer buys. Documents show the company before the name. */
  companyName: string | null;
  /** The caller's own id for this Customer. */
  externalId: string | null;
  billingAddress: {
    /** ISO 3166-1 alpha-2, upper case. */
    country: string;
    line1: string | null;
    line2: string | null;
    postalCode: string | null;
    city: string | null;
    state: string | null;
  } | null;
  taxId: {
    type: string;
    value: string;
    /** `format`: format and check digits are right. `unsupported`: there is no check for this type. `failed`: the value is wrong and was stored before the check. Only `format` can lead to reverse charge. More values may be added. */
    verification: "format" | "unsupported" | "failed";
  } | null;
  /** The language tag (BCP 47) of the Customer's pages and e-mails; null: not known. */
  locale: string | null;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

export interface PaymentMethod {
  id: string;
  customerId: string;
  type: "card";
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  /** Charged for every Subscription without a card of its own. */
  isDefault: boolean;
  /** A payment with this card is disputed or lost. The card is charged only when the buyer pays with it. */
  disputed: boolean;
  /** From then on the card can't be charged any more. A detached card stays detached. */
  detachedAt: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
}

export interface UpdateCustomerParams {
  /** At most 320 characters. Case does not matter. The domain has a dot, and letters and digits of any script. */
  email?: string;
  name?: string | null;
  companyName?: string | null;
  /** Set only once. A Customer with an `externalId` keeps it. */
  externalId?: string | null;
  /** Replaces the whole address. */
  billingAddress?: {
    /** ISO 3166-1 alpha-2. Lower case is accepted too. */
    country: string;
    line1?: string | null;
    line2?: string | null;
    postalCode?: string | null;
    city?: string | null;
    state?: string | null;
  } | null;
  /** Needs a billing address with its country. */
  taxId?: {
    type: string;
    /** If there is a check for the type, the value is stored in upper case without spaces, dots and dashes. */
    value: string;
    /** Ignored. A tax id can be sent as it was read. */
    verification?: string;
  } | null;
  locale?: string | null;
  /** Replaces all metadata. */
  metadata?: Record<string, string | number | boolean>;
}

export interface Balances {
  data: ({
    /** ISO 4217, lower case. */
    currency: string;
    /** Positive: the Customer has credit. */
    amount: number;
    /** Credit that came from a disputed or lost payment. This credit can't be spent (rule D7). */
    held: number;
    /** The amount less the held credit. Renewals and changes use this amount. */
    available: number;
  })[];
}

export interface BalanceEntry {
  id: string;
  /** ISO 4217, lower case. */
  currency: string;
  /** Positive: the Customer has credit. */
  amount: number;
  /** The part of the amount that still counts. Above zero: credit that is not used. Below zero: a debt. The balance is the sum of these parts. */
  remaining: number;
  reason: "invoice" | "invoice_voided" | "unapplied_payment" | "refund" | "adjustment" | "written_off" | "paid_out" | "payout_failed" | "dispute_lost" | "refund_failed";
  /** The source of credit: a Payment, a refund that failed late, money from outside of Billow, or a grant. Only credit from a Payment can be paid out (rules I7, I8). Null for an entry below zero. */
  source: "payment" | "refund_failed" | "outside" | "granted" | null;
  /** The Payment that the credit came from, or whose refund failed. */
  paymentId: string | null;
  /** The billed line that the credit gives back. */
  creditedLineId: string | null;
  /** The reason that was given with the adjustment. */
  note: string | null;
  invoiceId: string | null;
  refundId: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
}

export interface AdjustBalanceParams {
  /** ISO 4217. Upper case is accepted too. */
  currency: string;
  /** In the currency's minor unit (cents for usd). Added to the balance, or taken from the balance if negative. */
  amount: number;
  /** The reason, in your own words. The entry shows this text as `note`. */
  reason: string;
}

export interface CreateCustomerPortalSessionParams {
  /** The address that the portal links back to. */
  returnUrl?: string | null;
}

export interface PortalSession {
  /** Signs this Customer in once. Redirect the Customer's browser to this address at once. */
  url: string;
  /** The link works for 60 seconds of real time, in a sandbox too. */
  expiresAt: string;
}

export interface PayOutBalanceParams {
  /** ISO 4217. Upper case is accepted too. */
  currency: string;
  /** In the currency's minor unit (cents for usd). The default is all credit that can be paid out, each Refund rounded down to an amount that the payment provider refunds (rule M5). */
  amount?: number | null;
  /** The reason, in your own words. */
  reason?: string | null;
}

export interface BalanceRefunds {
  data: Refund[];
}

export interface ListCustomersParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  email?: string;
  externalId?: string;
  /** A part of the e-mail address, the name, the company or the externalId. */
  search?: string;
}

export interface ListCustomerBalanceEntriesParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  /** ISO 4217. Upper case is accepted too. */
  currency?: string;
}

export interface ListCustomerPaymentMethodsParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}
