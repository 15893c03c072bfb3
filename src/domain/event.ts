import type { Instant } from "./calendar.ts";

/** All types of events. A change makes exactly one event for each changed resource. */
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
  "subscription.paused",
  "subscription.resume_upcoming",
  "subscription.resumed",
  "subscription.price_change_scheduled",
  "subscription.price_change_applied",
  "subscription.price_change_withdrawn",
  "subscription.cancellation_scheduled",
  "subscription.cancellation_undone",
  "subscription.past_due",
  "subscription.recovered",
  "subscription.canceled",
  "invoice.created",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.held",
  "invoice.voided",
  "invoice.refunded",
  "payment.succeeded",
  "payment.failed",
  "payment.action_required",
  "payment_method.expiring",
  "payment_method.updated",
  "payment_method.detached",
  "payment_account.connected",
  "payment_account.disconnected",
  "payments.paused",
  "payments.resumed",
  "refund.created",
  "refund.failed",
  "dispute.created",
  "dispute.updated",
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

/** The first part of an event's type: the kind of resource that the event is about. */
export type EventSubject = EventType extends `${infer Name}.${string}` ? Name : never;
export const subjectOf = (type: EventType) => type.split(".")[0] as EventSubject;

/** `sequence` counts the events of the resource: 1, 2, 3, … */
export type Event = {
  organizationId: string;
  id: string;
  type: EventType;
  resourceId: string;
  sequence: number;
  data: object;
  createdAt: Instant;
};

/** The columns of every resource that has events. */
type Eventful = { version: number; eventSequence: number; updatedAt: Instant };

/** Events that announce a later change. The resource has not changed yet, so its ETag must not change either. */
const AHEAD: ReadonlySet<EventType> = new Set([
  "subscription.trial_ending",
  "subscription.renewal_upcoming",
  "subscription.resume_upcoming",
  "payment_method.expiring",
]);

/**
 * Stamps a changed row with its version, its event count and its time. `version` 0 is a new row. A change that callers
 * can see makes exactly one event for each resource. A change without an event is invisible to callers, so this
 * function leaves the version and thus the ETag as passed; the passed row may have a raised version. `recordedAt`: the
 * instant of the event.
 */
export function stamped<Row extends Eventful>(
  row: Row,
  type: EventType | null,
  at: Instant,
): { row: Row; recordedAt: Instant } {
  const step = (type && !AHEAD.has(type)) || row.version === 0 ? 1 : 0;
  const recordedAt = at > row.updatedAt ? at : row.updatedAt;
  const eventSequence = row.eventSequence + (type ? 1 : 0);
  return {
    row: { ...row, version: row.version + step, eventSequence, updatedAt: step ? recordedAt : row.updatedAt },
    recordedAt,
  };
}
