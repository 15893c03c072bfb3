import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { CheckedRow, ImportProblem } from "../domain/import/both-sides.ts";
import type { ImportKey, ImportRow, ImportState } from "../domain/import/import.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import type { ImportAccount } from "./imports.ts";

const KEY = "organization_id = $1 AND source = $2 AND account = $3 AND ref = $4";
const keyOf = ({ organizationId, source, account, ref }: ImportKey) => [organizationId, source, account, ref];
const UNTIL = `${REAL_NOW} + $5 * interval '1 millisecond'`;

const leaseStatement = sql(
  "imports.lease",
  `UPDATE imports SET lease_until = ${UNTIL}
   WHERE ${KEY} AND (lease_until IS NULL OR lease_until <= statement_timestamp())
   RETURNING lease_until AS "leaseUntil"`,
);
// A compare-and-set: after the end of a lease another process may have gone on.
const renewStatement = sql(
  "imports.renew_lease",
  `UPDATE imports SET lease_until = ${UNTIL} WHERE ${KEY} AND lease_until = $6 RETURNING lease_until AS "leaseUntil"`,
);
// After the end of an alarm, the next one has an e-mail again.
const endStatement = sql(
  "imports.end_lease",
  `UPDATE imports SET lease_until = NULL,
     alarmed_at = CASE WHEN problem IS NOT NULL OR state = 'stopping' THEN alarmed_at END
   WHERE ${KEY} AND lease_until = $5`,
);
const waitStatement = sql(
  "imports.leased_for",
  `SELECT greatest(0, extract(epoch FROM lease_until - statement_timestamp()) * 1000)::float8 AS milliseconds
   FROM imports WHERE ${KEY} AND lease_until IS NOT NULL`,
);

/**
 * Leases a row for so many milliseconds: only the process with the lease writes it, or writes about it in the other
 * system. Returns the end of the lease, which names it; null: another process has the lease.
 */
export async function leaseImport(tx: Tx, key: ImportKey, milliseconds: number): Promise<Instant | null> {
  const rows = await tx.query<{ leaseUntil: Instant }>(leaseStatement, [...keyOf(key), milliseconds]);
  return rows[0]?.leaseUntil ?? null;
}

/** Prolongs a lease. Returns its new end; null: the lease is over. */
export async function renewLease(
  tx: Tx,
  key: ImportKey,
  milliseconds: number,
  until: Instant,
): Promise<Instant | null> {
  const values = [...keyOf(key), milliseconds, formatInstant(until)];
  return (await tx.query<{ leaseUntil: Instant }>(renewStatement, values))[0]?.leaseUntil ?? null;
}

export async function endLease(tx: Tx, key: ImportKey, until: Instant): Promise<void> {
  await tx.query(endStatement, [...keyOf(key), formatInstant(until)]);
}

/** The milliseconds until the lease of another process ends, by the database's clock; 0: there is none. */
export async function leasedFor(db: Queryable, key: ImportKey): Promise<number> {
  return (await db.query<{ milliseconds: number }>(waitStatement, keyOf(key)))[0]?.milliseconds ?? 0;
}

const refsStatement = sql(
  "imports.refs_in_states",
  `SELECT ref FROM imports WHERE organization_id = $1 AND source = $2 AND account = $3 AND state = ANY($4::text[])
     AND ref > $5 ORDER BY ref LIMIT $6`,
);

/** The subscriptions of an account in these states by their ids there, of those behind `after`. */
export async function refsIn(
  db: Queryable,
  { organizationId, source, account }: ImportAccount,
  states: readonly ImportState[],
  after: string,
  limit: number,
): Promise<string[]> {
  const values = [organizationId, source, account, states, after, limit];
  return (await db.query<{ ref: string }>(refsStatement, values)).map(({ ref }) => ref);
}

const billedStatement = sql(
  "imports.billed_here",
  `SELECT s.status = 'canceled' AS "isEnded", count(i.id) > 0 AS "isInvoiced",
     coalesce(bool_or(i.reason = 'renewal' AND i.status = 'paid'), false) AS "isRenewed"
   FROM subscriptions s LEFT JOIN invoices i ON i.organization_id = s.organization_id AND i.subscription_id = s.id
   WHERE s.organization_id = $1 AND s.id = $2 GROUP BY s.status`,
);

/** `isInvoiced`: the Subscription has an invoice. `isRenewed`: one of them is a renewal that is paid. */
export type BilledHere = { isEnded: boolean; isInvoiced: boolean; isRenewed: boolean };

export async function billedHere(db: Queryable, organizationId: string, subscriptionId: string): Promise<BilledHere> {
  return (await db.query<BilledHere>(billedStatement, [organizationId, subscriptionId]))[0]!;
}

const ofCustomersStatement = sql(
  "imports.of_foreign_customers",
  `SELECT i.ref, i.customer_ref AS "customerRef", i.subscription_id AS "subscriptionId", i.state,
     s.status = 'canceled' AS "isEnded",
     s.cancel_at_period_end OR i.snapshot->'stop'->'terms'->>'cancelAt' IS NOT NULL AS "isEnding"
   FROM imports i JOIN subscriptions s ON s.organization_id = i.organization_id AND s.id = i.subscription_id
   WHERE i.organization_id = $1 AND i.source = $2 AND i.account = $3 AND i.customer_ref = ANY($4::text[])
     AND i.state IN ('imported', 'stopping', 'moved', 'finished') AND i.updated_at <= $5`,
);

/**
 * Imported rows of these Customers there. `at`: the beginning of the check. A row that has changed since then may be
 * newer than the reading of its subscription, and comes with the next check.
 */
export function rowsToCheck(
  db: Queryable,
  { organizationId, source, account }: ImportAccount,
  customers: readonly string[],
  at: Instant,
): Promise<CheckedRow[]> {
  const values = [organizationId, source, account, customers, formatInstant(at)];
  return db.query<CheckedRow>(ofCustomersStatement, values);
}

const foundStatement = sql(
  "imports.store_problems",
  `UPDATE imports i SET problem = c.problem, updated_at = greatest(i.updated_at, $7::timestamptz),
     alarmed_at = CASE WHEN i.problem = c.problem OR i.state = 'stopping' THEN i.alarmed_at END
   FROM unnest($4::text[], $5::text[], $6::text[]) AS c (ref, state, problem)
   WHERE i.organization_id = $1 AND i.source = $2 AND i.account = $3 AND i.ref = c.ref AND i.state = c.state
     AND (i.lease_until IS NULL OR i.lease_until <= statement_timestamp())`,
);

/** Stores the problems of rows that are in the same state as when a check read them. */
export async function storeProblems(
  tx: Tx,
  { organizationId, source, account }: ImportAccount,
  found: readonly { ref: string; state: ImportState; problem: ImportProblem }[],
  at: Instant,
): Promise<void> {
  if (found.length === 0) return;
  const columns = [found.map(({ ref }) => ref), found.map(({ state }) => state), found.map(({ problem }) => problem)];
  await tx.query(foundStatement, [organizationId, source, account, ...columns, formatInstant(at)]);
}

const endCheckStatement = sql(
  "imports.end_check",
  `UPDATE imports SET checked_at = $4, problem = CASE WHEN ref = ANY($5::text[]) THEN problem END,
     alarmed_at = CASE WHEN ref = ANY($5::text[]) OR state = 'stopping' THEN alarmed_at END
   WHERE organization_id = $1 AND source = $2 AND account = $3 AND updated_at <= $4
     AND (state IN ('imported', 'stopping', 'moved', 'finished') OR problem IS NOT NULL)`,
);

/**
 * Ends a check that began at `at`. Rows that are not `troubled` have no problem any more. Rows that have changed since
 * then stay as they are.
 */
export async function endCheck(
  tx: Tx,
  { organizationId, source, account }: ImportAccount,
  at: Instant,
  troubled: readonly string[],
): Promise<void> {
  await tx.query(endCheckStatement, [organizationId, source, account, formatInstant(at), troubled]);
}

// $1: stops that began earlier are late.
const IN_ALARM = "(state = 'stopping' AND stopping_at < $1 OR problem IS NOT NULL)";
const unsentStatement = sql(
  "imports.unsent_alarms",
  `SELECT organization_id AS id FROM imports WHERE state = 'stopping' AND stopping_at < $1 AND alarmed_at IS NULL
   UNION SELECT organization_id FROM imports WHERE problem IS NOT NULL AND alarmed_at IS NULL LIMIT $2`,
);
const takeStatement = sql(
  "imports.take_alarms",
  `UPDATE imports SET alarmed_at = ${REAL_NOW} WHERE organization_id = $2 AND ${IN_ALARM} AND alarmed_at IS NULL
   RETURNING ref, customer_ref AS "customerRef", account, state, problem`,
);
const countStatement = sql(
  "imports.count_alarms",
  `SELECT sum(alarms)::bigint AS alarms FROM (
     SELECT count(*) AS alarms FROM imports WHERE state = 'stopping' AND stopping_at < $1 AND problem IS NULL
     UNION ALL SELECT count(*) FROM imports WHERE problem IS NOT NULL) AS counted`,
);
const alarmsStatement = sql(
  "imports.alarms_of",
  `SELECT count(*) FILTER (WHERE problem IS NULL) AS stopping, count(*) FILTER (WHERE problem IS NOT NULL) AS problems
   FROM imports WHERE organization_id = $2 AND ${IN_ALARM}`,
);

/** A subscription whose stop does not go on, or that has a problem. */
export type ImportAlarm = Pick<ImportRow, "ref" | "customerRef" | "account" | "state" | "problem">;

/** The Organizations with an alarm that no e-mail is about. `before`: stops that began earlier are late. */
export async function unsentAlarms(db: Queryable, before: Instant, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(unsentStatement, [formatInstant(before), limit])).map(({ id }) => id);
}

/** The alarms of an Organization that no e-mail is about. From now on there is one. */
export function takeAlarms(tx: Tx, organizationId: string, before: Instant): Promise<ImportAlarm[]> {
  return tx.query<ImportAlarm>(takeStatement, [formatInstant(before), organizationId]);
}

/** The alarms of all Organizations. */
export async function countAlarms(db: Queryable, before: Instant): Promise<number> {
  return (await db.query<{ alarms: number }>(countStatement, [formatInstant(before)]))[0]!.alarms;
}

/** `stopping`: subscriptions that neither side charges. `problems`: others with an alarm. */
export type AlarmCounts = { stopping: number; problems: number };

export async function alarmsOf(db: Queryable, organizationId: string, before: Instant): Promise<AlarmCounts> {
  return (await db.query<AlarmCounts>(alarmsStatement, [formatInstant(before), organizationId]))[0]!;
}
