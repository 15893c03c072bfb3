import { formatInstant, type Instant } from "../domain/calendar.ts";
import { HOLDING_ATTEMPTS } from "../domain/webhook/answer.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";

/** One transaction goes through at most this many deliveries, because an endpoint may have millions. */
export const PIECE = 5_000;

const beginSkipStatement = sql(
  "webhooks.begin_skip",
  "UPDATE webhook_endpoints SET skip_until = statement_timestamp() WHERE organization_id = $1 AND id = $2",
);
const skippingStatement = sql(
  "webhooks.skipping",
  `SELECT organization_id AS "organizationId", id FROM webhook_endpoints
   WHERE skip_until IS NOT NULL ORDER BY organization_id, id LIMIT $1`,
);
const lockSkipStatement = sql(
  "webhooks.lock_skip",
  "SELECT id FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 AND skip_until IS NOT NULL FOR UPDATE",
);
// A delivery that was requested again meanwhile has a later updated_at, so it is not skipped. The ids are in an array,
// because PostgreSQL might read all deliveries for a join.
const skipStatement = sql(
  "webhooks.skip",
  `WITH waiting AS (
     SELECT d.id FROM webhook_deliveries d JOIN webhook_endpoints e
     ON (e.organization_id, e.id) = (d.organization_id, d.endpoint_id)
     WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.attempt_at IS NOT NULL AND d.updated_at <= e.skip_until
     LIMIT $3), skipped AS (
     UPDATE webhook_deliveries d SET status = 'skipped', attempt_at = NULL, claimed = false, not_before = NULL,
       updated_at = statement_timestamp()
     WHERE d.organization_id = $1 AND d.id = ANY(ARRAY(SELECT id FROM waiting)) AND d.attempt_at IS NOT NULL
     RETURNING 1)
   SELECT count(*) AS count FROM waiting`,
);
const endSkipStatement = sql(
  "webhooks.end_skip",
  "UPDATE webhook_endpoints SET skip_until = NULL WHERE organization_id = $1 AND id = $2",
);

async function skipPiece(tx: Tx, organizationId: string, endpointId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(skipStatement, [organizationId, endpointId, PIECE]);
  if (row!.count < PIECE) tx.send(endSkipStatement, [organizationId, endpointId]);
  tx.wakes(row!.count < PIECE ? "deliveries" : "skips");
  return row!.count;
}

/**
 * Skips the deliveries that wait for an endpoint. Marks the first piece at once, under the endpoint's lock; `skipMore`
 * marks the rest later.
 */
export async function skipDeliveries(tx: Tx, organizationId: string, endpointId: string): Promise<void> {
  tx.send(beginSkipStatement, [organizationId, endpointId]);
  await skipPiece(tx, organizationId, endpointId);
}

/** Endpoints that have more deliveries to skip. */
export async function skippingEndpoints(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: string; id: string }[]> {
  return db.query(skippingStatement, [limit]);
}

/** Marks the next piece of deliveries as skipped. Returns their number. */
export async function skipMore(tx: Tx, organizationId: string, endpointId: string): Promise<number> {
  const found = await tx.query(lockSkipStatement, [organizationId, endpointId]);
  return found.length > 0 ? skipPiece(tx, organizationId, endpointId) : 0;
}

// A delivery that no longer holds later ones back is sent at once, regardless of the order of its resource. Any other
// delivery keeps that order, as if it had not been tried yet (rule W8b).
const AGAIN = `UPDATE webhook_deliveries d SET status = 'pending', attempts = 0,
     repeated = d.repeated OR d.status = 'succeeded' OR d.attempts >= ${HOLDING_ATTEMPTS},
     attempt_at = statement_timestamp(), claimed = false, not_before = NULL, planned_at = NULL, brought = 0,
     updated_at = statement_timestamp()`;
// Excludes deliveries that are on their way, or about to be.
const NOT_UNDER_WAY = `((d.claimed AND d.attempt_at > statement_timestamp())
     OR (d.attempts = 0 AND d.attempt_at <= statement_timestamp())) IS NOT TRUE`;
const oneAgainStatement = sql(
  "webhooks.again",
  `${AGAIN} WHERE d.organization_id = $1 AND d.id = $2 AND ${NOT_UNDER_WAY}`,
);
const someAgainStatement = sql(
  "webhooks.some_again",
  `WITH seen AS MATERIALIZED (
     SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND endpoint_id = $2 AND id > $3 ORDER BY id
     LIMIT $4), again AS (
     ${AGAIN}
     WHERE d.organization_id = $1 AND d.id = ANY(ARRAY(SELECT id FROM seen)) AND ${NOT_UNDER_WAY}
     AND (NOT $5 OR d.status <> 'succeeded')
       AND ($6::timestamptz IS NULL OR d.created_at >= $6) AND d.created_at < $7::timestamptz
       RETURNING 1)
   SELECT (SELECT count(*) FROM seen) AS seen, (SELECT max(id) FROM seen) AS cursor,
   (SELECT count(*) FROM again) AS count`,
);

const clearRetryAfterStatement = sql(
  "webhooks.clear_retry_after",
  `UPDATE webhook_deliveries SET not_before = NULL WHERE organization_id = $1 AND id = ANY(ARRAY(
     SELECT id FROM webhook_deliveries
     WHERE organization_id = $1 AND endpoint_id = $2 AND status = 'retrying' AND not_before > statement_timestamp()
     LIMIT ${PIECE}))`,
);

/** Forgets the delays that a receiver asked for: another receiver has not asked for them. */
export function clearRetryAfter(tx: Tx, organizationId: string, endpointId: string): void {
  tx.send(clearRetryAfterStatement, [organizationId, endpointId]);
}

/** The deliveries of an endpoint to send once more: made in a span of time, all of them or only the failed ones. */
export type Redelivery = {
  organizationId: string;
  endpointId: string;
  madeFrom: Instant | null;
  madeUntil: Instant;
  failedOnly: boolean;
  /** The id of the last delivery that was looked at; empty at the start. */
  cursor: string;
};

/** Sends one delivery again, unless it is on its way. */
export function sendAgain(tx: Tx, organizationId: string, id: string): void {
  tx.send(oneAgainStatement, [organizationId, id]);
  tx.wakes("deliveries");
}

/**
 * Looks at the next piece. Returns the number of deliveries that are sent again. `rest`: the remaining redelivery, or
 * null after the last piece.
 */
export async function sendSomeAgain(tx: Tx, asked: Redelivery): Promise<{ count: number; rest: Redelivery | null }> {
  const { organizationId, endpointId, madeFrom, madeUntil, failedOnly, cursor } = asked;
  const span = [madeFrom && formatInstant(madeFrom), formatInstant(madeUntil)];
  const values = [organizationId, endpointId, cursor, PIECE, failedOnly, ...span];
  const [row] = await tx.query<{ seen: number; cursor: string | null; count: number }>(someAgainStatement, values);
  if (row!.count > 0) tx.wakes("deliveries");
  return { count: row!.count, rest: row!.seen < PIECE ? null : { ...asked, cursor: row!.cursor! } };
}

const storeStatement = sql(
  "webhook_redeliveries.store",
  `INSERT INTO webhook_redeliveries (organization_id, id, endpoint_id, made_from, made_until, failed_only, cursor)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (organization_id, id) DO UPDATE SET cursor = excluded.cursor`,
);
const listStatement = sql(
  "webhook_redeliveries.list",
  `SELECT organization_id AS "organizationId", id FROM webhook_redeliveries ORDER BY organization_id, id LIMIT $1`,
);
const lockStatement = sql(
  "webhook_redeliveries.lock",
  `SELECT organization_id AS "organizationId", endpoint_id AS "endpointId", made_from AS "madeFrom",
    made_until AS "madeUntil", failed_only AS "failedOnly", cursor
   FROM webhook_redeliveries WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
);
const endStatement = sql(
  "webhook_redeliveries.end",
  "DELETE FROM webhook_redeliveries WHERE organization_id = $1 AND id = $2",
);

/** Stores the rest of a redelivery for a worker. */
export function storeRedelivery(
  tx: Tx,
  id: string,
  { organizationId, endpointId, madeFrom, madeUntil, failedOnly, cursor }: Redelivery,
): void {
  const span = [madeFrom && formatInstant(madeFrom), formatInstant(madeUntil)];
  tx.send(storeStatement, [organizationId, id, endpointId, ...span, failedOnly, cursor]);
  tx.wakes("redeliveries");
}

/** Redeliveries that are not finished. */
export async function openRedeliveries(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: string; id: string }[]> {
  return db.query(listStatement, [limit]);
}

export async function lockRedelivery(tx: Tx, organizationId: string, id: string): Promise<Redelivery | null> {
  return (await tx.query<Redelivery>(lockStatement, [organizationId, id]))[0] ?? null;
}

export function endRedelivery(tx: Tx, organizationId: string, id: string): void {
  tx.send(endStatement, [organizationId, id]);
}
