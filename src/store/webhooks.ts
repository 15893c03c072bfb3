import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { EventType } from "../domain/event.ts";
import { HOLDING_ATTEMPTS, type WebhookDelivery, type WebhookEndpoint } from "../domain/webhook.ts";
import type { ListDeliveriesQuery, ListEndpointsQuery } from "../resources/webhook.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export const endpoints = defineTable<WebhookEndpoint>("webhook_endpoints", {
  organizationId: "plain",
  id: "plain",
  kind: "plain",
  url: "plain",
  description: "plain",
  events: "json",
  secret: "plain",
  previousSecret: "plain",
  previousSecretUntil: "instant",
  status: "plain",
  disabledReason: "plain",
  failingSince: "instant",
  expiresAt: "instant",
  deletedAt: "instant",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

export const deliveries = defineTable<WebhookDelivery>("webhook_deliveries", {
  organizationId: "plain",
  id: "plain",
  endpointId: "plain",
  eventId: "plain",
  eventType: "plain",
  resourceId: "plain",
  sequence: "plain",
  status: "plain",
  repeated: "plain",
  attempts: "plain",
  attemptAt: "instant",
  responseStatus: "plain",
  responseBody: "plain",
  error: "plain",
  durationMs: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const listStatement = sql(
  "webhook_endpoints.list",
  `SELECT ${endpoints.columns()} FROM webhook_endpoints
   WHERE organization_id = $1 AND kind = 'http' AND deleted_at IS NULL
     AND ($2::text IS NULL OR id < $2) AND ($3::text IS NULL OR status = $3)
   ORDER BY id DESC LIMIT $4`,
);
const enabledStatement = sql(
  "webhook_endpoints.enabled",
  `SELECT ${endpoints.columns()} FROM webhook_endpoints
   WHERE organization_id = $1 AND status = 'enabled' AND deleted_at IS NULL ORDER BY id FOR SHARE`,
);

/** Newest first, one more than the page holds. */
export async function listEndpoints(db: Queryable, organizationId: string, query: ListEndpointsQuery): Promise<WebhookEndpoint[]> {
  return db.query<WebhookEndpoint>(listStatement, [organizationId, query.cursor, query.status, query.limit + 1]);
}

/** Whoever hears of an Organization's events now; none of them is disabled or deleted until the transaction ends. */
export async function enabledEndpoints(tx: Tx, organizationId: string): Promise<WebhookEndpoint[]> {
  return tx.query<WebhookEndpoint>(enabledStatement, [organizationId]);
}

const listDeliveriesStatement = sql(
  "webhook_deliveries.list",
  `SELECT ${deliveries.columns()} FROM webhook_deliveries
   WHERE organization_id = $1 AND endpoint_id = $2 AND ($3::text IS NULL OR id < $3) AND ($4::text IS NULL OR status = $4)
     AND ($5::text IS NULL OR event_id = $5) AND ($6::text IS NULL OR event_type = $6) AND ($7::text IS NULL OR resource_id = $7)
   ORDER BY id DESC LIMIT $8`,
);

/** Of one endpoint, newest first, one more than the page holds. */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  { cursor, status, eventId, type, resourceId, limit }: ListDeliveriesQuery,
): Promise<WebhookDelivery[]> {
  const filters = [cursor, status, eventId, type, resourceId];
  return db.query<WebhookDelivery>(listDeliveriesStatement, [organizationId, endpointId, ...filters, limit + 1]);
}

export type UndispatchedEvent = { organizationId: string; id: string; type: EventType; resourceId: string; sequence: number };

const undispatchedStatement = sql(
  "webhooks.undispatched",
  `SELECT organization_id AS "organizationId", id, type, resource_id AS "resourceId", sequence FROM events
   WHERE dispatch_at <= clock_timestamp() ORDER BY dispatch_at, id LIMIT $1`,
);
// Compare and set: whoever clears the mark spreads the event, once.
const claimEventsStatement = sql(
  "webhooks.claim_events",
  `UPDATE events SET dispatch_at = NULL WHERE organization_id = $1 AND id = ANY($2) AND dispatch_at IS NOT NULL RETURNING id`,
);

/** Events that are still to be spread to the endpoints of their Organizations, oldest first. */
export async function undispatchedEvents(db: Queryable, limit: number): Promise<UndispatchedEvent[]> {
  return db.query(undispatchedStatement, [limit]);
}

/** Which of these events nobody has spread yet; they are the caller's now. */
export async function claimEvents(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.query<{ id: string }>(claimEventsStatement, [organizationId, ids])).map((row) => row.id));
}

// From one endpoint to the next in the index, so that the rows that wait for each are not counted through: there may be millions.
const dueEndpointsStatement = sql(
  "webhooks.due_endpoints",
  `WITH RECURSIVE waiting AS (
     (SELECT organization_id, endpoint_id FROM webhook_deliveries WHERE attempt_at IS NOT NULL
      ORDER BY organization_id, endpoint_id LIMIT 1)
     UNION ALL
     SELECT n.organization_id, n.endpoint_id FROM waiting w CROSS JOIN LATERAL (
       SELECT d.organization_id, d.endpoint_id FROM webhook_deliveries d
       WHERE d.attempt_at IS NOT NULL AND (d.organization_id, d.endpoint_id) > (w.organization_id, w.endpoint_id)
       ORDER BY d.organization_id, d.endpoint_id LIMIT 1) n)
   SELECT w.organization_id AS "organizationId", w.endpoint_id AS "endpointId", d.attempt_at AS "dueAt"
   FROM waiting w JOIN webhook_endpoints e ON (e.organization_id, e.id) = (w.organization_id, w.endpoint_id)
   CROSS JOIN LATERAL (
     SELECT attempt_at FROM webhook_deliveries
     WHERE organization_id = w.organization_id AND endpoint_id = w.endpoint_id AND attempt_at <= clock_timestamp()
     ORDER BY attempt_at LIMIT 1) d
   WHERE e.kind = 'http' ORDER BY 3`,
);

/** Endpoints that something is due for, whoever has waited longest first. */
export async function dueEndpoints(db: Queryable): Promise<{ organizationId: string; endpointId: string; dueAt: Instant }[]> {
  return db.query(dueEndpointsStatement);
}

/** A claim outlives the longest attempt: afterwards the sender has died. */
const CLAIM_MILLISECONDS = 40_000;

/** A delivery with the event that it carries, as it was stored. */
export type DueDelivery = WebhookDelivery & { eventCreatedAt: Instant; data: string };

// First attempts go out in the order of their resource: one waits for those before it, until they have failed three times. An event that
// is not spread yet counts as before, too. The claim moves attempt_at on: a crash leaves it due again when that has passed.
const claimStatement = sql(
  "webhooks.claim",
  `WITH due AS (
     SELECT d.organization_id, d.id FROM webhook_deliveries d
     WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.attempt_at <= clock_timestamp()
       AND (d.repeated OR d.attempts > 0 OR NOT EXISTS (
         SELECT 1 FROM webhook_deliveries b
         WHERE b.organization_id = d.organization_id AND b.endpoint_id = d.endpoint_id AND b.resource_id = d.resource_id
           AND b.sequence < d.sequence AND b.attempt_at IS NOT NULL AND NOT b.repeated AND b.attempts < ${HOLDING_ATTEMPTS}))
       AND (d.repeated OR d.attempts > 0 OR NOT EXISTS (
         SELECT 1 FROM events e
         WHERE e.organization_id = d.organization_id AND e.resource_id = d.resource_id AND e.sequence < d.sequence
           AND e.dispatch_at IS NOT NULL))
     ORDER BY d.attempt_at, d.event_id LIMIT $3 FOR UPDATE SKIP LOCKED)
   UPDATE webhook_deliveries d SET attempt_at = clock_timestamp() + $4 * interval '1 millisecond'
   FROM due, events e
   WHERE (d.organization_id, d.id) = (due.organization_id, due.id) AND (e.organization_id, e.id) = (d.organization_id, d.event_id)
   RETURNING ${deliveries.columns("d")}, e.created_at AS "eventCreatedAt", e.data::text AS data`,
);

/** Takes what is due for an endpoint, up to `limit`: nobody else sends it for as long as a claim holds. */
export async function claimDeliveries(tx: Tx, organizationId: string, endpointId: string, limit: number): Promise<DueDelivery[]> {
  return tx.query<DueDelivery>(claimStatement, [organizationId, endpointId, limit, CLAIM_MILLISECONDS]);
}

const skipStatement = sql(
  "webhooks.skip",
  `UPDATE webhook_deliveries SET status = 'skipped', attempt_at = NULL, updated_at = clock_timestamp()
   WHERE organization_id = $1 AND endpoint_id = $2 AND attempt_at IS NOT NULL`,
);

/** Nothing more is sent to an endpoint that was disabled or deleted. */
export function skipDeliveries(tx: Tx, organizationId: string, endpointId: string): void {
  tx.send(skipStatement, [organizationId, endpointId]);
}

// What is due within a claim's time may be on its way right now, and comes by itself. What waits longer comes at once.
const againStatement = sql(
  "webhooks.again",
  `WITH again AS (
     UPDATE webhook_deliveries SET status = 'pending', attempts = 0, repeated = true,
       attempt_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE organization_id = $1 AND endpoint_id = $2
       AND (attempt_at IS NULL OR attempt_at > clock_timestamp() + ${CLAIM_MILLISECONDS} * interval '1 millisecond')
       AND ($3::text IS NULL OR id = $3)
       AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
       AND (NOT $6 OR status <> 'succeeded')
     RETURNING 1)
   SELECT count(*) AS count FROM again`,
);

export type Again = { id: string | null; from: Instant | null; to: Instant | null; failedOnly: boolean };

/** Sends deliveries once more: one, those of a span of time, or all that did not arrive. Answers how many. */
export async function sendAgain(tx: Tx, organizationId: string, endpointId: string, again: Again): Promise<number> {
  const [from, to] = [again.from && formatInstant(again.from), again.to && formatInstant(again.to)];
  const values = [organizationId, endpointId, again.id, from, to, again.failedOnly];
  const [row] = await tx.query<{ count: number }>(againStatement, values);
  return row?.count ?? 0;
}

const forgetStatement = sql(
  "webhooks.forget",
  `DELETE FROM webhook_deliveries WHERE (organization_id, id) IN (
     SELECT organization_id, id FROM webhook_deliveries
     WHERE created_at < clock_timestamp() - interval '30 days' AND attempt_at IS NULL ORDER BY created_at LIMIT $1)
   RETURNING 1 AS forgotten`,
);

/** Deletes what is older than 30 days, a batch at a time. Answers how many. */
export async function forgetDeliveries(tx: Tx, limit: number): Promise<number> {
  return (await tx.query(forgetStatement, [limit])).length;
}
