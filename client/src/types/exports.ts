// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

import type { ManagedBenefitGrant } from "./benefit-grants.ts";
import type { Checkout } from "./checkouts.ts";
import type { CreditNote } from "./credit-notes.ts";
import type { Dispute } from "./disputes.ts";
import type { EmailWithBody } from "./emails.ts";
import type { Event } from "./events.ts";
import type { Invoice, Refund } from "./invoices.ts";

export interface CustomerExport {
  format: "billow-customer-export";
  formatVersion: 1;
  /** The instant of the state, in real time. */
  exportedAt: string;
  seller: {
    id: string;
    name: string;
    legalName: string | null;
  };
  customer: ExportedCustomer;
  balances: ({
    /** ISO 4217, lower case. */
    currency: string;
    /** Positive: the Customer has credit. */
    amount: number;
    /** Credit that came from a disputed or lost payment. This credit can't be spent (rule D7). */
    held: number;
    /** The amount less the held credit. Renewals and changes use this amount. */
    available: number;
  })[];
  paymentMethods: ExportedPaymentMethod[];
  subscriptions: ExportedSubscription[];
  checkouts: Checkout[];
  invoices: Invoice[];
  waitingLines: WaitingLine[];
  creditNotes: CreditNote[];
  payments: ExportedPayment[];
  refunds: Refund[];
  disputes: Dispute[];
  balanceEntries: ExportedBalanceEntry[];
  benefitGrants: ManagedBenefitGrant[];
  licenseActivations: ExportedLicenseActivation[];
  emails: EmailWithBody[];
  events: Event[];
}

export interface ExportedCustomer {
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
  defaultPaymentMethodId: string | null;
  /** The Customer at each account of a provider, such as `cus_…` of Stripe. */
  providerCustomers: ({
    /** `stripe` or `sandbox`. */
    provider: string;
    /** The account at the provider, such as `acct_…`. */
    account: string;
    ref: string;
  })[];
}

export interface ExportedPaymentMethod {
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
  /** `stripe` or `sandbox`. */
  provider: string;
  /** The account at the provider, such as `acct_…`. */
  providerAccount: string;
  /** The card at the provider, such as `pm_…` of Stripe. */
  providerRef: string;
}

export interface ExportedSubscription {
  id: string;
  status: "trialing" | "active" | "past_due" | "paused" | "canceled";
  customerId: string;
  externalCustomerId: string | null;
  productId: string;
  checkoutId: string | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** The price of a period as sold, in the currency's minor unit: the total of all units. */
  amount: number;
  /** The number of units, from 1 to 100,000. */
  quantity: number;
  /** The price of one unit, in the currency's minor unit: the total ÷ `quantity`. */
  unitAmount: number;
  interval: "day" | "week" | "month" | "year";
  intervalCount: number;
  /** RFC 3339 in UTC with milliseconds. */
  currentPeriodStart: string;
  /** The first instant after the period. */
  currentPeriodEnd: string;
  trialStart: string | null;
  trialEnd: string | null;
  cancelAtPeriodEnd: boolean;
  /** The planned end. */
  cancelAt: string | null;
  /** The time of the request to cancel. */
  canceledAt: string | null;
  endedAt: string | null;
  /** `payment_failed`: no attempt of dunning succeeded, or a trial had no card. `unrecognized`: the Customer did not recognize a purchase by their e-mail address, and ended it in the portal. `price_not_accepted`: the Customer did not agree to a new price in time. */
  cancellationReason: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other" | "payment_failed" | "unrecognized" | "price_not_accepted" | null;
  cancellationComment: string | null;
  /** The price that the buyer agreed to. This price is fixed when the change is scheduled. */
  pendingChange: {
    productId: string;
    /** In the currency's minor unit (cents for usd). */
    amount: number;
    /** The number of units, from 1 to 100,000. */
    quantity: number;
    /** The price of one unit, in the currency's minor unit: the total ÷ `quantity`. */
    unitAmount: number;
    /** ISO 4217, lower case. */
    currency: string;
    interval: "day" | "week" | "month" | "year";
    intervalCount: number;
    /** RFC 3339 in UTC with milliseconds. */
    effectiveAt: string;
  } | null;
  /** The pause that is scheduled for the end of the period, or that has begun. */
  pause: {
    /** RFC 3339 in UTC with milliseconds. */
    startsAt: string;
    /** Null: the pause lasts until a request resumes it. */
    resumesAt: string | null;
    access: "revoke" | "keep";
  } | null;
  /** The new price of which the Customer was given notice, and which is not charged yet. */
  priceChange: {
    id: string;
    /** The price of one unit, in the currency's minor unit: the total ÷ `quantity`. */
    unitAmount: number;
    /** The new total of a period, for the present quantity. */
    amount: number;
    /** The first period that begins then or later has the new price. */
    effectiveAt: string;
    consent: "notice" | "required";
    consentedAt: string | null;
  } | null;
  discountId: string | null;
  /** Another discount from the next period on. A `discountId` of null: no discount. */
  pendingDiscount: {
    discountId: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    effectiveAt: string;
  } | null;
  /** The subscription of another system from which this one was imported. */
  imported: {
    source: "stripe" | "csv";
    /** The id of the subscription in the other system. */
    reference: string;
    /** `true`: the other system still bills the Customer. Until the cut-over Billow does not charge or change the Subscription, and access is granted. */
    held: boolean;
  } | null;
  /** The buyer's values of your own fields, by key. An optional field without a value is left out. Null: the purchase has no fields, or is not submitted. */
  fieldValues: Record<string, string | number | boolean> | null;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  startedAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
  /** A card of its own; null: the Customer's default card. */
  paymentMethodId: string | null;
}

/** A line that is on no invoice yet. The next invoice of the Subscription takes the line. */
export interface WaitingLine {
  id: string;
  description: string;
  productId: string;
  /** The number of units, of which the line bills a period or a part of it. */
  quantity: number;
  /** The price of one unit for a whole period, before discount, in the currency's minor unit. Null for a credit or debit from before the price was kept. */
  unitAmount: number | null;
  /** In the currency's minor unit (cents for usd). A credit is negative. */
  amount: number;
  /** In the currency's minor unit (cents for usd). */
  discountAmount: number;
  /** For a discount for months that ends within the period. The discount covers the time from `start` to `until`. It is taken off in proportion to the time from `start` to `end`. Null without a discount, or if the discount covers the whole period. */
  discountedPart: {
    /** RFC 3339 in UTC with milliseconds. */
    start: string;
    /** RFC 3339 in UTC with milliseconds. */
    until: string;
    /** RFC 3339 in UTC with milliseconds. */
    end: string;
  } | null;
  /** In the currency's minor unit (cents for usd). */
  taxAmount: number;
  /** The tax rate of the line, in basis points: 1900 is 19 %. With `reverseCharge`, the buyer accounts for the tax, and the line has no tax. */
  taxRate: {
    name: string;
    basisPoints: number;
    inclusive: boolean;
    reverseCharge: boolean;
  } | null;
  proration: boolean;
  periodStart: string | null;
  periodEnd: string | null;
  /** The billed line that this credit gives back. Null for other lines. */
  creditedLineId: string | null;
  customerId: string;
  subscriptionId: string;
}

export interface ExportedPayment {
  id: string;
  invoiceId: string | null;
  checkoutId: string | null;
  subscriptionId: string | null;
  customerId: string | null;
  /** `unknown`: the provider has no outcome yet, or could not be asked. Billow asks until it has one. */
  status: "pending" | "requires_action" | "succeeded" | "failed" | "unknown";
  /** In the currency's minor unit (cents for usd). */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  trigger: "checkout" | "renewal" | "product_change" | "retry" | "manual" | "new_card";
  /** Null until the success, if the buyer gives the card on the provider's page. Then null only if the provider took the money and named no card. */
  method: {
    type: "card";
    brand: string;
    last4: string;
    expMonth: number;
    expYear: number;
  } | null;
  /** True if the provider has accepted the payment and has no outcome yet, and false if the outcome is unknown. Always false unless the status is `unknown`. */
  processing: boolean;
  /** The reason of the failure, from the provider. Billow gives `card_disputed` itself, without a call to the provider. */
  failureCode: string | null;
  /** The next step of the buyer: to authenticate the payment at this address of their bank, or to pay on this page of the provider. */
  nextAction: {
    type: "challenge";
    url: string;
  } | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  settledAt: string | null;
  /** `stripe` or `sandbox`. */
  provider: string;
  /** The account at the provider, such as `acct_…`. */
  providerAccount: string;
  /** The charge at the provider, such as `pi_…` of Stripe. Null: the provider has no own id. */
  providerRef: string | null;
}

export interface ExportedBalanceEntry {
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
  customerId: string;
}

export interface ExportedLicenseActivation {
  id: string;
  label: string | null;
  metadata: Record<string, string | number | boolean>;
  /** The last validation on this device, noted once a day. Null: no validation after the first day. */
  lastSeenAt: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  benefitGrantId: string;
}
