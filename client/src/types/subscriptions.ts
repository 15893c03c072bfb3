// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

import type { ProductKey } from "../catalogue.ts";

export interface Subscription {
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
}

export interface UpdateSubscriptionParams {
  productId?: string;
  productKey?: ProductKey;
  /** The number of units. Without a Product, and for the current one, the price of a unit stays as sold. Without `quantity`, the number stays. */
  quantity?: number;
  /** Only with a Product: at the present price of the catalogue. Without `price`, a request for the current Product keeps the price as sold, and only withdraws a change that is pending. For another Product, `price` makes no difference. */
  price?: "catalogue";
  /** Only with a Product or a quantity. The default is the Organization's: `defaultProration` for another Product, and `quantityRise` or `quantityFall` for another quantity alone. */
  prorationBehavior?: "invoice_now" | "next_invoice" | "next_period" | "none";
  /** `true` schedules the cancellation, `false` undoes it. */
  cancelAtPeriodEnd?: boolean;
  /** Only with `cancelAtPeriodEnd: true`. */
  cancellationReason?: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other";
  /** Only with `cancelAtPeriodEnd: true`. */
  cancellationComment?: string;
}

export interface CreateSubscriptionParams {
  customerId?: string | null;
  externalCustomerId?: string | null;
  productId?: string | null;
  productKey?: ProductKey | null;
  /** The number of units, within the limits of the Product. The default is the Product's minimum. */
  quantity?: number | null;
  currency?: string | null;
  /** The price of a period, in the currency's minor unit (cents for usd): the total of all units, and a multiple of `quantity`. The default is the price of the Product times `quantity`. Send 0 for a complimentary Subscription. */
  amount?: number | null;
  /** The begin of a Subscription that began elsewhere. Its present period counts as paid there and is not invoiced. */
  startedAt?: string | null;
  /** Only with `startedAt`. The periods are counted from this instant. The default is `startedAt`. */
  anchorAt?: string | null;
  /** The end of the free trial. No invoice is made before this time. */
  trialEnd?: string | null;
  /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
  metadata?: Record<string, string | number | boolean>;
}

export interface ChangePreview {
  lines: PreviewLine[];
  /** The amount that would be charged now. */
  chargeAmount: number;
  /** Positive: the Customer has credit. */
  balanceChange: number;
  /** RFC 3339 in UTC with milliseconds. */
  effectiveAt: string;
  nextInvoice: {
    /** RFC 3339 in UTC with milliseconds. */
    date: string;
    lines: PreviewLine[];
    /** In the currency's minor unit (cents for usd). */
    totalAmount: number;
  } | null;
}

export interface PreviewLine {
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
}

export interface PauseSubscriptionParams {
  /** The Subscription resumes by itself at this instant. It is after the end of the period, and at most three years after that end. Null: the pause lasts until a request resumes the Subscription. */
  resumesAt?: string | null;
  /** `revoke`: the grants are revoked when the pause begins. `keep`: they stay. */
  access: "revoke" | "keep";
}

export interface ChangeDiscountParams {
  /** The discount from the next period on, in place of the present one. Null: no discount. */
  discountCode: string | null;
}

export interface NextInvoicePreview {
  /** The next invoice without the change. Null: there is none. */
  before: {
    /** RFC 3339 in UTC with milliseconds. */
    date: string;
    lines: PreviewLine[];
    /** In the currency's minor unit (cents for usd). */
    totalAmount: number;
  } | null;
  /** The next invoice after the change. Null: there is none. */
  after: {
    /** RFC 3339 in UTC with milliseconds. */
    date: string;
    lines: PreviewLine[];
    /** In the currency's minor unit (cents for usd). */
    totalAmount: number;
  } | null;
}

export interface ExtendTrialParams {
  /** The new end of the trial: not before the present one, and at most 730 days after its start. */
  trialEnd: string;
}

export interface CancelSubscriptionParams {
  cancellationReason?: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other";
  cancellationComment?: string;
}

export interface TimelineEntry {
  eventId: string;
  /** RFC 3339 in UTC with milliseconds. */
  at: string;
  type: "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
  resourceId: string;
  text: string;
}

export interface ListSubscriptionsParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  customerId?: string;
  externalCustomerId?: string;
  productId?: string;
  status?: "trialing" | "active" | "past_due" | "paused" | "canceled";
}

export interface ListSubscriptionTimelineParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}
