import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/organization.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export const organizations = defineTable<Organization>("organizations", {
  id: "plain",
  name: "plain",
  mode: "plain",
  timeZone: "plain",
  defaultCurrency: "plain",
  defaultProration: "plain",
  retryDays: "json",
  graceDays: "plain",
  taxRates: "json",
  branding: "json",
  emailsOff: "json",
  invoicePrefix: "plain",
  legalName: "plain",
  address: "json",
  taxId: "json",
  clockAt: "instant",
  clockTarget: "instant",
  clockLeaseUntil: "instant",
  clockDone: "plain",
  catchUpSince: "instant",
  catchUpApprovedUntil: "instant",
  version: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

// clock_timestamp(), not now(): the transaction may have waited for its lock long after it began.
const REAL_NOW = "date_trunc('milliseconds', clock_timestamp())";
const NOW = `COALESCE(clock_at, ${REAL_NOW}) AS now`;
const nowStatement = sql("organizations.now", `SELECT ${NOW} FROM organizations WHERE id = $1`);
const readStatement = sql(
  "organizations.read",
  `SELECT ${organizations.columns()}, ${NOW}, ${REAL_NOW} AS "realNow" FROM organizations WHERE id = $1`,
);

/** What time it is by the two clocks of rule T1, both read from the database: those of the processes may disagree. */
type Times = { now: Instant; realNow: Instant };

/** The Organization, its billing time and real time, to be read once the locks are held. */
export async function readOrganization(db: Queryable, organizationId: string): Promise<{ organization: Organization } & Times> {
  const [row] = await db.query<Organization & Times>(readStatement, [organizationId]);
  if (!row) throw new Error(`no organization ${organizationId}`);
  const { now, realNow, ...organization } = row;
  return { organization, now, realNow };
}

/** Billing time of an Organization (rule T1), to be read once the locks are held. */
export async function billingNow(db: Queryable, organizationId: string): Promise<Instant> {
  const [row] = await db.query<{ now: Instant }>(nowStatement, [organizationId]);
  if (!row) throw new Error(`no organization ${organizationId}`);
  return row.now;
}

const listStatement = sql("organizations.list", `SELECT ${organizations.columns()} FROM organizations ORDER BY id`);
const lockTableStatement = sql("organizations.lock_table", "LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE");
const anyStatement = sql("organizations.any", "SELECT id FROM organizations LIMIT 1");

/** Every Organization of this installation, oldest first. */
export function listOrganizations(db: Queryable): Promise<Organization[]> {
  return db.query<Organization>(listStatement);
}

/** Whether there is none; nobody else makes one until the transaction ends. */
export async function lockFirstOrganization(tx: Tx): Promise<boolean> {
  await tx.query(lockTableStatement);
  return (await tx.query(anyStatement)).length === 0;
}

const leaseStatement = sql(
  "organizations.lease",
  `UPDATE organizations SET clock_at = GREATEST(clock_at, $2), clock_done = clock_done + $3,
     clock_lease_until = clock_timestamp() + interval '10 seconds'
   WHERE id = $1`,
);
const releaseStatement = sql(
  "organizations.release",
  `UPDATE organizations SET clock_lease_until = clock_timestamp() WHERE id = $1 AND clock_target IS NOT NULL`,
);
// In one statement, since what a request records between two looks would be passed by.
const arriveStatement = sql(
  "organizations.arrive",
  `UPDATE organizations SET clock_at = clock_target, clock_target = NULL, clock_lease_until = NULL
   WHERE id = $1 AND clock_target = $2
     AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE organization_id = $1 AND due_at <= $2)
     AND NOT EXISTS (SELECT 1 FROM checkouts WHERE organization_id = $1 AND due_at <= $2)
     AND NOT EXISTS (SELECT 1 FROM payments
       WHERE organization_id = $1 AND check_at IS NOT NULL
         AND (status IN ('pending', 'unknown') OR (status = 'requires_action' AND abandoned)))
     AND NOT EXISTS (SELECT 1 FROM refunds WHERE organization_id = $1 AND check_at IS NOT NULL)`,
);
const leasedStatement = sql(
  "organizations.leased",
  `SELECT ceil(extract(epoch FROM clock_lease_until - clock_timestamp()))::integer AS seconds FROM organizations WHERE id = $1`,
);
const strandedStatement = sql(
  "organizations.stranded",
  `SELECT id FROM organizations WHERE clock_target IS NOT NULL AND clock_lease_until < clock_timestamp() - interval '30 seconds' LIMIT $1`,
);

/** Moves the clock of an advance on (never back), counts what was done, and says that somebody is at it. */
export async function moveClock(tx: Tx, organizationId: string, at: Instant, done: number): Promise<void> {
  await tx.query(leaseStatement, [organizationId, formatInstant(at), done]);
}

/** Nobody carries the advance out at the moment; whoever calls again does. */
export async function releaseClock(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(releaseStatement, [organizationId]);
}

/** The clock stands at its target, unless something up to there is still to be done or settled, or it has another target by now. */
export async function arriveClock(tx: Tx, organizationId: string, target: Instant): Promise<void> {
  await tx.query(arriveStatement, [organizationId, formatInstant(target)]);
}

/** For how many seconds yet a process is believed to carry out the advance; 0: nobody is. */
export async function clockLease(db: Queryable, organizationId: string): Promise<number> {
  const [row] = await db.query<{ seconds: number | null }>(leasedStatement, [organizationId]);
  return Math.max(row?.seconds ?? 0, 0);
}

/** Organizations whose advance was left behind by a process that died (rule T5). */
export async function strandedClocks(db: Queryable, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(strandedStatement, [limit])).map((row) => row.id);
}
