// Generated from the OpenAPI document of the public API, and from what events show: npm run gen.

export interface CreateCustomerParams {
  /** At most 320 characters. Case does not matter. The domain has a dot, and letters and digits of any script. */
  email: string;
  name?: string | null;
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

export interface CreateCheckoutParams {
  productId?: string | null;
  productKey?: string | null;
  customerId?: string | null;
  externalCustomerId?: string | null;
  customer?: CreateCustomerParams | null;
  /** The Subscription that changes to the Product once the Checkout is paid. No new Subscription is made. */
  subscriptionId?: string | null;
  currency?: string | null;
  discountCode?: string | null;
  successUrl?: string | null;
  cancelUrl?: string | null;
  locale?: string | null;
  /** The default is 24 hours. */
  expiresInMinutes?: number | null;
  /** At most 50 keys of 1 to 40 characters; values: text up to 500 characters, finite numbers, booleans. */
  metadata?: Record<string, string | number | boolean>;
}

export interface Checkout {
  id: string;
  /** `processing`: the payment is submitted, and its outcome is not known yet. */
  status: "open" | "processing" | "completed" | "expired";
  /** The hosted page. The secret in the address opens only this Checkout. */
  url: string;
  productId: string;
  customerId: string | null;
  externalCustomerId: string | null;
  subscriptionId: string | null;
  invoiceId: string | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** The price of today, in the currency's minor unit. With a trial, the price is 0. */
  subtotalAmount: number;
  /** In the currency's minor unit. */
  discountAmount: number;
  /** Null while tax may be due and no billing country is known. `totalAmount`, `balanceApplied` and `amountDue` are then null too. */
  taxAmount: number | null;
  /** `subtotalAmount` less discount, plus tax on top. For the change of a Subscription: `amountDue`. */
  totalAmount: number | null;
  /** The part that the Customer's balance settles, in the currency's minor unit. A purchase uses 0 to `totalAmount`, and only if the request named the Customer by `customerId`, `externalCustomerId` or `customer.externalId`. While the status is `open`, the amount follows the balance. `processing` and `completed`: the amount is fixed. `expired`: 0. The change of a Subscription may add to the balance or collect a debt. The amount is then below 0. */
  balanceApplied: number | null;
  /** The amount that the card pays today, in the currency's minor unit, 0 or more. */
  amountDue: number | null;
  /** The list price that renews, before discount and tax. */
  recurringAmount: number | null;
  interval: "day" | "week" | "month" | "year" | null;
  intervalCount: number | null;
  trialDays: number | null;
  discountId: string | null;
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
  /** The time of the request to cancel. */
  canceledAt: string | null;
  endedAt: string | null;
  cancellationReason: "too_expensive" | "missing_features" | "switched_service" | "unused" | "customer_service" | "low_quality" | "too_complex" | "other" | "payment_failed" | null;
  cancellationComment: string | null;
  /** The price that the buyer agreed to. This price is fixed when the change is scheduled. */
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
  /** Only with a Product. The default is the Organization's default. */
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
  /** The Subscription that the grant belongs to. A grant of a one-time purchase has an `invoiceId` instead. */
  subscriptionId: string | null;
  invoiceId: string | null;
  benefit: GrantedBenefit;
  /** The shape depends on `benefit.type`. */
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
  /** The planned end of the access. Null while the access renews. */
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
  /** The hosted page of the invoice. The secret in the address opens only this invoice. */
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
  /** All tax of the invoice. The tax of an inclusive rate is inside the prices and does not add to the total. */
  taxAmount: number;
  /** The tax by rate. */
  taxes: ({
    name: string;
    /** ISO 3166-1 alpha-2, upper case. */
    country: string;
    region: string | null;
    basisPoints: number;
    inclusive: boolean;
    /** True if the buyer accounts for the tax. The tax is then 0 here. */
    reverseCharge: boolean;
    /** The amount of the lines with this rate, without the tax. */
    taxableAmount: number;
    /** In the currency's minor unit. */
    taxAmount: number;
  })[];
  /** The note about tax on the invoice, such as reverse charge. */
  taxNote: string | null;
  /** In the currency's minor unit. */
  totalAmount: number;
  /** The part of the total that the balance settled. Negative if the invoice added to the balance. */
  balanceApplied: number;
  /** In the currency's minor unit. */
  amountDue: number;
  /** In the currency's minor unit. */
  amountPaid: number;
  /** In the currency's minor unit. */
  refundedAmount: number;
  /** The amount that can be refunded to the card: the money that was charged, less refunds, disputes, and credits that changes gave for the lines of the Invoice. */
  refundableToCard: number;
  /** The amount that can be refunded to the balance: the same money, and the credit of the balance that the Invoice used. If both are 0, the credit among the lines that is left. */
  refundableToBalance: number;
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
  /** True if the period began after a gap: access was suspended when the period before ended, and the open invoices were paid later. */
  restarted: boolean;
  nextAttemptAt: string | null;
  /** Why the payment provider refused the charge of this open Invoice. It is not charged again until an operator charges it, and the buyer can pay it on its page. */
  heldReason: "amount_too_small" | "amount_too_large" | "currency_unsupported" | "request_invalid" | null;
  paidAt: string | null;
  /** True if the Invoice was marked as paid. The Invoice then has no Payment. */
  paidOutside: boolean;
  /** The note that was given when the Invoice was marked as paid. */
  paymentNote: string | null;
  voidedAt: string | null;
  /** The note that an operator gave when they voided the Invoice. */
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
  /** In the currency's minor unit. A credit is negative. */
  amount: number;
  /** In the currency's minor unit. */
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
  /** In the currency's minor unit. */
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

export interface Payment {
  id: string;
  invoiceId: string | null;
  checkoutId: string | null;
  subscriptionId: string | null;
  customerId: string | null;
  /** `unknown`: the provider has no outcome yet, or could not be asked. Billow asks until it has one. */
  status: "pending" | "requires_action" | "succeeded" | "failed" | "unknown";
  /** In the currency's minor unit. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  trigger: "checkout" | "renewal" | "product_change" | "retry" | "manual" | "new_card";
  /** Null until the success, if the buyer gives the card on the provider's page. */
  method: {
    type: "card";
    brand: string;
    last4: string;
    expMonth: number;
    expYear: number;
  } | null;
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
}

export interface PaymentAccount {
  id: string;
  provider: string;
  /** The account's id at the provider. */
  account: string;
  /** `live`: the account takes real money. */
  mode: "live" | "test";
  /** The environment variable with the key; null: the key is encrypted in the database. */
  keyVariable: string | null;
  /** `inbound`: the provider sends its notices. Billow polls the provider in both cases. */
  notices: "inbound" | "polled";
  /** RFC 3339 in UTC with milliseconds. */
  connectedAt: string;
  disconnectedAt: string | null;
}

export interface PaymentPause {
  id: string;
  provider: string;
  /** `disconnected`: no key of the account is stored. `key_invalid`, `permission_missing`, `account_restricted`: the provider's answer to the key. `copy`: this installation is a copy of another one, so its charges wait. */
  reason: "disconnected" | "key_invalid" | "permission_missing" | "account_restricted" | "copy";
  /** RFC 3339 in UTC with milliseconds. */
  since: string;
  /** Null while the payments are paused. */
  endedAt: string | null;
}

export interface Refund {
  id: string;
  /** `invoice`: an Invoice is refunded. `balance`: credit of the balance is paid out to its card. */
  purpose: "invoice" | "balance";
  /** `provider`: the refund was made at the payment provider, for example in its dashboard (rule I9). */
  origin: "billow" | "provider";
  /** Null if credit of the balance is paid out. */
  invoiceId: string | null;
  /** The Payment that is refunded. Null: the refund goes to the balance. */
  paymentId: string | null;
  customerId: string;
  /** `unknown`: the provider's answer was lost. Billow asks the provider until the outcome is known. */
  status: "pending" | "succeeded" | "failed" | "unknown";
  /** In the currency's minor unit. */
  amount: number;
  /** The tax in the amount. */
  taxAmount: number;
  /** The part of the amount that was taken off the balance. The credit note does not cover this part. */
  fromBalance: number;
  /** ISO 4217, lower case. */
  currency: string;
  to: "card" | "balance";
  reason: string | null;
  /** Set once the refund has succeeded, unless the whole amount was taken off the balance. */
  creditNoteId: string | null;
  /** The reason of a failed refund. Null for a refund that failed before Billow kept reasons. */
  failureCode: "declined" | "card_gone" | "card_lost" | "insufficient_funds" | "canceled" | "disputed" | "unknown" | "amount_too_small" | "amount_too_large" | "currency_unsupported" | "request_invalid" | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** The instant of the first final outcome. */
  settledAt: string | null;
  /** The instant of the failure. A refund to a card can fail weeks after it has succeeded: `creditNoteId` stays, and the money is credit on the balance (rule I8). */
  failedAt: string | null;
}

export interface Dispute {
  id: string;
  paymentId: string;
  invoiceId: string | null;
  subscriptionId: string | null;
  customerId: string;
  /** `inquiry`: the bank only asks. `open`: the bank has taken the money until it decides. `won`: the bank gave the money back. `closed`: an inquiry ended, and no money has moved. */
  status: "inquiry" | "open" | "won" | "lost" | "closed";
  /** The reason that the buyer gave to their bank. */
  reason: "fraudulent" | "duplicate" | "not_received" | "not_as_described" | "subscription_canceled" | "refund_not_received" | "unrecognized" | "other";
  /** The amount that the bank took, or asks about: at most the part of the payment that was not refunded to the card. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** The seller may send evidence until this instant. */
  evidenceDueAt: string | null;
  /** The payment provider's fee for the dispute. */
  fee: number | null;
  feeCurrency: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  closedAt: string | null;
}

export interface ManagedBenefitGrant {
  id: string;
  customerId: string;
  externalCustomerId: string | null;
  benefitId: string;
  /** The Subscription that the grant belongs to. A grant of a one-time purchase has an `invoiceId` instead. */
  subscriptionId: string | null;
  invoiceId: string | null;
  benefit: GrantedBenefit;
  /** The shape depends on `benefit.type`. */
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
  /** The planned end of the access. Null while the access renews, and after a revocation. */
  expiresAt: string | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  status: "active" | "revoked";
  revokedAt: string | null;
  /** The reason for the status. */
  reason: "purchased" | "trial_started" | "product_changed" | "benefits_edited" | "payment_recovered" | "subscription_ended" | "payment_failed" | "refunded" | "customer_deleted";
}

export interface Product {
  id: string;
  key: string | null;
  name: string;
  description: string | null;
  /** A Customer has at most one live Subscription in a group. Null: the Product stands alone. */
  group: string | null;
  /** Null: the Product is sold once. */
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
  /** The types of events that the endpoint gets. `*`: all types. */
  events: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
  status: "enabled" | "disabled";
  /** `gone`: the endpoint answered 410. `failing`: every attempt failed for five days. */
  disabledReason: "by_hand" | "gone" | "failing" | null;
  disabledAt: string | null;
  /** The begin of the time in which every attempt has failed. */
  failingSince: string | null;
  /** The end of a pause that the receiver asked for. No delivery is sent before this time. */
  pausedUntil: string | null;
  /** Until this time, the secret from before a rotation signs too. */
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
  "invoice.held": Invoice;
  "invoice.voided": Invoice;
  "invoice.refunded": Invoice;
  "payment.succeeded": Payment;
  "payment.failed": Payment;
  "payment.action_required": Payment;
  "payment_account.connected": PaymentAccount;
  "payment_account.disconnected": PaymentAccount;
  "payments.paused": PaymentPause;
  "payments.resumed": PaymentPause;
  "refund.created": Refund;
  "refund.failed": Refund;
  "dispute.created": Dispute;
  "dispute.updated": Dispute;
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
  /** The `nextCursor` of the previous page. */
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
  | "payment_refused"
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
