import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/model/organization.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { defineTable } from "./driver/table.ts";

export const organizations = defineTable<Organization>("organizations", {
  id: "plain",
  name: "plain",
  mode: "plain",
  timeZone: "plain",
  defaultCurrency: "plain",
  defaultProration: "plain",
  quantityRise: "plain",
  quantityFall: "plain",
  retryDays: "json",
  graceDays: "plain",
  taxRates: "json",
  branding: "json",
  emailsOff: "json",
  portalOff: "json",
  portalOn: "json",
  portalProducts: "json",
  portalPause: "json",
  invoicePrefix: "plain",
  legalName: "plain",
  address: "json",
  taxId: "json",
  contactEmail: "plain",
  supportEmail: "plain",
  supportUrl: "plain",
  termsUrl: "plain",
  privacyUrl: "plain",
  websiteUrl: "plain",
  provider: "plain",
  providerAccount: "plain",
  sandboxEntry: "plain",
  supportRefundLimit: "plain",
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

// Not now(): the transaction may have waited for its lock long after it began. PostgreSQL takes the time of a
// statement at its beginning. So a statement after the lock has a time after the lock, even if both were sent at
// once.
const NOW = `COALESCE(clock_at, ${REAL_NOW}) AS now`;
const nowStatement = sql("organizations.now", `SELECT ${NOW} FROM organizations WHERE id = $1`);
const readStatement = sql(
  "organizations.read",
  `SELECT ${organizations.columns()}, ${NOW}, ${REAL_NOW} AS "realNow" FROM organizations WHERE id = $1`,
);

/** The times of the two clocks of rule T1, read from the database: the clocks of processes may disagree. */
type Times = { now: Instant; realNow: Instant };
export type OrganizationInTime = { organization: Organization } & Times;

/** The Organization, its billing time and real time. Call this once the locks are held. */
export async function readOrganization(db: Queryable, organizationId: string): Promise<OrganizationInTime> {
  const [row] = await db.query<Organization & Times>(readStatement, [organizationId]);
  if (!row) throw new Error(`no organization ${organizationId}`);
  const { now, realNow, ...organization } = row;
  return { organization, now, realNow };
}

/** Billing time of an Organization (rule T1). Call this once the locks are held. */
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

/**
 * Whether there is no Organization yet. Other transactions can't create an Organization until this transaction ends.
 */
export async function lockFirstOrganization(tx: Tx): Promise<boolean> {
  await tx.query(lockTableStatement);
  return (await tx.query(anyStatement)).length === 0;
}

/**
 * The lease of the process that runs an advance. Each write for the advance requires that the Organization's row still
 * has this `target` and `until`. `now`: the present time of the clock.
 */
export type ClockLease = { target: Instant; until: Instant; now: Instant };

/** How long a lease lasts: a process that died blocks an advance no longer than this. */
const LEASE = `${REAL_NOW} + interval '10 seconds'`;
const LEASED = "id = $1 AND clock_target = $2 AND clock_lease_until = $3";

const startStatement = sql(
  "organizations.start_clock",
  `UPDATE organizations SET clock_at = $2, clock_target = $3, clock_done = 0, clock_lease_until = ${REAL_NOW}
    WHERE id = $1`,
);
const takeStatement = sql(
  "organizations.take_clock",
  `UPDATE organizations SET clock_lease_until = ${LEASE}
   WHERE id = $1 AND clock_target = $2 AND clock_lease_until <= statement_timestamp()
   RETURNING clock_lease_until AS until, clock_at AS now`,
);
// GREATEST ignores a null.
const moveStatement = sql(
  "organizations.move_clock",
  `UPDATE organizations SET clock_at = GREATEST(clock_at, $4), clock_lease_until = ${LEASE}
   WHERE ${LEASED} RETURNING clock_lease_until AS until, clock_at AS now`,
);
const countStatement = sql(
  "organizations.count_done",
  "UPDATE organizations SET clock_done = clock_done + $2 WHERE id = $1",
);
const releaseStatement = sql(
  "organizations.release_clock",
  `UPDATE organizations SET clock_lease_until = ${REAL_NOW} + $4 * interval '1 millisecond' WHERE ${LEASED}`,
);
// One statement checks and arrives: between two statements a request could record work that neither would see.
const arriveStatement = sql(
  "organizations.arrive",
  `UPDATE organizations SET clock_at = clock_target, clock_target = NULL, clock_lease_until = NULL
   WHERE ${LEASED}
     AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE organization_id = $1 AND due_at <= $2)
     AND NOT EXISTS (SELECT 1 FROM checkouts WHERE organization_id = $1 AND due_at <= $2)
     AND NOT EXISTS (SELECT 1 FROM payments
       WHERE organization_id = $1 AND check_at IS NOT NULL
         AND (status IN ('pending', 'unknown') OR (status = 'requires_action' AND abandoned)))
     AND NOT EXISTS (SELECT 1 FROM refunds WHERE organization_id = $1 AND check_at IS NOT NULL)
   RETURNING 1 AS arrived`,
);
const stopStatement = sql(
  "organizations.stop_clock",
  "UPDATE organizations SET clock_target = NULL, clock_lease_until = NULL WHERE id = $1 AND clock_target IS NOT NULL",
);
const freeStatement = sql(
  "organizations.free_clocks",
  "SELECT id FROM organizations WHERE clock_target IS NOT NULL AND clock_lease_until <= statement_timestamp() LIMIT $1",
);

/** Begins an advance from `now` to `target`. From now on any process may take the lease of the advance. */
export async function startClock(tx: Tx, organizationId: string, now: Instant, target: Instant): Promise<void> {
  await tx.query(startStatement, [organizationId, formatInstant(now), formatInstant(target)]);
}

/**
 * Takes the lease of the advance to `target` for ten seconds. Returns null if another process has the lease, or if the
 * advance is over.
 */
export async function takeClock(tx: Tx, organizationId: string, target: Instant): Promise<ClockLease | null> {
  const [row] = await tx.query<{ until: Instant; now: Instant }>(takeStatement, [
    organizationId,
    formatInstant(target),
  ]);
  return row ? { target, ...row } : null;
}

const leased = (organizationId: string, { target, until }: ClockLease) => [
  organizationId,
  formatInstant(target),
  formatInstant(until),
];

/**
 * Moves the clock of an advance to `at` (never back; null: the clock stays), and extends the lease by ten seconds from
 * now. Returns null if the advance was stopped, or if another process has the lease by now.
 */
export async function moveClock(
  tx: Tx,
  organizationId: string,
  lease: ClockLease,
  at: Instant | null,
): Promise<ClockLease | null> {
  const values = [...leased(organizationId, lease), at && formatInstant(at)];
  const [row] = await tx.query<{ until: Instant; now: Instant }>(moveStatement, values);
  return row ? { target: lease.target, ...row } : null;
}

/** Adds to the number of due items that an advance has processed. Does not wait for the answer. */
export function countDone(tx: Tx, organizationId: string, done: number): void {
  tx.send(countStatement, [organizationId, done]);
}

/** Releases the lease: any process may take the advance once `pause` milliseconds have passed. */
export async function releaseClock(tx: Tx, organizationId: string, lease: ClockLease, pause: number): Promise<void> {
  await tx.query(releaseStatement, [...leased(organizationId, lease), pause]);
  if (pause === 0) tx.wakes("clocks");
}

/**
 * Ends an advance with its clock at the target, unless work up to the target is still to be done or settled. Returns
 * whether the advance has ended.
 */
export async function arriveClock(tx: Tx, organizationId: string, lease: ClockLease): Promise<boolean> {
  return (await tx.query(arriveStatement, leased(organizationId, lease))).length > 0;
}

/** Ends the advance that is under way, if any. The clock keeps its present time. */
export async function stopClock(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(stopStatement, [organizationId]);
}

/** Organizations with an advance that no process runs at the moment (rule T5). */
export async function freeClocks(db: Queryable, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(freeStatement, [limit])).map((row) => row.id);
}
