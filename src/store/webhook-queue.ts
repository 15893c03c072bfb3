import { formatInstant, instant, type Instant } from "../domain/calendar.ts";
import type { EventType } from "../domain/event.ts";
import type { Organization } from "../domain/model/organization.ts";
import { HOLDING_ATTEMPTS } from "../domain/webhook/answer.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../domain/webhook/webhook.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { deliveries, endpoints } from "./webhooks.ts";

// Jumps from one Organization to the next in the index, so that the waiting events of each are not read. Citus refuses
// a recursion over several shards, so a distributed database asks for each Organization if it has a waiting event.
const waitingStatement = sql(
  "webhooks.waiting_organizations",
  `WITH RECURSIVE waiting AS (
     (SELECT organization_id FROM events WHERE dispatch_at IS NOT NULL AND organization_id > $1 ORDER BY organization_id
     LIMIT 1)
     UNION ALL
     SELECT n.organization_id FROM waiting w CROSS JOIN LATERAL (
       SELECT organization_id FROM events
       WHERE dispatch_at IS NOT NULL AND organization_id > w.organization_id ORDER BY organization_id LIMIT 1) n)
   SELECT organization_id AS "organizationId" FROM waiting LIMIT $2`,
  `SELECT o.id AS "organizationId" FROM organizations o
   WHERE o.id > $1 AND EXISTS (SELECT 1 FROM events e WHERE e.organization_id = o.id AND e.dispatch_at IS NOT NULL)
   ORDER BY o.id LIMIT $2`,
);
// Compare and set: only the process that clears the mark `dispatch_at` spreads the event.
const takeStatement = sql(
  "webhooks.take_events",
  `WITH next AS (
     SELECT id FROM events WHERE organization_id = $1 AND dispatch_at IS NOT NULL ORDER BY dispatch_at, id LIMIT $2
     FOR UPDATE SKIP LOCKED)
   UPDATE events e SET dispatch_at = NULL WHERE e.organization_id = $1 AND e.id = ANY(ARRAY(SELECT id FROM next))
   RETURNING e.id, e.type, e.resource_id AS "resourceId", e.sequence`,
);

/** Organizations with events still to be spread, in the order of their ids, after the id `after`. */
export async function waitingOrganizations(db: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>(waitingStatement, [after, limit]);
  return rows.map(({ organizationId }) => organizationId);
}

export type SpreadEvent = { id: string; type: EventType; resourceId: string; sequence: number };

/** Takes the oldest events of an Organization that are not spread yet. The caller spreads them. */
export async function takeEvents(tx: Tx, organizationId: string, limit: number): Promise<SpreadEvent[]> {
  return tx.query<SpreadEvent>(takeStatement, [organizationId, limit]);
}

/** An event on its way to an endpoint, to be sent at once. */
export type NewDelivery = { id: string; endpointId: string; event: SpreadEvent };

const insertStatement = sql(
  "webhooks.insert_deliveries",
  `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, resource_id, sequence,
    status, repeated, attempts, attempt_at, created_at, updated_at)
   SELECT $1, n.id, n.endpoint_id, n.event_id, n.type, n.resource_id, n.sequence, CASE WHEN $8::text = 'skipped' THEN $8
   ELSE 'pending' END,
     $8 = 'repeated', 0, CASE WHEN $8 <> 'skipped' THEN statement_timestamp() END, statement_timestamp(),
     statement_timestamp()
   FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[])
     AS n (id, endpoint_id, event_id, type, resource_id, sequence)`,
);

/**
 * Inserts deliveries without waiting for the answer. `repeated`: the deliveries neither wait for earlier ones of their
 * resource nor hold later ones back. `skipped`: the deliveries are not sent unless they are requested again.
 */
export function insertDeliveries(
  tx: Tx,
  organizationId: string,
  made: readonly NewDelivery[],
  as: "pending" | "repeated" | "skipped" = "pending",
): void {
  const columns = [
    made.map(({ id }) => id),
    made.map(({ endpointId }) => endpointId),
    made.map(({ event }) => event.id),
    made.map(({ event }) => event.type),
    made.map(({ event }) => event.resourceId),
    made.map(({ event }) => event.sequence),
  ];
  if (made.length === 0) return;
  tx.send(insertStatement, [organizationId, ...columns, as]);
  if (as !== "skipped") tx.wakes("deliveries");
}

/** Deliveries are sent only to an enabled endpoint that has no backlog to skip and has not asked for a pause. */
const isReachable = (e: string) =>
  `${e}.status = 'enabled' AND ${e}.deleted_at IS NULL AND ${e}.skip_until IS NULL
   AND coalesce(${e}.paused_until, '-infinity') <= statement_timestamp()`;

// Jumps from one endpoint to the next in the index, so that the waiting rows of each are not read: there may be
// millions. LIMIT keeps both look-ups apart: a join would rather read all endpoints and Organizations.
const FROM_DUE = `FROM waiting w
   CROSS JOIN LATERAL (SELECT * FROM webhook_endpoints WHERE organization_id = w.organization_id AND id = w.endpoint_id
   LIMIT 1) e
   CROSS JOIN LATERAL (SELECT mode FROM organizations WHERE id = w.organization_id LIMIT 1) o
   CROSS JOIN LATERAL (
     SELECT attempt_at FROM webhook_deliveries
     WHERE organization_id = w.organization_id AND endpoint_id = w.endpoint_id AND attempt_at <= statement_timestamp()
     ORDER BY attempt_at LIMIT 1) d
   WHERE e.kind = 'http' AND ${isReachable("e")}`;
const WAITING = `WITH RECURSIVE waiting AS (
     (SELECT organization_id, endpoint_id FROM webhook_deliveries WHERE attempt_at IS NOT NULL
      ORDER BY organization_id, endpoint_id LIMIT 1)
     UNION ALL
     SELECT n.organization_id, n.endpoint_id FROM waiting w CROSS JOIN LATERAL (
       SELECT d.organization_id, d.endpoint_id FROM webhook_deliveries d
       WHERE d.attempt_at IS NOT NULL AND (d.organization_id, d.endpoint_id) > (w.organization_id, w.endpoint_id)
       ORDER BY d.organization_id, d.endpoint_id LIMIT 1) n)`;
/**
 * For a distributed database, which refuses the recursion: the endpoints that can be sent to, of the Organizations with
 * a delivery that is due by an instant. `first_at`: the first such delivery of the endpoint; null: it has none.
 */
export const firstDeliveriesBy = (by: string): string => `(
     SELECT e.*, o.mode, (
       SELECT min(attempt_at) FROM webhook_deliveries d
       WHERE d.organization_id = e.organization_id AND d.endpoint_id = e.id AND d.attempt_at <= ${by}) AS first_at
     FROM organizations o JOIN webhook_endpoints e ON e.organization_id = o.id
     WHERE e.kind = 'http' AND ${isReachable("e")}
       AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.organization_id = o.id AND d.attempt_at <= ${by})) due`;
const FIRST_DUE = firstDeliveriesBy("statement_timestamp()");
const dueEndpointsStatement = sql(
  "webhooks.due_endpoints",
  `${WAITING} SELECT ${endpoints.columns("e")}, o.mode ${FROM_DUE} ORDER BY d.attempt_at`,
  `SELECT ${endpoints.columns("due")}, due.mode FROM ${FIRST_DUE}
   WHERE due.first_at IS NOT NULL ORDER BY due.first_at`,
);
/** The instant at which the next delivery that can be sent is due, in the past or future. */
export const FIRST_DELIVERY = `${WAITING} SELECT min(d.attempt_at)
   FROM waiting w JOIN webhook_endpoints e ON (e.organization_id, e.id) = (w.organization_id, w.endpoint_id)
   CROSS JOIN LATERAL (
     SELECT attempt_at FROM webhook_deliveries
     WHERE organization_id = w.organization_id AND endpoint_id = w.endpoint_id AND attempt_at IS NOT NULL
     ORDER BY attempt_at LIMIT 1) d
   WHERE e.kind = 'http' AND ${isReachable("e")}`;
const overdueStatement = sql(
  "webhooks.overdue",
  `${WAITING} SELECT coalesce(extract(epoch FROM statement_timestamp() - min(d.attempt_at)),
    0)::float8 AS seconds ${FROM_DUE}`,
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(due.first_at)), 0)::float8 AS seconds
   FROM ${FIRST_DUE}`,
);

/** For how many seconds the longest-waiting delivery that could be sent has been due; 0 if no delivery is due. */
export async function secondsOverdue(db: Queryable): Promise<number> {
  return (await db.query<{ seconds: number }>(overdueStatement))[0]!.seconds;
}

/** An endpoint with a due delivery, and the mode of its Organization. */
export type DueEndpoint = WebhookEndpoint & Pick<Organization, "mode">;

/** The endpoint that has waited longest comes first. */
export async function dueEndpoints(db: Queryable): Promise<DueEndpoint[]> {
  return db.query<DueEndpoint>(dueEndpointsStatement);
}

/** A claim lasts longer than the longest attempt. Once a claim has expired, its sender has died. */
export const CLAIM_MILLISECONDS = 40_000;

/** A claimed delivery with its event, as the event was stored. */
export type DueDelivery = WebhookDelivery & { eventCreatedAt: Instant; data: string; claimedAt: Instant };

// A connection keeps a plan until it closes or the table is analyzed. A plan that was made while the table was empty
// walks all rows for each row (20 s for 4,000). Planning at each call costs a fifth of the throughput, so plans are
// kept once PostgreSQL has counted 5,000 rows.
const planAnewStatement = sql(
  "webhooks.plan_anew",
  `SELECT set_config('plan_cache_mode', 'force_custom_plan', true) FROM pg_class
   WHERE oid = 'webhook_deliveries'::regclass AND reltuples < 5000`,
);

/**
 * Plans the next statements of the transaction by the tables' present contents, if PostgreSQL has counted few rows.
 */
function planAnew(tx: Tx): void {
  tx.send(planAnewStatement, []);
}

/** A claim looks at no more deliveries than this: hundreds of thousands may be held back. */
const MOST_SEEN = 2_000;
/** The most deliveries that are put off at once. */
const MOST_HELD = 1_000;

// First attempts are sent in the order of their resource: a delivery waits for each earlier delivery until that one has
// arrived or has failed three times, and for each earlier event that is not spread yet. The claim moves attempt_at into
// the future: after a crash the delivery is due again at that time. Here and below, `coalesce` keeps PostgreSQL from
// using an index by time, so seen rows are found by their keys. A plan from before there were statistics would
// otherwise walk all due rows for each seen row. The join names all columns of the event's unique indexes, because such
// a plan may use any of these indexes.
const claimStatement = sql(
  "webhooks.claim",
  `WITH due AS (
     SELECT d.id FROM (
       SELECT id, attempt_at, event_id FROM webhook_deliveries
       WHERE organization_id = $1 AND endpoint_id = $2 AND attempt_at <= statement_timestamp()
       ORDER BY attempt_at, event_id LIMIT ${MOST_SEEN}) seen
     JOIN webhook_deliveries d ON d.organization_id = $1 AND d.id = seen.id
     AND coalesce(d.attempt_at, 'infinity') <= statement_timestamp()
     WHERE EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.organization_id = $1 AND w.id = $2 AND ${isReachable("w")})
       AND (d.repeated OR d.attempts > 0 OR NOT EXISTS (
         SELECT 1 FROM webhook_deliveries b
         WHERE b.organization_id = $1 AND b.endpoint_id = d.endpoint_id AND b.resource_id = d.resource_id
           AND b.sequence < d.sequence AND b.attempt_at IS NOT NULL AND NOT b.repeated
           AND b.attempts < ${HOLDING_ATTEMPTS}))
       AND (d.repeated OR d.attempts > 0 OR NOT EXISTS (
         SELECT 1 FROM events e
         WHERE e.organization_id = $1 AND e.resource_id = d.resource_id AND e.sequence < d.sequence
           AND e.dispatch_at IS NOT NULL))
     ORDER BY seen.attempt_at, seen.event_id LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
   UPDATE webhook_deliveries d SET claimed = true, attempt_at = statement_timestamp() + $4 * interval '1 millisecond'
   FROM due, events e
   WHERE d.organization_id = $1 AND d.id = due.id
     AND e.organization_id = $1 AND (e.id, e.resource_id, e.sequence) = (d.event_id, d.resource_id, d.sequence)
   RETURNING ${deliveries.columns("d")}, e.created_at AS "eventCreatedAt", e.data::text AS data`,
);
const releaseStatement = sql(
  "webhooks.release",
  `UPDATE webhook_deliveries SET claimed = false, attempt_at = statement_timestamp()
   WHERE organization_id = $1 AND id = ANY($2) AND coalesce(attempt_at, '-infinity') > statement_timestamp()
   AND claimed`,
);

// Puts off deliveries that are held back. The delivery in front, which holds them back, is locked, so the transaction
// that stores its outcome sees the new times. Behind a failed delivery the held ones wait for its next attempt. Behind
// a delivery that is due or on its way they wait as long as a claim lasts, unless they are released before. Without the
// delay 2,000 held deliveries would hide all deliveries that are due later. They could even hide the delivery in front
// for ever, if its claim has run out.
const holdStatement = sql(
  "webhooks.hold",
  `WITH held AS (
     SELECT d.id, CASE WHEN b.attempts > 0 AND b.attempt_at > statement_timestamp() THEN b.attempt_at
       ELSE statement_timestamp() + $4 * interval '1 millisecond' END AS attempt_at
     FROM (
       SELECT id FROM webhook_deliveries
       WHERE organization_id = $1 AND endpoint_id = $2 AND attempt_at <= statement_timestamp()
       ORDER BY attempt_at, event_id LIMIT ${MOST_SEEN}) seen
     JOIN webhook_deliveries d ON d.organization_id = $1 AND d.id = seen.id
     AND coalesce(d.attempt_at, 'infinity') <= statement_timestamp()
     CROSS JOIN LATERAL (
       SELECT attempts, attempt_at FROM webhook_deliveries h
       WHERE h.organization_id = $1 AND h.endpoint_id = $2 AND h.resource_id = d.resource_id AND h.sequence < d.sequence
         AND h.attempt_at IS NOT NULL AND NOT h.repeated AND h.attempts < ${HOLDING_ATTEMPTS}
       ORDER BY h.sequence LIMIT 1 FOR UPDATE SKIP LOCKED) b
     WHERE d.attempts = 0 AND NOT d.repeated
       AND EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.organization_id = $1 AND w.id = $2 AND ${isReachable("w")})
     LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
   UPDATE webhook_deliveries d SET claimed = false, attempt_at = held.attempt_at FROM held
   WHERE d.organization_id = $1 AND d.id = held.id
   RETURNING 1 AS held`,
);
// Only the next waiting delivery of each resource is released: the ones after it wait for it. The next delivery is
// found first and looked up by its key afterwards, as in a claim: without statistics, one join read all waiting rows
// for each delivery (2 s for 250).
const releaseNextStatement = sql(
  "webhooks.release_next",
  `WITH next AS MATERIALIZED (
     SELECT n.id FROM unnest($3::text[], $4::integer[]) AS done (resource_id, sequence)
     CROSS JOIN LATERAL (
       SELECT b.id FROM webhook_deliveries b
       WHERE b.organization_id = $1 AND b.endpoint_id = $2 AND b.resource_id = done.resource_id
         AND b.sequence > done.sequence AND b.attempt_at IS NOT NULL AND NOT b.repeated
         AND b.attempts < ${HOLDING_ATTEMPTS}
       ORDER BY b.sequence LIMIT 1) n)
   UPDATE webhook_deliveries d SET attempt_at = statement_timestamp()
   WHERE d.organization_id = $1 AND d.id = ANY(ARRAY(SELECT id FROM next)) AND d.attempts = 0 AND NOT d.claimed
     AND coalesce(d.attempt_at, '-infinity') > statement_timestamp()
   RETURNING 1 AS released`,
);

/**
 * Claims up to `limit` due deliveries of an endpoint. No other sender takes them while the claim holds (rule W2b). If
 * fewer than `limit` may be sent, `held` is the number of due deliveries that are put off because an earlier event of
 * their resource holds them back (rules W3, W3a and W3d). Further held deliveries may exist.
 */
export async function claimDeliveries(
  tx: Tx,
  organizationId: string,
  endpointId: string,
  limit: number,
): Promise<{ due: DueDelivery[]; held: number }> {
  planAnew(tx);
  const values = [organizationId, endpointId, limit, CLAIM_MILLISECONDS];
  const rows = await tx.query<Omit<DueDelivery, "claimedAt">>(claimStatement, values);
  const due = rows.map((row) => ({ ...row, claimedAt: instant(row.attemptAt! - CLAIM_MILLISECONDS) }));
  if (due.length === limit) return { due, held: 0 };
  const held = await tx.query(holdStatement, [organizationId, endpointId, MOST_HELD, CLAIM_MILLISECONDS]);
  return { due, held: held.length };
}

/**
 * Makes the next event of each resource due: these deliveries have arrived or have failed too often to hold it back
 * (rule W3c). Returns how many were waiting.
 */
export async function releaseNext(tx: Tx, done: readonly WebhookDelivery[]): Promise<number> {
  if (done.length === 0) return 0;
  const { organizationId, endpointId } = done[0]!;
  const columns = [done.map(({ resourceId }) => resourceId), done.map(({ sequence }) => sequence)];
  return (await tx.query(releaseNextStatement, [organizationId, endpointId, ...columns])).length;
}

/**
 * Each answer brings this many earlier failures forward. So a recovered receiver soon gets all of its failed
 * deliveries, and a receiver that still fails mostly gets few.
 */
const MORE_FOR_ANSWER = 2;
/**
 * The most failed deliveries of an endpoint that are looked at. Some of these can't be brought forward: deliveries that
 * are due already, on their way, or delayed as the receiver asked.
 */
const MOST_FAILED_SEEN = 100;

// The conditions are checked again once the rows are locked: another sender may have claimed a row by then.
const bringForwardStatement = sql(
  "webhooks.bring_forward",
  `WITH more AS (
     SELECT id FROM (
       SELECT id, event_id, claimed, attempt_at, not_before FROM webhook_deliveries
       WHERE organization_id = $1 AND endpoint_id = $2 AND status = 'retrying' AND updated_at <= $3::timestamptz
       ORDER BY updated_at LIMIT ${MOST_FAILED_SEEN}) seen
     WHERE NOT claimed AND attempt_at > statement_timestamp()
       AND coalesce(not_before, '-infinity') <= statement_timestamp()
     ORDER BY event_id LIMIT $4)
   UPDATE webhook_deliveries d SET planned_at = d.attempt_at, brought = d.brought + 1,
     attempt_at = statement_timestamp()
   WHERE d.organization_id = $1 AND d.id = ANY(ARRAY(SELECT id FROM more)) AND d.status = 'retrying' AND NOT d.claimed
     AND coalesce(d.attempt_at, '-infinity') > statement_timestamp()
   RETURNING 1 AS brought`,
);

/**
 * Brings failures forward after answers that show a receiver at work: the deliveries that failed before their endpoint
 * recovered become due, the oldest first, each once after each outage (rule W6). Returns their number.
 */
export async function bringForward(
  tx: Tx,
  { organizationId, id, recoveredAt }: WebhookEndpoint,
  answers: number,
): Promise<number> {
  if (recoveredAt === null || answers === 0) return 0;
  const values = [organizationId, id, formatInstant(recoveredAt), answers * MORE_FOR_ANSWER];
  return (await tx.query(bringForwardStatement, values)).length;
}

/** Gives back claimed deliveries of an Organization that were not sent. */
export function releaseDeliveries(tx: Tx, organizationId: string, ids: readonly string[]): void {
  if (ids.length > 0) tx.send(releaseStatement, [organizationId, ids]);
}

const lockStatement = sql(
  "webhooks.lock_deliveries",
  `SELECT ${deliveries.columns()}, statement_timestamp() AS now FROM webhook_deliveries
   WHERE organization_id = $1 AND id = ANY($2::text[]) ORDER BY id FOR UPDATE`,
);

/**
 * Locks the deliveries with these ids, in the order of the ids. `now`: the time by the clock of the database; null if
 * no delivery was found.
 */
export async function lockDeliveries(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<{ rows: ReadonlyMap<string, WebhookDelivery>; now: Instant | null }> {
  planAnew(tx);
  const locked = await tx.query<WebhookDelivery & { now: Instant }>(lockStatement, [organizationId, ids]);
  return { rows: new Map(locked.map((row) => [row.id, row])), now: locked[0]?.now ?? null };
}
