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

/** What every resource that tells of its changes has. */
type Eventful = { version: number; eventSequence: number; updatedAt: Instant };

/** They tell what is to come: the resource has not changed, and its ETag must not either. */
const AHEAD: ReadonlySet<EventType> = new Set(["subscription.trial_ending", "subscription.renewal_upcoming"]);

/**
 * A changed row as it is written: its version, the count of its events, and when it was changed. `version` 0 is a new row. Exactly one
 * event a resource and change. Without one the row keeps its version: callers can't see what changed (and an ETag must not change for
 * it), but for a new version that the row brings along. `toldAt`: the instant of the event.
 */
export function stamped<Row extends Eventful>(row: Row, type: EventType | null, at: Instant): { row: Row; toldAt: Instant } {
  const step = (type && !AHEAD.has(type)) || row.version === 0 ? 1 : 0;
  const toldAt = at > row.updatedAt ? at : row.updatedAt;
  const eventSequence = row.eventSequence + (type ? 1 : 0);
  return { row: { ...row, version: row.version + step, eventSequence, updatedAt: step ? toldAt : row.updatedAt }, toldAt };
}
