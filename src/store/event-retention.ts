import { formatInstant, type Instant } from "../domain/calendar.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

const dueStatement = sql(
  "event_retention.due",
  `SELECT organization_id AS "organizationId" FROM metric_progress
   WHERE delete_at <= statement_timestamp() AND organization_id <> ALL($1) ORDER BY delete_at LIMIT $2`,
);
// The count of MRR reads the same row, so events are not counted and deleted at the same time.
const claimStatement = sql(
  "event_retention.claim",
  `SELECT read_until AS "readUntil", deleted_until AS "deletedUntil", ${REAL_NOW} AS now FROM metric_progress
   WHERE organization_id = $1 FOR UPDATE SKIP LOCKED`,
);
const moveStatement = sql(
  "event_retention.move",
  `UPDATE metric_progress SET deleted_until = COALESCE($2, deleted_until),
     delete_at = COALESCE($3::timestamptz, delete_at)
   WHERE organization_id = $1`,
);
// The events go in the order of their ids, up to the first one that is held. Two processes may number the events of a
// resource in another order than that of the ids, so the earlier numbers of a resource go with the last one. The
// remaining events of a resource therefore have numbers without gaps. An earlier number may have a later id and a
// delivery, so an event is held by its own deliveries and by those of earlier numbers.
const forgetStatement = sql(
  "event_retention.forget",
  `WITH old AS MATERIALIZED (
     SELECT id, resource_id, sequence FROM events WHERE organization_id = $1 AND id > $2 AND id < $3
     ORDER BY id LIMIT $4),
   holding AS MATERIALIZED (
     SELECT e.resource_id, e.sequence
     FROM (SELECT resource_id, max(sequence) AS sequence FROM old GROUP BY resource_id) o
     JOIN events e ON e.organization_id = $1 AND e.resource_id = o.resource_id AND e.sequence <= o.sequence
     WHERE e.dispatch_at IS NOT NULL OR EXISTS (
       SELECT 1 FROM webhook_deliveries d WHERE d.organization_id = $1 AND d.event_id = e.id)),
   free AS MATERIALIZED (
     SELECT id, resource_id, sequence FROM old WHERE id < COALESCE((
       SELECT min(o.id) FROM old o JOIN holding h ON h.resource_id = o.resource_id AND h.sequence <= o.sequence), $3)),
   gone AS (
     DELETE FROM events t USING (SELECT resource_id, max(sequence) AS sequence FROM free GROUP BY resource_id) f
     WHERE t.organization_id = $1 AND t.resource_id = f.resource_id AND t.sequence <= f.sequence RETURNING 1)
   SELECT (SELECT max(id) FROM free) AS last, (SELECT count(*)::integer FROM free) AS free,
     (SELECT count(*)::integer FROM gone) AS forgotten`,
);

/** Up to `limit` Organizations with events that may be old, in real time, but for the `failed` ones. */
export async function dueForRetention(db: Queryable, failed: readonly string[], limit: number): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>(dueStatement, [failed, limit]);
  return rows.map(({ organizationId }) => organizationId);
}

/**
 * `readUntil`: the id of the event up to which the MRR is counted. `deletedUntil`: the id of the last deleted event,
 * or an empty text. `now`: real time by the database's clock.
 */
export type ClaimedRetention = { readUntil: string; deletedUntil: string; now: Instant };

/**
 * Until the end of this transaction, no other transaction counts or deletes events of this Organization. Null: another
 * one does so at the moment.
 */
export async function claimRetention(tx: Tx, organizationId: string): Promise<ClaimedRetention | null> {
  return (await tx.query<ClaimedRetention>(claimStatement, [organizationId]))[0] ?? null;
}

/** `last`: the last deleted event; null: none. `free`: the number of looked-at events that were deleted. */
export type ForgottenEvents = { last: string | null; free: number; forgotten: number };

/**
 * Deletes up to `limit` events with an id above `after` and below `before`, the oldest first, with the earlier events
 * of their resources. Stops before an event that waits to be spread or has a delivery, and before the later events of
 * its resource (rule I4f).
 */
export async function forgetEvents(
  tx: Tx,
  organizationId: string,
  { after, before, limit }: { after: string; before: string; limit: number },
): Promise<ForgottenEvents> {
  return (await tx.query<ForgottenEvents>(forgetStatement, [organizationId, after, before, limit]))[0]!;
}

/**
 * `last`: the last deleted event; null: as before. `deleteAt`: the next look for old events, in real time; null: as
 * before. Does not wait for the answer.
 */
export function moveRetention(
  tx: Tx,
  organizationId: string,
  { last, deleteAt }: { last: string | null; deleteAt: Instant | null },
): void {
  tx.send(moveStatement, [organizationId, last, deleteAt && formatInstant(deleteAt)]);
}
