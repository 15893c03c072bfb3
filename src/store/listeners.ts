import type { WebhookEndpoint } from "../domain/webhook/webhook.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { PIECE } from "./webhook-backlogs.ts";
import { endpoints } from "./webhooks.ts";

const findStatement = sql(
  "listeners.find",
  `SELECT ${endpoints.columns()} FROM webhook_endpoints
   WHERE organization_id = $1 AND kind = 'listener' AND url = $2 AND events::text = $3
     AND expires_at > statement_timestamp()
   ORDER BY id DESC LIMIT 1 FOR UPDATE`,
);

/** Locks the unexpired listener of this URL and these types. */
export async function lockListener(
  tx: Tx,
  { organizationId, url, events }: Pick<WebhookEndpoint, "organizationId" | "url" | "events">,
): Promise<WebhookEndpoint | null> {
  return (await tx.query<WebhookEndpoint>(findStatement, [organizationId, url, JSON.stringify(events)]))[0] ?? null;
}

const expiredStatement = sql(
  "listeners.expired",
  `SELECT DISTINCT organization_id AS "organizationId" FROM webhook_endpoints
   WHERE kind = 'listener' AND expires_at <= statement_timestamp()`,
);
const lockExpiredStatement = sql(
  "listeners.lock_expired",
  `SELECT id FROM webhook_endpoints
   WHERE organization_id = $1 AND kind = 'listener' AND expires_at <= statement_timestamp()
   ORDER BY id FOR UPDATE SKIP LOCKED`,
);
const forgetDeliveriesStatement = sql(
  "listeners.forget_deliveries",
  `DELETE FROM webhook_deliveries WHERE organization_id = $1 AND id = ANY(ARRAY(
     SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND endpoint_id = $2 LIMIT $3))
   RETURNING 1 AS forgotten`,
);
const leaveStatement = sql(
  "listeners.leave",
  "UPDATE webhook_endpoints SET deleted_at = expires_at WHERE organization_id = $1 AND id = $2",
);
const forgetStatement = sql("listeners.forget", "DELETE FROM webhook_endpoints WHERE organization_id = $1 AND id = $2");

/** Organizations with expired listeners. */
export async function expiredListeners(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>(expiredStatement);
  return rows.map(({ organizationId }) => organizationId);
}

/**
 * Deletes the expired listeners of an Organization with their deliveries, about a piece of deliveries per call. Returns
 * the number of deleted deliveries.
 */
export async function forgetListeners(tx: Tx, organizationId: string): Promise<number> {
  const expired = await tx.query<{ id: string }>(lockExpiredStatement, [organizationId]);
  let forgotten = 0;
  for (const { id } of expired) {
    const { length } = await tx.query(forgetDeliveriesStatement, [organizationId, id, PIECE]);
    // A listener with deliveries left is only marked as deleted, so it gets no new deliveries.
    tx.send(length < PIECE ? forgetStatement : leaveStatement, [organizationId, id]);
    forgotten += length;
    if (forgotten >= PIECE) break;
  }
  return forgotten;
}
