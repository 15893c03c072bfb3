// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.

export interface CreateWebhookEndpointParams {
  url: string;
  events?: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
  description?: string | null;
}

export interface WebhookEndpointWithSecret {
  id: string;
  url: string;
  description: string | null;
  /** The types of events that the endpoint gets. `*`: all types. */
  events: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
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
  /** `whsec_` and base64. Receivers verify signatures with this secret. Only this answer shows it. */
  secret: string;
}

export interface UpdateWebhookEndpointParams {
  url?: string;
  events?: ("*" | "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
  description?: string | null;
  /** A disabled endpoint gets no deliveries. They are skipped, and `redeliver` can send them again for as long as deliveries are kept. */
  status?: "enabled" | "disabled";
}

export interface RotateSecretParams {
  /** The hours for which the old secret signs too. 0: the old secret ends at once. */
  overlapHours?: number;
}

export interface Delivery {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
  resourceId: string;
  sequence: number;
  /** `failed`: Billow gave up. `skipped`: the endpoint was disabled. */
  status: "pending" | "retrying" | "succeeded" | "failed" | "skipped";
  attempts: number;
  nextAttemptAt: string | null;
  responseStatus: number | null;
  /** The first 2 KB of the last answer. */
  responseBody: string | null;
  /** The reason why there was no answer. */
  error: string | null;
  durationMs: number | null;
  /** RFC 3339 in UTC with milliseconds. */
  createdAt: string;
  /** RFC 3339 in UTC with milliseconds. */
  updatedAt: string;
}

export interface RedeliverParams {
  /** Only deliveries made at this time or later, in real time. */
  from?: string | null;
  /** Only deliveries made before this time. */
  to?: string | null;
  /** `failed`: only deliveries that did not arrive. They failed, still wait, or were skipped because the endpoint was disabled. */
  status?: "failed" | "any";
}

export interface Redelivered {
  /** The number of deliveries that are sent again so far. */
  count: number;
  /** False while Billow still looks through more deliveries. The others follow by themselves. */
  done: boolean;
}

export interface ListWebhookEndpointsParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  status?: "enabled" | "disabled";
}

export interface ListDeliveriesParams {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  status?: "pending" | "retrying" | "succeeded" | "failed" | "skipped";
  eventId?: string;
  type?: "customer.created" | "customer.updated" | "customer.deleted" | "checkout.created" | "checkout.completed" | "checkout.expired" | "checkout.payment_failed" | "subscription.created" | "subscription.trial_ending" | "subscription.renewal_upcoming" | "subscription.activated" | "subscription.renewed" | "subscription.updated" | "subscription.paused" | "subscription.resume_upcoming" | "subscription.resumed" | "subscription.price_change_scheduled" | "subscription.price_change_applied" | "subscription.price_change_withdrawn" | "subscription.cancellation_scheduled" | "subscription.cancellation_undone" | "subscription.past_due" | "subscription.recovered" | "subscription.canceled" | "invoice.created" | "invoice.paid" | "invoice.payment_failed" | "invoice.held" | "invoice.voided" | "invoice.refunded" | "payment.succeeded" | "payment.failed" | "payment.action_required" | "payment_method.expiring" | "payment_method.updated" | "payment_method.detached" | "payment_account.connected" | "payment_account.disconnected" | "payments.paused" | "payments.resumed" | "refund.created" | "refund.failed" | "dispute.created" | "dispute.updated" | "dispute.closed" | "benefit_grant.granted" | "benefit_grant.updated" | "benefit_grant.revoked" | "product.created" | "product.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
  resourceId?: string;
}
