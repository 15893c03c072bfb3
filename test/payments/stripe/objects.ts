import type { JsonObject } from "./json.ts";

type Metadata = Record<string, string>;
type Id = string;

export type Customer = {
  id: Id;
  object: "customer";
  created: number;
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
  type: "one_time" | "recurring";
} & JsonObject;

export type Coupon = { id: Id; object: "coupon"; created: number } & JsonObject;

export type SubscriptionStatus =
  | "incomplete"
  | "incomplete_expired"
  | "trialing"
  | "active"
  | "past_due"
  | "canceled"
  | "unpaid"
  | "paused";

export type Subscription = {
  id: Id;
  object: "subscription";
  created: number;
  customer: Id;
  items: { object: "list"; data: ({ id: Id; price: Price } & JsonObject)[]; has_more: boolean; url: string };
  status: SubscriptionStatus;
} & JsonObject;

export type Schedule = { id: Id; customer: Id; status: string } & JsonObject;

type Parent = { subscription_details: { subscription: Id } | null } & JsonObject;

export type Invoice = {
  id: Id;
  object: "invoice";
  created: number;
  customer: Id;
  parent: Parent | null;
  status: "draft" | "open" | "paid" | "uncollectible" | "void";
} & JsonObject;

export type InvoiceItem = {
  id: Id;
  object: "invoiceitem";
  customer: Id;
  invoice: Id | null;
  parent: Parent | null;
} & JsonObject;
