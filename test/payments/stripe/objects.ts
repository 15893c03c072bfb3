import type { JsonObject } from "./json.ts";

type Metadata = Record<string, string>;
type Id = string;

export type Customer = {
  id: Id;
  object: "customer";
  /** Below zero: the seller owes the Customer. */
  balance: number;
  created: number;
  currency: string | null;
  email: string | null;
  name: string | null;
  description: string | null;
  metadata: Metadata;
} & JsonObject;

export type CardFields = {
  brand: string;
  country: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  funding: string;
  last4: string;
} & JsonObject;

export type PaymentMethod = {
  id: Id;
  object: "payment_method";
  created: number;
  customer: Id | null;
  type: "card";
  card: CardFields;
} & JsonObject;

/** Why an intent's last attempt failed; the whole PaymentMethod is a part of the error. */
export type LastError = {
  type: "card_error" | "invalid_request_error";
  code: string;
  message: string;
  decline_code?: string;
  advice_code?: string;
  charge?: Id;
  payment_method: PaymentMethod;
} & JsonObject;

export type NextAction =
  | { type: "redirect_to_url"; redirect_to_url: { url: string; return_url: string } }
  | { type: "use_stripe_sdk"; use_stripe_sdk: { type: string; stripe_js: string } };

export type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "succeeded"
  | "canceled";

export type PaymentIntent = {
  id: Id;
  object: "payment_intent";
  amount: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  client_secret: string;
  created: number;
  currency: string;
  customer: Id | null;
  description: string | null;
  last_payment_error: LastError | null;
  latest_charge: Id | null;
  metadata: Metadata;
  next_action: NextAction | null;
  payment_method: Id | null;
  payment_method_types: string[];
  setup_future_usage: string | null;
  statement_descriptor_suffix: string | null;
  status: IntentStatus;
} & JsonObject;

export type SetupIntent = {
  id: Id;
  object: "setup_intent";
  cancellation_reason: string | null;
  client_secret: string;
  created: number;
  customer: Id | null;
  description: string | null;
  last_setup_error: LastError | null;
  metadata: Metadata;
  next_action: NextAction | null;
  payment_method: Id | null;
  payment_method_types: string[];
  status: IntentStatus;
  usage: string;
} & JsonObject;

export type Charge = {
  id: Id;
  object: "charge";
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  balance_transaction: Id | null;
  created: number;
  currency: string;
  customer: Id | null;
  disputed: boolean;
  metadata: Metadata;
  paid: boolean;
  payment_intent: Id;
  payment_method: Id;
  refunded: boolean;
  status: "succeeded" | "failed";
} & JsonObject;

export type Refund = {
  id: Id;
  object: "refund";
  amount: number;
  balance_transaction: Id | null;
  charge: Id;
  created: number;
  currency: string;
  failure_balance_transaction?: Id;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: Id;
  reason: string | null;
  status: "pending" | "succeeded" | "failed" | "canceled";
} & JsonObject;

export type DisputeStatus =
  | "warning_needs_response"
  | "warning_under_review"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost"
  | "prevented";

export type Dispute = {
  id: Id;
  object: "dispute";
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: Id;
  created: number;
  currency: string;
  evidence_details: {
    due_by: number | null;
    has_evidence: boolean;
    past_due: boolean;
    submission_count: number;
  } & JsonObject;
  is_charge_refundable: boolean;
  payment_intent: Id;
  reason: string;
  status: DisputeStatus;
} & JsonObject;

export type BalanceTransaction = {
  id: Id;
  object: "balance_transaction";
  amount: number;
  created: number;
  currency: string;
  fee: number;
  net: number;
  source: Id | null;
  status: string;
  type: "charge" | "refund" | "refund_failure" | "adjustment" | "stripe_fee";
} & JsonObject;

export type Session = {
  id: Id;
  object: "checkout.session";
  amount_total: number | null;
  cancel_url: string | null;
  created: number;
  currency: string | null;
  customer: Id | null;
  expires_at: number;
  metadata: Metadata;
  mode: "payment" | "setup";
  payment_intent: Id | null;
  payment_status: "paid" | "unpaid" | "no_payment_required";
  setup_intent: Id | null;
  status: "open" | "complete" | "expired";
  success_url: string | null;
  url: string | null;
} & JsonObject;

export type StripeEvent = {
  id: Id;
  object: "event";
  api_version: string;
  created: number;
  data: { object: JsonObject; previous_attributes?: JsonObject };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

export type WebhookEndpoint = {
  id: Id;
  object: "webhook_endpoint";
  api_version: string | null;
  created: number;
  enabled_events: string[];
  status: "enabled" | "disabled";
  url: string;
} & JsonObject;

export type Product = { id: Id; object: "product"; active: boolean; created: number; name: string } & JsonObject;

export type Price = {
  id: Id;
  object: "price";
  active: boolean;
  created: number;
  currency: string;
  product: Id;
  /** `unit_amount`: null for tiers, and for fractions, which `unit_amount_decimal` has. */
  recurring:
    | ({ interval: "day" | "week" | "month" | "year"; interval_count: number; usage_type: string } & JsonObject)
    | null;
  type: "one_time" | "recurring";
  unit_amount: number | null;
  unit_amount_decimal: string | null;
} & JsonObject;

export type Coupon = {
  id: Id;
  object: "coupon";
  created: number;
  duration: "forever" | "once" | "repeating";
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
} & JsonObject;

/** `end`: in seconds. */
export type Discount = {
  id: Id;
  object: "discount";
  end: number | null;
  source: { type: "coupon"; coupon: Id };
} & JsonObject;

export type TaxRate = { id: Id; object: "tax_rate"; inclusive: boolean; percentage: number } & JsonObject;

export type SubscriptionStatus =
  | "incomplete"
  | "incomplete_expired"
  | "trialing"
  | "active"
  | "past_due"
  | "canceled"
  | "unpaid"
  | "paused";

export type SubscriptionItem = {
  id: Id;
  object: "subscription_item";
  current_period_end: number;
  current_period_start: number;
  discounts: Id[];
  price: Price;
  quantity?: number;
  tax_rates: TaxRate[];
} & JsonObject;

export type PauseBehavior = "keep_as_draft" | "mark_uncollectible" | "void";

export type Subscription = {
  id: Id;
  object: "subscription";
  automatic_tax: { enabled: boolean } & JsonObject;
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  collection_method: "charge_automatically" | "send_invoice";
  created: number;
  currency: string;
  customer: Id;
  default_payment_method: Id | null;
  default_source: Id | null;
  default_tax_rates: TaxRate[];
  discounts: Id[];
  items: { object: "list"; data: SubscriptionItem[]; has_more: boolean; url: string };
  latest_invoice: Id | null;
  metadata: Metadata;
  pause_collection: { behavior: PauseBehavior; resumes_at: number | null } | null;
  status: SubscriptionStatus;
  trial_end: number | null;
} & JsonObject;

export type Schedule = { id: Id; customer: Id; status: string } & JsonObject;

type Parent = { subscription_details: { subscription: Id } | null } & JsonObject;

export type Invoice = {
  id: Id;
  object: "invoice";
  amount_due: number;
  attempt_count: number;
  auto_advance: boolean;
  automatically_finalizes_at: number | null;
  collection_method: "charge_automatically" | "send_invoice";
  created: number;
  currency: string;
  customer: Id;
  parent: Parent | null;
  status: "draft" | "open" | "paid" | "uncollectible" | "void";
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
  };
  total: number;
} & JsonObject;

export type CustomerBalanceTransaction = {
  id: Id;
  object: "customer_balance_transaction";
  amount: number;
  created: number;
  currency: string;
  customer: Id;
  ending_balance: number;
} & JsonObject;

export type InvoiceItem = {
  id: Id;
  object: "invoiceitem";
  amount: number;
  currency: string;
  customer: Id;
  invoice: Id | null;
  parent: Parent | null;
} & JsonObject;
