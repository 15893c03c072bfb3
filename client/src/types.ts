// Generated from the OpenAPI document of the public API, and from what events show: npm run gen.

export interface CreateCustomerParams {
  /** At most 320 characters; compared without case. The domain has a dot, and letters and digits of any script. */
  email: string;
  name?: string | null;
  externalId?: string | null;
  billingAddress?: {
    /** ISO 3166-1 alpha-2; lower case is taken, too. */
    country: string;
    line1?: string | null;
    line2?: string | null;
    postalCode?: string | null;
    city?: string | null;
    state?: string | null;
  } | null;
  taxId?: {
    type: string;
    /** Stored without spaces, dots and dashes, in upper case, where there is a check for the type. */
    value: string;
    /** Ignored, so that a tax id can be sent as it was read. */
    verification?: string;
  } | null;
  /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
  metadata?: Record<string, string | number | boolean>;
}

export interface Customer {
  id: string;
  email: string;
  name: string | null;
  /** The caller's own id of this Customer. */
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
    /** `format`: format and check digits are right. `unsupported`: there is no check for its type. `failed`: it was stored before it was checked, and is wrong. Only `format` can lead to reverse charge. More values may be added. */
    verification: "format" | "unsupported" | "failed";
  } | null;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

export interface CreateCheckoutParams {
  productId?: string | null;
  productKey?: string | null;
  customerId?: string | null;
  externalCustomerId?: string | null;
  customer?: CreateCustomerParams | null;
  /** Change this Subscription to the Product once paid, instead of making a new one. */
  subscriptionId?: string | null;
  currency?: string | null;
  discountCode?: string | null;
  successUrl?: string | null;
  cancelUrl?: string | null;
  /** 24 hours when left out. */
  expiresInMinutes?: number | null;
  /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
  metadata?: Record<string, string | number | boolean>;
}

export interface Checkout {
  id: string;
  /** `processing`: payment submitted, outcome not known yet. */
  status: "open" | "processing" | "completed" | "expired";
  /** The hosted page; its secret authorises this Checkout alone. */
  url: string;
  productId: string;
  customerId: string | null;
  externalCustomerId: string | null;
  subscriptionId: string | null;
  invoiceId: string | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** Due today, in the currency's minor unit; a trial makes it 0. */
  subtotalAmount: number;
  /** In the currency's minor unit. */
  discountAmount: number;
  /** Null while tax may be due and no billing country is known; so is `totalAmount`. */
  taxAmount: number | null;
  totalAmount: number | null;
  /** The list price that renews, before discount and tax. */
  recurringAmount: number | null;
  interval: "day" | "week" | "month" | "year" | null;
  intervalCount: number | null;
  trialDays: number | null;
  discountId: string | null;
  /** `{CHECKOUT_ID}` in it is replaced. */
  successUrl: string | null;
  cancelUrl: string | null;
  lastPaymentError: {
    code: string;
    message: string;
  } | null;
  /** RFC 3339 in UTC with milliseconds. */
  expiresAt: string;
  completedAt: string | null;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

export interface Subscription {
  id: string;
  status: "trialing" | "active" | "past_due" | "canceled";
  customerId: string;
  externalCustomerId: string | null;
  productId: string;
  checkoutId: string | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** The price of a period as sold, in the currency's minor unit. */
  amount: number;
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
  /** When the cancellation was asked for. */
  canceledAt: string | null;
  endedAt: string | null;
  cancellationReason: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other" | "payment_failed" | null;
  cancellationComment: string | null;
  /** The price the buyer agreed to, fixed when scheduled. */
  pendingChange: {
    productId: string;
    /** In the currency's minor unit. */
    amount: number;
    /** ISO 4217, lower case. */
    currency: string;
    interval: "day" | "week" | "month" | "year";
    intervalCount: number;
    /** RFC 3339 in UTC with milliseconds. */
    effectiveAt: string;
  } | null;
  discountId: string | null;
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
  productKey?: string;
  /** Only with a Product; the Organization's default when left out. */
  prorationBehavior?: "invoice_now" | "next_invoice" | "next_period" | "none";
  /** `true` schedules the cancellation, `false` undoes it. */
  cancelAtPeriodEnd?: boolean;
  /** Only with `cancelAtPeriodEnd: true`. */
  cancellationReason?: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other";
  /** Only with `cancelAtPeriodEnd: true`. */
  cancellationComment?: string;
}

export interface BenefitGrant {
  id: string;
  customerId: string;
  externalCustomerId: string | null;
  benefitId: string;
  /** What it was granted for: this, or a one-time purchase (`invoiceId`). */
  subscriptionId: string | null;
  invoiceId: string | null;
  benefit: GrantedBenefit;
  /** Shaped by `benefit.type`. */
  properties: {
    key: string;
    activationLimit: number | null;
    activations: number;
  } | {
    files: ({
      name: string;
      size: number;
      url: string;
    })[];
  } | {
    feature: string;
    value: boolean | number | string;
  } | {
    note: string | null;
  };
  /** RFC 3339 in UTC with milliseconds. */
  grantedAt: string;
  /** When access ends unless something happens first; null while it renews. */
  expiresAt: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
}

export interface GrantedBenefit {
  id: string;
  key: string | null;
  type: "feature" | "license_key" | "download" | "custom";
  name: string;
  description: string | null;
  properties: {
    feature: string;
    value: boolean | number | string;
  } | {
    prefix: string | null;
    activationLimit: number | null;
  } | {
    files: ({
      name: string;
      size: number;
    })[];
  } | {
    note: string | null;
  };
  metadata: Record<string, string | number | boolean>;
}

export interface Invoice {
  id: string;
  number: string;
  /** The hosted page of the invoice; its secret opens this invoice alone. */
  url: string;
  status: "open" | "paid" | "void";
  reason: "checkout" | "renewal" | "product_change";
  customerId: string;
  subscriptionId: string | null;
  checkoutId: string | null;
  /** ISO 4217, lower case. */
  currency: string;
  lines: InvoiceLine[];
  /** In the currency's minor unit. */
  subtotalAmount: number;
  /** In the currency's minor unit. */
  discountAmount: number;
  /** All tax; of an inclusive rate it is inside the prices, so that the total does not grow by it. */
  taxAmount: number;
  /** The tax by rate. */
  taxes: ({
    name: string;
    /** ISO 3166-1 alpha-2, upper case. */
    country: string;
    region: string | null;
    basisPoints: number;
    inclusive: boolean;
    /** The buyer accounts for the tax: it is 0 here. */
    reverseCharge: boolean;
    /** Of the lines with this rate, without the tax. */
    taxableAmount: number;
    /** In the currency's minor unit. */
    taxAmount: number;
  })[];
  /** What the invoice has to say about tax, such as reverse charge. */
  taxNote: string | null;
  /** In the currency's minor unit. */
  totalAmount: number;
  /** What the balance settled of the total; negative when the invoice fed the balance. */
  balanceApplied: number;
  /** In the currency's minor unit. */
  amountDue: number;
  /** In the currency's minor unit. */
  amountPaid: number;
  /** In the currency's minor unit. */
  refundedAmount: number;
  /** The most that can be refunded: the amount paid less refunds, disputes, and credits that changes gave for its lines. */
  refundableAmount: number;
  seller: {
    name: string | null;
    email: string | null;
    address: {
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
    } | null;
  };
  buyer: {
    name: string | null;
    email: string | null;
    address: {
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
    } | null;
  };
  periodStart: string | null;
  periodEnd: string | null;
  nextAttemptAt: string | null;
  paidAt: string | null;
  /** Whether it was marked as paid: there is no Payment for it. */
  paidOutside: boolean;
  /** What was noted when it was marked as paid. */
  paymentNote: string | null;
  voidedAt: string | null;
  /** What was noted when an operator voided it. */
  voidReason: string | null;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

export interface InvoiceLine {
  id: string;
  description: string;
  productId: string;
  /** In the currency's minor unit; a credit is negative. */
  amount: number;
  /** In the currency's minor unit. */
  discountAmount: number;
  /** Where a discount for months ends within the period: it covers the time from `start` to `until`, and is taken off in proportion to the time from `start` to `end`. Null where there is no discount, and where it covers the whole period. */
  discountedPart: {
    /** RFC 3339 in UTC with milliseconds. */
    start: string;
    /** RFC 3339 in UTC with milliseconds. */
    until: string;
    /** RFC 3339 in UTC with milliseconds. */
    end: string;
  } | null;
  /** In the currency's minor unit. */
  taxAmount: number;
  /** The rate that the line bears, in basis points: 1900 is 19 %. With `reverseCharge` the buyer accounts for the tax, and the line bears none. */
  taxRate: {
    name: string;
    basisPoints: number;
    inclusive: boolean;
    reverseCharge: boolean;
  } | null;
  proration: boolean;
  periodStart: string | null;
  periodEnd: string | null;
  /** The billed line that this credit gives back; null for other lines. */
  creditedLineId: string | null;
}

export interface Payment {
  id: string;
  invoiceId: string | null;
  checkoutId: string | null;
  subscriptionId: string | null;
  customerId: string | null;
  status: "pending" | "requires_action" | "succeeded" | "failed" | "unknown";
  /** In the currency's minor unit. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  trigger: "checkout" | "renewal" | "product_change" | "retry" | "manual" | "new_card";
  method: {
    type: "card";
    brand: string;
    last4: string;
    expMonth: number;
    expYear: number;
  };
  /** Why it failed: as the provider said, or `card_disputed`, for which the provider is not called. */
  failureCode: string | null;
  /** What the buyer has to do: to authenticate the payment at this address of their bank. */
  nextAction: {
    type: "challenge";
    url: string;
  } | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  settledAt: string | null;
}

export interface Refund {
  id: string;
  invoiceId: string;
  /** The Payment that it gives back from; null: it goes to the balance. */
  paymentId: string | null;
  customerId: string;
  /** `unknown`: the provider's answer was lost; it is asked until it knows. */
  status: "pending" | "succeeded" | "failed" | "unknown";
  /** In the currency's minor unit. */
  amount: number;
  /** The tax in the amount. */
  taxAmount: number;
  /** ISO 4217, lower case. */
  currency: string;
  to: "card" | "balance";
  reason: string | null;
  /** Once it succeeded. */
  creditNoteId: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  settledAt: string | null;
}

export interface Dispute {
  id: string;
  paymentId: string;
  invoiceId: string | null;
  subscriptionId: string | null;
  customerId: string;
  /** `open`: the bank has taken the money until it decides; `won`: it gave it back. */
  status: "open" | "won" | "lost";
  /** What the buyer told their bank. */
  reason: "fraudulent" | "duplicate" | "not_received" | "not_as_described" | "subscription_canceled" | "refund_not_received" | "unrecognized" | "other";
  /** What the bank took: all that had not been refunded to the card. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  closedAt: string | null;
}

export interface ManagedBenefitGrant {
  id: string;
  customerId: string;
  externalCustomerId: string | null;
  benefitId: string;
  /** What it was granted for: this, or a one-time purchase (`invoiceId`). */
  subscriptionId: string | null;
  invoiceId: string | null;
  benefit: GrantedBenefit;
  /** Shaped by `benefit.type`. */
  properties: {
    key: string;
    activationLimit: number | null;
    activations: number;
  } | {
    files: ({
      name: string;
      size: number;
      url: string;
    })[];
  } | {
    feature: string;
    value: boolean | number | string;
  } | {
    note: string | null;
  };
  /** RFC 3339 in UTC with milliseconds. */
  grantedAt: string;
  /** When access ends unless something happens first; null while it renews, and where it is revoked. */
  expiresAt: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  status: "active" | "revoked";
  revokedAt: string | null;
  /** Why it has this status. */
  reason: "purchased" | "trial_started" | "product_changed" | "benefits_edited" | "payment_recovered" | "subscription_ended" | "payment_failed" | "refunded" | "customer_deleted";
}

export interface Product {
  id: string;
  key: string | null;
  name: string;
  description: string | null;
  /** A Customer has at most one live Subscription a group; null: stands alone. */
  group: string | null;
  /** Null: sold once. */
  interval: "day" | "week" | "month" | "year" | null;
  intervalCount: number | null;
  trialDays: number | null;
  trialCard: "required" | "optional";
  prices: ({
    /** ISO 4217, lower case. */
    currency: string;
    /** In the currency's minor unit. */
    amount: number;
  })[];
  benefitIds: string[];
  archived: boolean;
  metadata: Record<string, string | number | boolean>;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  description: string | null;
  /** The types it wants; `*`: all. */
  events: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "refund.created" | "dispute.created" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
  status: "enabled" | "disabled";
  /** `gone`: it answered 410; `failing`: five days of nothing but failure. */
  disabledReason: "by_hand" | "gone" | "failing" | null;
  disabledAt: string | null;
  /** Since when every attempt has failed. */
  failingSince: string | null;
  /** Until then its receiver has asked for a pause: nothing is sent. */
  pausedUntil: string | null;
  /** Until then a secret from before a rotation signs, too. */
  previousSecretUntil: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

/** What the events of each type show in `data`. */
export interface WebhookEventData {
  "customer.created": Customer;
  "customer.updated": Customer;
  "customer.deleted": Customer;
  "checkout.created": Checkout;
  "checkout.completed": Checkout;
  "checkout.expired": Checkout;
  "checkout.payment_failed": Checkout;
  "subscription.created": Subscription;
  "subscription.trial_ending": Subscription;
  "subscription.renewal_upcoming": Subscription;
  "subscription.activated": Subscription;
  "subscription.renewed": Subscription;
  "subscription.updated": Subscription;
  "subscription.cancellation_scheduled": Subscription;
  "subscription.cancellation_undone": Subscription;
  "subscription.past_due": Subscription;
  "subscription.recovered": Subscription;
  "subscription.canceled": Subscription;
  "invoice.created": Invoice;
  "invoice.paid": Invoice;
  "invoice.payment_failed": Invoice;
  "invoice.voided": Invoice;
  "invoice.refunded": Invoice;
  "payment.succeeded": Payment;
  "payment.failed": Payment;
  "payment.action_required": Payment;
  "refund.created": Refund;
  "dispute.created": Dispute;
  "dispute.closed": Dispute;
  "benefit_grant.granted": ManagedBenefitGrant;
  "benefit_grant.updated": ManagedBenefitGrant;
  "benefit_grant.revoked": ManagedBenefitGrant;
  "product.created": Product;
  "product.updated": Product;
  "webhook_endpoint.disabled": WebhookEndpoint;
  "webhook_endpoint.test": WebhookEndpoint;
}

export interface ListBenefitGrantsParams {
  customerId?: string;
  externalCustomerId?: string;
  benefitId?: string;
  type?: "feature" | "license_key" | "download" | "custom";
  limit?: number;
  /** `nextCursor` of the page before. */
  cursor?: string;
}

export interface ListBenefitGrantsPage {
  data: BenefitGrant[];
  nextCursor: string | null;
}

export type ErrorCode =
  | "already_subscribed"
  | "api_key_expired"
  | "api_key_invalid"
  | "api_key_missing"
  | "api_key_revoked"
  | "body_too_large"
  | "catch_up_pending"
  | "change_in_progress"
  | "customer_exists"
  | "headers_too_large"
  | "idempotency_in_progress"
  | "idempotency_key_reused"
  | "idempotency_key_used"
  | "insufficient_scope"
  | "internal_error"
  | "invoice_open"
  | "malformed_json"
  | "malformed_request"
  | "not_acceptable"
  | "not_found"
  | "payment_action_required"
  | "payment_disputed"
  | "payment_failed"
  | "payment_method_required"
  | "payment_provider_missing"
  | "precondition_failed"
  | "rate_limited"
  | "refund_in_progress"
  | "request_timeout"
  | "subscription_canceled"
  | "subscription_cancellation_scheduled"
  | "subscription_past_due"
  | "unavailable"
  | "unsupported_media_type"
  | "uri_too_long"
  | "validation_failed";

/** One thing wrong with a request; `pointer` is a JSON Pointer in a body, a name elsewhere. */
export interface FieldError {
  in: "body" | "query" | "path" | "header";
  pointer: string;
  code: string;
  message: string;
}

/** An error's body: RFC 9457 and what Billow adds. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  requestId: string;
  errors?: FieldError[];
  /** The Customer in the way (`customer_exists`). */
  customerId?: string | null;
  /** The Subscription in the way (`already_subscribed`). */
  subscriptionId?: string | null;
  /** With 402: why the card was declined, and the hosted page where the buyer can pay. */
  declineCode?: string | null;
  checkoutId?: string | null;
  url?: string | null;
}
