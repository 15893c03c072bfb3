import type { Instant } from "./calendar.ts";

/** Everything that can be told of a resource; exactly one event a resource and change. */
export const EVENT_TYPES = [
  "customer.created",
  "customer.updated",
  "customer.deleted",
  "checkout.created",
  "checkout.completed",
  "checkout.expired",
  "checkout.payment_failed",
  "subscription.created",
  "subscription.trial_ending",
  "subscription.renewal_upcoming",
  "subscription.activated",
  "subscription.renewed",
  "subscription.updated",
  "subscription.cancellation_scheduled",
  "subscription.cancellation_undone",
  "subscription.past_due",
  "subscription.recovered",
  "subscription.canceled",
  "invoice.created",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.voided",
  "invoice.refunded",
  "payment.succeeded",
  "payment.failed",
  "payment.action_required",
  "refund.created",
  "dispute.created",
  "dispute.closed",
  "benefit_grant.granted",
  "benefit_grant.updated",
  "benefit_grant.revoked",
  "product.created",
  "product.updated",
  "webhook_endpoint.disabled",
  "webhook_endpoint.test",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** `sequence` counts the events of that resource: 1, 2, 3, … */
export type Event = {
  organizationId: string;
  id: string;
  type: EventType;
  resourceId: string;
  sequence: number;
  data: object;
  createdAt: Instant;
};
