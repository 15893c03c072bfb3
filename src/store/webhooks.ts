import { instant } from "../domain/calendar.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../domain/webhook/webhook.ts";
import type { ListDeliveriesQuery, ListEndpointsQuery } from "../resources/webhook.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { defineTable } from "./driver/table.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

export const endpoints = defineTable<WebhookEndpoint>(
  "webhook_endpoints",
  {
    organizationId: "plain",
    id: "plain",
    kind: "plain",
    url: "plain",
    description: "plain",
    events: "json",
    secret: "plain",
    previousSecrets: "json",
    status: "plain",
    disabledReason: "plain",
    disabledAt: "instant",
    failingSince: "instant",
    failedAt: "instant",
    pausedUntil: "instant",
    recoveredAt: "instant",
    expiresAt: "instant",
    deletedAt: "instant",
    version: "plain",
    eventSequence: "plain",
    createdAt: "instant",
    updatedAt: "instant",
  },
  { queue: "deliveries", at: ({ status, pausedUntil }) => (status === "enabled" ? (pausedUntil ?? instant(0)) : null) },
);

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
  claimed: "plain",
  notBefore: "instant",
  plannedAt: "instant",
  brought: "plain",
  responseStatus: "plain",
  responseBody: "plain",
  error: "plain",
  durationMs: "plain",
  failures: "json",
  createdAt: "instant",
  updatedAt: "instant",
});

/**
 * The endpoints that get deliveries of present events. An endpoint that was disabled in the last 30 days also gets
 * deliveries, but these are not sent (rule W1b).
 */
export const HEARS = `deleted_at IS NULL AND (status = 'enabled'
  OR disabled_at > statement_timestamp() - interval '30 days')`;

const listStatement = sql(
  "webhook_endpoints.list",
  `SELECT ${endpoints.columns()} FROM webhook_endpoints
   WHERE organization_id = $1 AND kind = 'http' AND deleted_at IS NULL
     AND ($2::text IS NULL OR id < $2) AND ($3::text IS NULL OR status = $3)
   ORDER BY id DESC LIMIT $4`,
);
const hearingStatement = sql(
  "webhook_endpoints.hearing",
  `SELECT ${endpoints.columns()} FROM webhook_endpoints
   WHERE organization_id = $1 AND ${HEARS} ORDER BY id FOR SHARE`,
);

const givenUpStatement = sql(
  "webhook_endpoints.given_up",
  `SELECT ${endpoints.columns()} FROM webhook_endpoints
   WHERE organization_id = $1 AND kind = 'http' AND deleted_at IS NULL AND status = 'disabled'
   AND disabled_reason <> 'by_hand'
   ORDER BY disabled_at DESC, id DESC`,
);
const countStatement = sql(
  "webhook_endpoints.count",
  `SELECT count(*) AS count FROM webhook_endpoints WHERE organization_id = $1 AND kind = 'http' AND deleted_at IS NULL`,
);

/** Newest first; returns one row more than the page holds. */
export async function listEndpoints(
  db: Queryable,
  organizationId: string,
  query: ListEndpointsQuery,
): Promise<WebhookEndpoint[]> {
  return db.query<WebhookEndpoint>(listStatement, [organizationId, query.cursor, query.status, query.limit + 1]);
}

/** Endpoints that were disabled because of their receivers' answers, the most recently disabled first. */
export async function endpointsGivenUp(db: Queryable, organizationId: string): Promise<WebhookEndpoint[]> {
  return db.query<WebhookEndpoint>(givenUpStatement, [organizationId]);
}

/** The number of an Organization's endpoints, including disabled ones. */
export async function countEndpoints(db: Queryable, organizationId: string): Promise<number> {
  return (await db.query<{ count: number }>(countStatement, [organizationId]))[0]!.count;
}

/**
 * The endpoints that hear present events (`HEARS`). These endpoints can't be disabled, enabled or deleted until the
 * transaction ends.
 */
export async function hearingEndpoints(tx: Tx, organizationId: string): Promise<WebhookEndpoint[]> {
  return tx.query<WebhookEndpoint>(hearingStatement, [organizationId]);
}

// The few failed deliveries among millions have an index, which only a word in the text can use.
const listOfEndpoint = filteredList<
  WebhookDelivery,
  "endpointId" | "cursor" | "eventId" | "type" | "resourceId",
  "status"
>({
  name: "webhook_deliveries.list",
  select: `SELECT ${deliveries.columns()} FROM webhook_deliveries WHERE organization_id = $1`,
  order: "id DESC",
  values: {
    endpointId: (value) => `endpoint_id = ${value}`,
    cursor: (value) => `id < ${value}`,
    eventId: (value) => `event_id = ${value}`,
    type: (value) => `event_type = ${value}`,
    resourceId: (value) => `resource_id = ${value}`,
  },
  words: { status: (word) => `status = '${word}'` },
});

/** The deliveries of one endpoint, newest first; returns one row more than the page holds. */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  query: ListDeliveriesQuery,
): Promise<WebhookDelivery[]> {
  return listOfEndpoint(db, organizationId, { ...query, endpointId });
}

const ofEventsStatement = sql(
  "webhook_deliveries.of_events",
  `SELECT ${deliveries.columns("d")}, w.url
   FROM webhook_endpoints w JOIN webhook_deliveries d ON (d.organization_id, d.endpoint_id) = (w.organization_id, w.id)
   WHERE w.organization_id = $1 AND w.kind = 'http' AND w.deleted_at IS NULL AND d.event_id = ANY($2::text[])
   ORDER BY d.event_id, d.id`,
);

/** A delivery with the URL of its endpoint. */
export type DeliveryTo = WebhookDelivery & Pick<WebhookEndpoint, "url">;

/** The deliveries of these events to the endpoints that exist, one for each event and endpoint. */
export async function deliveriesOfEvents(
  db: Queryable,
  organizationId: string,
  eventIds: readonly string[],
): Promise<DeliveryTo[]> {
  return eventIds.length === 0 ? [] : db.query<DeliveryTo>(ofEventsStatement, [organizationId, eventIds]);
}

// The condition is checked again for each row, because a redelivery may just have been requested.
const oldRows = defineOldRows({
  name: "webhooks.forget",
  table: "webhook_deliveries",
  keys: { id: "text" },
  isOld: `created_at < statement_timestamp() - $2::integer * interval '1 day' AND attempt_at IS NULL`,
  by: "created_at",
  again: "t.attempt_at IS NULL",
});

/** Deletes up to `limit` settled deliveries older than `days` (rule W8c). Returns how many. */
export function forgetDeliveries(db: Deleting, limit: number, days: number): Promise<number> {
  return forgetRows(db, oldRows, limit, days);
}
