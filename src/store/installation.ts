import type { Instant } from "../domain/calendar.ts";
import type { EmailKind } from "../domain/model/email.ts";
import { SANDBOX } from "../domain/model/payment-outcome.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { refuseForNow } from "./driver/failures.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

/**
 * The properties of a database that a copy does not have. `systemIdentifier`: PostgreSQL's own identifier of the
 * server; null: the role may not read it. The timeline takes no part, because a promoted replica is no copy. In a
 * distributed installation, the properties are those of the database on the coordinator.
 */
export type Fingerprint = { systemIdentifier: string | null; databaseOid: string };

/** The database that this installation runs on. `adoptedAt`: the last `billow adopt`. */
export type Installation = Fingerprint & {
  id: string;
  createdAt: Instant;
  adoptedAt: Instant | null;
  /** The timeline of PostgreSQL's log at the last look of a worker; null: not known. */
  timeline: number | null;
};

/**
 * The memory of a process: whether its database is a copy, null before the first look. `lookedAt`: the last look, by
 * `performance.now()`. `openings`: the number of opened connections at the last look at the timeline, at `timelineAt`;
 * there is no `timelineAt` if a node of a cluster did not answer.
 */
export type Recognition = { isCopy: boolean | null; lookedAt: number; openings?: number; timelineAt?: number };

const COLUMNS = `id, system_identifier AS "systemIdentifier", database_oid AS "databaseOid",
  created_at AS "createdAt", adopted_at AS "adoptedAt", timeline`;

const findStatement = sql("installation.find", `SELECT ${COLUMNS} FROM installation WHERE one`);
const lockStatement = sql("installation.lock", `SELECT ${COLUMNS} FROM installation WHERE one FOR UPDATE`);
const databaseStatement = sql(
  "installation.database",
  `SELECT oid::text AS "databaseOid",
     coalesce(has_function_privilege(to_regprocedure('pg_control_system()'), 'EXECUTE'), false) AS "isReadable",
     to_regprocedure('pg_catalog.run_command_on_coordinator(text,boolean)') IS NOT NULL AS "hasCitus"
   FROM pg_database WHERE datname = current_database()`,
);
const clusterStatement = sql(
  "installation.cluster",
  `SELECT system_identifier::text AS "systemIdentifier" FROM pg_control_system()`,
);
// Without a name, as other servers lack the function. The coordinator does not ask itself: there is no row.
const COORDINATOR = {
  name: "",
  text: `SELECT c.success, c.result FROM pg_catalog.pg_dist_local_group g
    CROSS JOIN LATERAL run_command_on_coordinator(CASE WHEN g.groupid <> 0 THEN
      $$SELECT json_build_object('databaseOid', oid::text, 'systemIdentifier',
          CASE WHEN has_function_privilege('pg_control_system()', 'EXECUTE')
          THEN (SELECT system_identifier::text FROM pg_control_system()) END)
        FROM pg_database WHERE datname = current_database()$$ END) c
    WHERE g.groupid <> 0`,
};
const insertStatement = sql(
  "installation.insert",
  `INSERT INTO installation (id, system_identifier, database_oid, created_at) VALUES ($1, $2, $3, ${REAL_NOW})
   ON CONFLICT (one) DO NOTHING`,
);
const adoptStatement = sql(
  "installation.adopt",
  `UPDATE installation SET system_identifier = $1, database_oid = $2, adopted_at = ${REAL_NOW}
   WHERE one`,
);

/**
 * The fingerprint of this database. By default each role may read the system identifier. A server that lacks the
 * function, or forbids the call, leaves only the database's oid.
 */
export async function readFingerprint(db: Queryable): Promise<Fingerprint> {
  type Found = { databaseOid: string; isReadable: boolean; hasCitus: boolean };
  const [database] = await db.query<Found>(databaseStatement);
  const { databaseOid, isReadable, hasCitus } = database!;
  const elsewhere = hasCitus ? await askCoordinator(db) : null;
  if (elsewhere !== null) return elsewhere;
  // A statement with the function fails as a whole if the role may not call the function.
  const [cluster] = isReadable ? await db.query<{ systemIdentifier: string }>(clusterStatement) : [];
  return { systemIdentifier: cluster?.systemIdentifier ?? null, databaseOid };
}

/** The fingerprint of the coordinator, asked on a worker node; null: this node is no worker node. */
async function askCoordinator(db: Queryable): Promise<Fingerprint | null> {
  const [answer] = await db.query<{ success: boolean; result: string }>(COORDINATOR);
  if (answer?.success === false) throw refuseForNow(new Error(`the coordinator does not answer: ${answer.result}`));
  return answer ? (JSON.parse(answer.result) as Fingerprint) : null;
}

/** Null: no process has started on this database yet. */
export async function findInstallation(db: Queryable): Promise<Installation | null> {
  return (await db.query<Installation>(findStatement))[0] ?? null;
}

/** As `findInstallation`, and locks the row until the transaction ends. */
export async function lockInstallation(tx: Tx): Promise<Installation | null> {
  return (await tx.query<Installation>(lockStatement))[0] ?? null;
}

/** Makes the row, unless another process has made it. */
export async function insertInstallation(tx: Tx, id: string, fingerprint: Fingerprint): Promise<void> {
  await tx.query(insertStatement, [id, fingerprint.systemIdentifier, fingerprint.databaseOid]);
}

/** Makes this database the one that the installation runs on. */
export async function moveInstallation(tx: Tx, fingerprint: Fingerprint): Promise<void> {
  await tx.query(adoptStatement, [fingerprint.systemIdentifier, fingerprint.databaseOid]);
}

/** The numbers of waiting items that a copy holds. */
export type HeldWork = { charges: number; refunds: number; emails: number; deliveries: number };

const heldChargesStatement = sql(
  "installation.held_charges",
  `SELECT count(*) AS held FROM payments WHERE check_at IS NOT NULL AND provider <> '${SANDBOX}'`,
);
const heldRefundsStatement = sql(
  "installation.held_refunds",
  `SELECT count(*) AS held FROM refunds r
   JOIN payments p ON p.organization_id = r.organization_id AND p.id = r.payment_id
   WHERE r.check_at IS NOT NULL AND p.provider <> '${SANDBOX}'`,
);
const heldEmailsStatement = sql(
  "installation.held_emails",
  `SELECT count(*) AS held FROM emails e JOIN organizations o ON o.id = e.organization_id
   WHERE e.attempt_at IS NOT NULL AND (o.mode = ANY ($1::text[]) OR e.kind = ANY ($2::text[]))`,
);
const heldDeliveriesStatement = sql(
  "installation.held_deliveries",
  `SELECT count(*) AS held FROM webhook_deliveries d
   JOIN webhook_endpoints w ON w.organization_id = d.organization_id AND w.id = d.endpoint_id
   WHERE d.attempt_at IS NOT NULL AND w.kind = 'http'`,
);

/**
 * The e-mails that are handed to the SMTP server: all e-mails of Organizations of these modes, and the e-mails of these
 * kinds in every Organization.
 */
export type MailedEmails = { modes: readonly ("live" | "sandbox")[]; kinds: readonly EmailKind[] };

/** Counts the work of all Organizations that a copy holds. */
export async function countHeldWork(db: Queryable, mailed: MailedEmails): Promise<HeldWork> {
  const counts = await Promise.all([
    db.query<{ held: number }>(heldChargesStatement),
    db.query<{ held: number }>(heldRefundsStatement),
    db.query<{ held: number }>(heldEmailsStatement, [mailed.modes, mailed.kinds]),
    db.query<{ held: number }>(heldDeliveriesStatement),
  ]);
  const [charges, refunds, emails, deliveries] = counts.map(([row]) => row!.held) as [number, number, number, number];
  return { charges, refunds, emails, deliveries };
}
