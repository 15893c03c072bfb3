import { formatInstant, type Instant } from "../domain/calendar.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { columnList } from "./driver/table.ts";

/**
 * The filling of a sandbox. `beginsAt`, `endsAt`: billing time. `done`: of `steps`. `fault`: a sentence with the reason
 * why the steps do not go on. `leaseUntil`: in real time; null: all steps are done, or a person has to let them go on.
 */
export type Fill = {
  organizationId: string;
  beginsAt: Instant;
  endsAt: Instant;
  done: number;
  steps: number;
  fault: string | null;
  leaseUntil: Instant | null;
};

const COLUMNS = columnList(["organizationId", "beginsAt", "endsAt", "done", "steps", "fault", "leaseUntil"]);
/** A process that died blocks the filling no longer than this. */
const LEASE = `${REAL_NOW} + interval '10 seconds'`;

const findStatement = sql("sandbox_fills.find", `SELECT ${COLUMNS} FROM sandbox_fills WHERE organization_id = $1`);
const beginStatement = sql(
  "sandbox_fills.begin",
  `INSERT INTO sandbox_fills (organization_id, begins_at, ends_at, done, steps, lease_until)
   VALUES ($1, $2, $3, 0, $4, ${REAL_NOW})`,
);
const freeStatement = sql(
  "sandbox_fills.free",
  `SELECT organization_id AS "organizationId" FROM sandbox_fills WHERE lease_until <= statement_timestamp()
   ORDER BY lease_until LIMIT $1`,
);
const takeStatement = sql(
  "sandbox_fills.take",
  `UPDATE sandbox_fills SET lease_until = ${LEASE}
   WHERE organization_id = $1 AND lease_until <= statement_timestamp() RETURNING ${COLUMNS}`,
);
const HELD = "WHERE organization_id = $1 AND lease_until = $2";
const storeStatement = sql(
  "sandbox_fills.store",
  `UPDATE sandbox_fills SET done = $3, lease_until = ${LEASE} ${HELD} RETURNING ${COLUMNS}`,
);
const releaseStatement = sql(
  "sandbox_fills.release",
  `UPDATE sandbox_fills SET done = $3, lease_until = ${REAL_NOW} + $4 * interval '1 millisecond' ${HELD}`,
);
const finishStatement = sql(
  "sandbox_fills.finish",
  `UPDATE sandbox_fills SET done = $3, fault = $4, lease_until = NULL ${HELD}`,
);
const stopStatement = sql(
  "sandbox_fills.stop",
  `UPDATE sandbox_fills SET lease_until = NULL, fault = $2
   WHERE organization_id = $1 AND lease_until IS NOT NULL RETURNING ${COLUMNS}`,
);
const resumeStatement = sql(
  "sandbox_fills.resume",
  `UPDATE sandbox_fills SET lease_until = ${REAL_NOW}, fault = NULL
   WHERE organization_id = $1 AND lease_until IS NULL AND done < steps RETURNING ${COLUMNS}`,
);

export async function findFill(db: Queryable, organizationId: string): Promise<Fill | null> {
  return (await db.query<Fill>(findStatement, [organizationId]))[0] ?? null;
}

/** Lets a worker begin with the first step. */
export function beginFill(tx: Tx, { organizationId, beginsAt, endsAt, steps }: Fill): void {
  tx.send(beginStatement, [organizationId, formatInstant(beginsAt), formatInstant(endsAt), steps]);
  tx.wakes("fills");
}

/** Organizations with steps that no process takes at the moment. */
export async function freeFills(db: Queryable, limit: number): Promise<string[]> {
  return (await db.query<{ organizationId: string }>(freeStatement, [limit])).map((row) => row.organizationId);
}

/** Takes the lease for ten seconds. Null: no step is left, or another process has the lease. */
export async function takeFill(tx: Tx, organizationId: string): Promise<Fill | null> {
  return (await tx.query<Fill>(takeStatement, [organizationId]))[0] ?? null;
}

const held = ({ organizationId, leaseUntil }: Fill) => [organizationId, formatInstant(leaseUntil!)];

/** Records the steps that are done, and renews the lease. Null: the filling was stopped or taken over. */
export async function storeFill(tx: Tx, fill: Fill, done: number): Promise<Fill | null> {
  return (await tx.query<Fill>(storeStatement, [...held(fill), done]))[0] ?? null;
}

/**
 * Records the steps that are done, and gives the lease back: any process may take the next step once `pause`
 * milliseconds have passed.
 */
export async function releaseFill(tx: Tx, fill: Fill, done: number, pause: number): Promise<null> {
  await tx.query(releaseStatement, [...held(fill), done, pause]);
  if (pause === 0) tx.wakes("fills");
  return null;
}

/** Records the steps that are done, and ends. `fault`: null if all are done. */
export async function finishFill(tx: Tx, fill: Fill, done: number, fault: string | null): Promise<null> {
  await tx.query(finishStatement, [...held(fill), done, fault]);
  return null;
}

/** Stops the steps that are going on. Null: no steps are going on. */
export async function stopFill(tx: Tx, organizationId: string, fault: string): Promise<Fill | null> {
  return (await tx.query<Fill>(stopStatement, [organizationId, fault]))[0] ?? null;
}

/** Lets the steps of a stopped filling go on. Null: no filling is stopped. */
export async function resumeFill(tx: Tx, organizationId: string): Promise<Fill | null> {
  const [fill] = await tx.query<Fill>(resumeStatement, [organizationId]);
  if (fill) tx.wakes("fills");
  return fill ?? null;
}
