import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/organization/organization.ts";
import type { Subscription } from "../domain/subscription/subscription.ts";
import { sql, type Queryable, type Read, type Tx } from "./db.ts";
import { subscriptions } from "./subscriptions.ts";

/** Where the time was not noted for longer, the clock has jumped (rule T4). */
export const JUMP_MILLISECONDS = 24 * 3_600_000;

const NOW = "date_trunc('milliseconds', statement_timestamp())";

const freshStatement = sql(
  "catch_up.fresh",
  `SELECT abs(extract(epoch FROM statement_timestamp() - seen_at)) < $1::integer AS fresh FROM worker_heartbeat`,
);
const unseenStatement = sql(
  "catch_up.unseen",
  `SELECT seen_at AS "seenAt" FROM worker_heartbeat WHERE seen_at < statement_timestamp() - $1 * interval '1 millisecond'`,
);
// What it writes is what is there already: the row is made or locked.
const lockStatement = sql(
  "catch_up.lock_heartbeat",
  `INSERT INTO worker_heartbeat AS h (seen_at) VALUES (${NOW}) ON CONFLICT (one) DO UPDATE SET seen_at = h.seen_at`,
);
// Sent with the lock, and carried out once that is held: the row is as the last holder has left it, and the time is not before that.
const heartbeatStatement = sql("catch_up.heartbeat", `SELECT seen_at AS "seenAt", ${NOW} AS now FROM worker_heartbeat`);
const seenStatement = sql("catch_up.seen", "UPDATE worker_heartbeat SET seen_at = $1");
const jumpedStatement = sql(
  "catch_up.jumped",
  `UPDATE organizations SET catch_up_since = COALESCE(catch_up_since, $1) WHERE mode = 'live' RETURNING id`,
);
const withdrawStatement = sql(
  "catch_up.withdraw",
  "UPDATE organizations SET catch_up_approved_until = $1 WHERE catch_up_approved_until > $1",
);

/** Whether the clock was noted within `seconds`, ahead or behind; false also when it never was. */
export async function isNoted(db: Read, seconds: number): Promise<boolean> {
  return (await db.query<{ fresh: boolean }>(freshStatement, [seconds]))[0]?.fresh ?? false;
}

/** When the clock was noted last, if that is longer ago than `milliseconds`. */
export async function unseenSince(db: Queryable, milliseconds: number): Promise<Instant | null> {
  return (await db.query<{ seenAt: Instant }>(unseenStatement, [milliseconds]))[0]?.seenAt ?? null;
}

/** The database's clock, and when it was noted last (the first time: now); nobody else notes it until the transaction ends. */
export async function lockHeartbeat(tx: Tx): Promise<{ seenAt: Instant; now: Instant }> {
  tx.send(lockStatement, []);
  return (await tx.query<{ seenAt: Instant; now: Instant }>(heartbeatStatement))[0]!;
}

export function moveHeartbeat(tx: Tx, now: Instant): void {
  tx.send(seenStatement, [formatInstant(now)]);
}

/** From now on live Organizations hold back what is due; answers their ids. */
export async function holdLive(tx: Tx, since: Instant): Promise<string[]> {
  return (await tx.query<{ id: string }>(jumpedStatement, [formatInstant(since)])).map((row) => row.id);
}

/** The clock went back to `now`: what was approved beyond it was meant for another time. */
export function withdrawApprovals(tx: Tx, now: Instant): void {
  tx.send(withdrawStatement, [formatInstant(now)]);
}

const approveStatement = sql(
  "catch_up.approve",
  "UPDATE organizations SET catch_up_since = NULL, catch_up_approved_until = $2 WHERE id = $1",
);
const releaseStatement = sql(
  "catch_up.release",
  "UPDATE subscriptions SET held_at = NULL WHERE organization_id = $1 AND held_at IS NOT NULL",
);

// Whoever approves changes the Organization first and then releases what is held: an Organization that is not as it was when this was
// decided, once its row is held, holds back nothing here. The sweeps come by again. Instants were read with milliseconds.
const holdAllStatement = sql(
  "catch_up.hold_all",
  `WITH unapproved AS (
     SELECT o.id FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS k (id, since, until) JOIN organizations o ON o.id = k.id
     WHERE date_trunc('milliseconds', o.catch_up_since) IS NOT DISTINCT FROM k.since
       AND date_trunc('milliseconds', o.catch_up_approved_until) IS NOT DISTINCT FROM k.until
     ORDER BY o.id FOR SHARE OF o)
   UPDATE subscriptions s SET held_at = date_trunc('milliseconds', statement_timestamp())
   FROM unapproved u JOIN unnest($4::text[], $5::text[]) AS r (organization_id, id) ON r.organization_id = u.id
   WHERE s.organization_id = r.organization_id AND s.id = r.id AND s.held_at IS NULL`,
);

/** The sweeps pass these Subscriptions by, unless something was approved since their Organization was read; sent without waiting. */
export function holdSubscriptions(tx: Tx, held: readonly { id: string; organization: Organization }[]): void {
  if (held.length === 0) return;
  const seen = [...new Map(held.map(({ organization }) => [organization.id, organization])).values()];
  const instants = (name: "catchUpSince" | "catchUpApprovedUntil") => seen.map(({ [name]: at }) => at && formatInstant(at));
  const places = [seen.map(({ id }) => id), instants("catchUpSince"), instants("catchUpApprovedUntil")];
  tx.send(holdAllStatement, [...places, held.map(({ organization }) => organization.id), held.map(({ id }) => id)]);
}

/** What was due by `until` may be carried out. The Organization's row comes first: whoever holds back looks at it under a lock. */
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

/** Subscriptions with something due by `now`, the oldest first, after the last one of the page before. */
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

/** How many Subscriptions the sweeps have found to be held, by Organization; none are left out. */
export async function countHeld(db: Queryable): Promise<{ organizationId: string; subscriptions: number }[]> {
  return db.query(countStatement);
}
