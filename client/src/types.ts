// Generated from the OpenAPI document of the public API: npm run gen.

export interface CreateCustomerParams {
  /** At most 320 characters; compared without case. */
  email: string;
  name?: string | null;
  externalId?: string | null;
  billingAddress?: {
    /** ISO 3166-1 alpha-2. */
    country: string;
    line1?: string | null;
    line2?: string | null;
    postalCode?: string | null;
    city?: string | null;
    state?: string | null;
  } | null;
  taxId?: {
    type: string;
    value: string;
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
  | "payment_failed"
  | "payment_method_required"
  | "payment_provider_missing"
  | "precondition_failed"
  | "rate_limited"
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
