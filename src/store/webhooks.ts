import { instant } from "../domain/calendar.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../domain/webhook/webhook.ts";
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
}, { queue: "deliveries", at: ({ status, pausedUntil }) => (status === "enabled" ? (pausedUntil ?? instant(0)) : null) });

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
  createdAt: "instant",
  updatedAt: "instant",
});

/** Deliveries are kept for so long. */
const DELIVERIES_KEPT = "interval '30 days'";
/** Whoever hears of what happens now, or would if it were not disabled: that is kept for it as long as a delivery is. */
export const HEARS = `deleted_at IS NULL AND (status = 'enabled' OR disabled_at > statement_timestamp() - ${DELIVERIES_KEPT})`;

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
   WHERE organization_id = $1 AND kind = 'http' AND deleted_at IS NULL AND status = 'disabled' AND disabled_reason <> 'by_hand'
   ORDER BY disabled_at DESC, id DESC`,
);
const countStatement = sql(
  "webhook_endpoints.count",
  `SELECT count(*) AS count FROM webhook_endpoints WHERE organization_id = $1 AND kind = 'http' AND deleted_at IS NULL`,
);

/** Newest first, one more than the page holds. */
export async function listEndpoints(db: Queryable, organizationId: string, query: ListEndpointsQuery): Promise<WebhookEndpoint[]> {
  return db.query<WebhookEndpoint>(listStatement, [organizationId, query.cursor, query.status, query.limit + 1]);
}

/** Those that were disabled by what their receivers answered, the last one first. */
export async function endpointsGivenUp(db: Queryable, organizationId: string): Promise<WebhookEndpoint[]> {
  return db.query<WebhookEndpoint>(givenUpStatement, [organizationId]);
}

/** How many endpoints an Organization has, disabled ones included. */
export async function countEndpoints(db: Queryable, organizationId: string): Promise<number> {
  return (await db.query<{ count: number }>(countStatement, [organizationId]))[0]!.count;
}

/** Whoever hears of an Organization's events now, or will; none of them is disabled, enabled or deleted until the transaction ends. */
export async function hearingEndpoints(tx: Tx, organizationId: string): Promise<WebhookEndpoint[]> {
  return tx.query<WebhookEndpoint>(hearingStatement, [organizationId]);
}

const listOf = (status: string) => `SELECT ${deliveries.columns()} FROM webhook_deliveries
   WHERE organization_id = $1 AND endpoint_id = $2 AND ($3::text IS NULL OR id < $3) AND ${status}
     AND ($5::text IS NULL OR event_id = $5) AND ($6::text IS NULL OR event_type = $6) AND ($7::text IS NULL OR resource_id = $7)
   ORDER BY id DESC LIMIT $8`;
const listDeliveriesStatement = sql("webhook_deliveries.list", listOf("($4::text IS NULL OR status = $4)"));
// As the index of them has it: they may be few among millions, or none.
const listFailedStatement = sql("webhook_deliveries.list_failed", listOf("status = $4 AND status IN ('failed', 'skipped')"));

/** Of one endpoint, newest first, one more than the page holds. */
export async function listDeliveries(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  { cursor, status, eventId, type, resourceId, limit }: ListDeliveriesQuery,
): Promise<WebhookDelivery[]> {
  const filters = [cursor, status, eventId, type, resourceId];
  const statement = status === "failed" || status === "skipped" ? listFailedStatement : listDeliveriesStatement;
  return db.query<WebhookDelivery>(statement, [organizationId, endpointId, ...filters, limit + 1]);
}

// Asked a second time of each, as it may just have been asked for once more.
const forgetStatement = sql(
  "webhooks.forget",
  `DELETE FROM webhook_deliveries WHERE (organization_id, id) IN (
     SELECT organization_id, id FROM webhook_deliveries
     WHERE created_at < statement_timestamp() - ${DELIVERIES_KEPT} AND attempt_at IS NULL ORDER BY created_at LIMIT $1)
     AND attempt_at IS NULL
   RETURNING 1 AS forgotten`,
);

/** Deletes what is older than 30 days, a batch at a time. Answers how many. */
export async function forgetDeliveries(tx: Tx, limit: number): Promise<number> {
  return (await tx.query(forgetStatement, [limit])).length;
}
