import { formatInstant, HOUR, instant, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/model/organization.ts";
import type { Subscription } from "../domain/model/subscription.ts";
import { sql, type Database, type Queryable, type Read, type Tx } from "./driver/db.ts";
import { arraysSql, withArrays } from "./driver/batch-forms.ts";
import { eachApart } from "./driver/each-organization.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { DISTRIBUTED } from "./driver/statement.ts";
import { subscriptions } from "./subscriptions.ts";

/** If no worker has recorded the clock for longer than this, the clock has jumped (rule T4). */
export const JUMP_MILLISECONDS = 24 * HOUR;

export type Heartbeat = { seenAt: Instant; now: Instant };

const freshStatement = sql(
  "catch_up.fresh",
  `SELECT abs(extract(epoch FROM statement_timestamp() - seen_at)) < $1::integer AS fresh FROM worker_heartbeat
   WHERE one`,
);
const unseenStatement = sql(
  "catch_up.unseen",
  `SELECT seen_at AS "seenAt" FROM worker_heartbeat
   WHERE one AND seen_at < statement_timestamp() - $1 * interval '1 millisecond'`,
);
// Creates or locks the row. An existing row keeps its `seen_at`.
const lockStatement = sql(
  "catch_up.lock_heartbeat",
  `INSERT INTO worker_heartbeat AS h (seen_at) VALUES (${REAL_NOW})
   ON CONFLICT (one) DO UPDATE SET seen_at = h.seen_at`,
);
// Runs once the lock is held. So the row has the values of the last holder of the lock, and `now` was read after that
// holder's commit.
const heartbeatStatement = sql(
  "catch_up.heartbeat",
  `SELECT seen_at AS "seenAt", ${REAL_NOW} AS now FROM worker_heartbeat WHERE one`,
);
const seenStatement = sql("catch_up.seen", "UPDATE worker_heartbeat SET seen_at = $1 WHERE one");
// One PostgreSQL changes all Organizations by one statement. A distributed database looks first, and then changes each
// Organization in a transaction of its own. This change is carried out only while the heartbeat still shows the jump:
// a process that was slow must not undo an approval that followed the other process's record.
const JUMPED = "UPDATE organizations SET catch_up_since = COALESCE(catch_up_since, $1) WHERE mode = 'live'";
const jumpedStatement = sql("catch_up.jumped", `${JUMPED} RETURNING id`);
const liveStatement = sql("catch_up.jumped_look", "SELECT id FROM organizations WHERE mode = 'live' ORDER BY id");
const holdStatement = sql(
  `catch_up.jumped${DISTRIBUTED}`,
  `${JUMPED} AND id = $2 AND EXISTS (SELECT FROM worker_heartbeat h WHERE h.one AND h.seen_at < $3) RETURNING id`,
);
const WITHDRAWN = "UPDATE organizations SET catch_up_approved_until = $1 WHERE catch_up_approved_until > $1";
const withdrawStatement = sql("catch_up.withdraw", WITHDRAWN);
const approvedStatement = sql(
  "catch_up.withdraw_look",
  "SELECT id FROM organizations WHERE catch_up_approved_until > $1 ORDER BY id",
);
const cutStatement = sql(
  `catch_up.withdraw${DISTRIBUTED}`,
  `${WITHDRAWN} AND id = $2 AND EXISTS (SELECT FROM worker_heartbeat h WHERE h.one AND h.seen_at > $3)`,
);

/** Whether the clock was recorded within `seconds` before or after now. False if the clock was never recorded. */
export async function isNoted(db: Read, seconds: number): Promise<boolean> {
  return (await db.query<{ fresh: boolean }>(freshStatement, [seconds]))[0]?.fresh ?? false;
}

/** The instant at which the clock was last recorded, if longer ago than `milliseconds`; otherwise null. */
export async function unseenSince(db: Queryable, milliseconds: number): Promise<Instant | null> {
  return (await db.query<{ seenAt: Instant }>(unseenStatement, [milliseconds]))[0]?.seenAt ?? null;
}

/** The last recorded instant `seenAt`, and `now` by the database's clock; null if the clock was never recorded. */
export async function readHeartbeat(db: Read): Promise<Heartbeat | null> {
  return (await db.query<Heartbeat>(heartbeatStatement))[0] ?? null;
}

/**
 * Locks the heartbeat until the transaction ends. Returns `now` by the database's clock, and the last recorded instant
 * `seenAt` (at the first call: now).
 */
export async function lockHeartbeat(tx: Tx): Promise<Heartbeat> {
  tx.send(lockStatement, []);
  return (await tx.query<Heartbeat>(heartbeatStatement))[0]!;
}

export function moveHeartbeat(tx: Tx, now: Instant): void {
  tx.send(seenStatement, [formatInstant(now)]);
}

/** Makes live Organizations hold back due work from now on. Returns their ids. */
export async function holdLive(tx: Tx, since: Instant): Promise<string[]> {
  return (await tx.query<{ id: string }>(jumpedStatement, [formatInstant(since)])).map((row) => row.id);
}

/**
 * Cuts approvals beyond `now` back to `now`. For a clock that was set back: these approvals were meant for another
 * time.
 */
export function withdrawApprovals(tx: Tx, now: Instant): void {
  tx.send(withdrawStatement, [formatInstant(now)]);
}

type Apart = Pick<Database, "read" | "tx">;

/**
 * As `holdLive`, with a transaction for each Organization. An Organization stays as it is once another process has
 * recorded the clock. Returns the ids of the others.
 */
export async function holdLiveApart({ read, tx }: Apart, { seenAt, now }: Heartbeat): Promise<string[]> {
  const held: string[] = [];
  const before = formatInstant(instant(now - JUMP_MILLISECONDS));
  await eachApart(await read.query<{ id: string }>(liveStatement), async ({ id }) => {
    const rows = await tx((own) => own.query(holdStatement, [formatInstant(seenAt), id, before]));
    if (rows.length > 0) held.push(id);
  });
  return held.sort();
}

/** As `withdrawApprovals`, with a transaction for each Organization, as long as the clock is not recorded. */
export async function withdrawApprovalsApart({ read, tx }: Apart, { now }: Heartbeat): Promise<void> {
  const after = formatInstant(instant(now + JUMP_MILLISECONDS));
  await eachApart(await read.query<{ id: string }>(approvedStatement, [formatInstant(now)]), async ({ id }) => {
    await tx((own) => own.query(cutStatement, [formatInstant(now), id, after]));
  });
}

const approveStatement = sql(
  "catch_up.approve",
  "UPDATE organizations SET catch_up_since = NULL, catch_up_approved_until = $2 WHERE id = $1",
);
const releaseStatement = sql(
  "catch_up.release",
  "UPDATE subscriptions SET held_at = NULL WHERE organization_id = $1 AND held_at IS NOT NULL",
);

// An approval updates the Organization first, then releases its held Subscriptions. This statement locks the
// Organization's row, and holds Subscriptions back only if the approval in that row is unchanged since the decision. If
// it has changed, the next sweep decides again. The instants are compared in milliseconds, because the decision read
// them so.
const holdAllStatement = arraysSql(
  "catch_up.hold_all",
  { id: "text", since: "timestamptz", until: "timestamptz" },
  (rows, keyOf, owners) =>
    `WITH seen AS (
       SELECT o.id, date_trunc('milliseconds', o.catch_up_since) AS since,
         date_trunc('milliseconds', o.catch_up_approved_until) AS until
       FROM organizations o WHERE o.id = ${owners} ORDER BY o.id FOR SHARE OF o)
     UPDATE subscriptions s SET held_at = ${REAL_NOW}
     FROM ${rows} JOIN seen ON seen.id = ${keyOf("r")}
     WHERE s.organization_id = ${keyOf("r")} AND s.id = r.id AND s.held_at IS NULL
       AND seen.since IS NOT DISTINCT FROM r.since AND seen.until IS NOT DISTINCT FROM r.until`,
);

/**
 * Makes the sweeps pass over these Subscriptions, unless work was approved since their Organization was read. Does
 * not wait for the answer.
 */
export function holdSubscriptions(tx: Tx, held: readonly { id: string; organization: Organization }[]): void {
  if (held.length === 0) return;
  const rows = held.map(({ id, organization }) => ({ id, organizationId: organization.id, organization }));
  type Row = (typeof rows)[number];
  const approval = (["catchUpSince", "catchUpApprovedUntil"] as const).map((name) => ({ organization }: Row) => {
    const at = organization[name];
    return at && formatInstant(at);
  });
  tx.send(...withArrays(tx, holdAllStatement, rows, ({ id }) => id, ...approval));
}

/**
 * Lets the work that was due by `until` be carried out. Updates the Organization's row first, because
 * `holdSubscriptions` reads that row under a lock.
 */
export async function approve(tx: Tx, organizationId: string, until: Instant): Promise<void> {
  await tx.query(approveStatement, [organizationId, formatInstant(until)]);
  await tx.query(releaseStatement, [organizationId]);
  tx.wakes("subscriptions");
}

const overdueStatement = sql(
  "catch_up.overdue",
  `SELECT ${subscriptions.columns()} FROM subscriptions
   WHERE organization_id = $1 AND due_at <= $2 AND (due_at, id) > ($3, $4) ORDER BY due_at, id LIMIT $5`,
);
const countStatement = sql(
  "catch_up.count",
  `SELECT organization_id AS "organizationId", count(*) AS subscriptions FROM subscriptions
   WHERE held_at IS NOT NULL AND due_at IS NOT NULL GROUP BY organization_id ORDER BY organization_id`,
);

/**
 * Subscriptions with something due by `now`, the longest due first. `after`: the last Subscription of the previous
 * page.
 */
export async function overduePage(
  db: Queryable,
  organizationId: string,
  now: Instant,
  after: Subscription | null,
  limit: number,
): Promise<Subscription[]> {
  const cursor = after ? [formatInstant(after.dueAt!), after.id] : ["-infinity", ""];
  return db.query<Subscription>(overdueStatement, [organizationId, formatInstant(now), ...cursor, limit]);
}

/** The number of Subscriptions that the sweeps hold, for every Organization with a held Subscription. */
export async function countHeld(db: Queryable): Promise<{ organizationId: string; subscriptions: number }[]> {
  return db.query(countStatement);
}
