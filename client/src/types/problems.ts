// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export type ErrorCode =
  | "already_archived"
  | "already_disputed"
  | "already_subscribed"
  | "api_key_expired"
  | "api_key_in_use"
  | "api_key_invalid"
  | "api_key_missing"
  | "api_key_not_active"
  | "api_key_revoked"
  | "balance_left"
  | "body_too_large"
  | "catch_up_pending"
  | "change_in_progress"
  | "checkout_not_open"
  | "clock_advancing"
  | "clock_backwards"
  | "clock_not_settable"
  | "clock_stopped"
  | "code_taken"
  | "credit_spent"
  | "credited"
  | "customer_exists"
  | "discount_exhausted"
  | "dispute_closed"
  | "dispute_not_inquiry"
  | "dispute_outcome_mismatch"
  | "endpoint_disabled"
  | "external_id_fixed"
  | "headers_too_large"
  | "idempotency_in_progress"
  | "idempotency_key_reused"
  | "idempotency_key_used"
  | "insufficient_scope"
  | "internal_error"
  | "invoice_not_open"
  | "invoice_not_paid"
  | "invoice_open"
  | "key_taken"
  | "malformed_json"
  | "malformed_request"
  | "not_acceptable"
  | "not_found"
  | "nothing_to_pay_out"
  | "nothing_to_refund"
  | "payment_action_required"
  | "payment_disputed"
  | "payment_failed"
  | "payment_in_progress"
  | "payment_method_detached"
  | "payment_method_required"
  | "payment_not_disputable"
  | "payment_not_refundable"
  | "payment_provider_missing"
  | "payment_refused"
  | "payment_unknown"
  | "precondition_failed"
  | "price_change_ended"
  | "price_change_unfinished"
  | "price_not_accepted"
  | "rate_limited"
  | "refund_in_progress"
  | "refund_not_failable"
  | "request_timeout"
  | "subscription_canceled"
  | "subscription_cancellation_scheduled"
  | "subscription_held"
  | "subscription_not_trialing"
  | "subscription_past_due"
  | "subscription_pause_scheduled"
  | "subscription_paused"
  | "unavailable"
  | "unsupported_media_type"
  | "uri_too_long"
  | "validation_failed"
  | "webhook_endpoint_limit_reached";

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
  /** The price change in the way (`price_change_unfinished`). */
  priceChangeId?: string | null;
  /** With 402: why the card was declined, and the hosted page where the buyer can pay. */
  declineCode?: string | null;
  checkoutId?: string | null;
  url?: string | null;
  /** The most that can be given back, in minor units (`credited`, `credit_spent` and the like). */
  available?: number;
  /** The Customer's credit, in minor units (`balance_left`). */
  balances?: { currency: string; amount: number }[];
}
