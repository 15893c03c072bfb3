import type { AuditEntry, AuditedOperation } from "../domain/team/audit.ts";
import { realNow } from "../clock.ts";
import { firstIdAt, newId } from "../ids.ts";
import type { ListAuditLogQuery } from "../resources/audit-entry.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

const insertStatement = sql(
  "audit_log.insert",
  `INSERT INTO audit_log (organization_id, id, at, actor_type, actor_id, operation, resource_id, customer_id, fields,
     values, client_address)
   VALUES ($1, $2, ${REAL_NOW}, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const ACTOR_NAME = `LEFT JOIN users u ON u.id = a.actor_id
     LEFT JOIN api_keys k ON k.organization_id = a.organization_id AND k.id = a.actor_id`;
type Filter = "cursor" | "actorId" | "operation" | "customerId";
const list = filteredList<AuditEntry, Filter, "actorType">({
  name: "audit_log.list",
  select: `SELECT a.id, a.at, a.actor_type AS "actorType", a.actor_id AS "actorId",
     COALESCE(u.name, k.name) AS "actorName", a.operation, a.resource_id AS "resourceId",
     a.customer_id AS "customerId", a.fields, a.values, a.client_address AS "clientAddress"
   FROM audit_log a ${ACTOR_NAME}
   WHERE a.organization_id = $1`,
  order: "a.id DESC",
  values: {
    cursor: (value) => `a.id < ${value}`,
    actorId: (value) => `a.actor_id = ${value}`,
    operation: (value) => `a.operation = ${value}`,
    customerId: (value) => `a.customer_id = ${value}`,
  },
  words: { actorType: (word) => `a.actor_type = '${word}'` },
});
// Both jump from one value to the next in their index, because any number of entries may lie between two values.
const actorsStatement = sql(
  "audit_log.actors",
  `WITH RECURSIVE actors AS (
     (SELECT actor_id FROM audit_log WHERE organization_id = $1 AND actor_id IS NOT NULL ORDER BY actor_id LIMIT 1)
     UNION ALL
     SELECT n.actor_id FROM actors w CROSS JOIN LATERAL (
       SELECT l.actor_id FROM audit_log l
       WHERE l.organization_id = $1 AND l.actor_id > w.actor_id ORDER BY l.actor_id LIMIT 1) n)
   SELECT w.actor_id AS id, COALESCE(u.name, k.name) AS name FROM actors w
     LEFT JOIN users u ON u.id = w.actor_id
     LEFT JOIN api_keys k ON k.organization_id = $1 AND k.id = w.actor_id
   LIMIT $2`,
);
const operationsStatement = sql(
  "audit_log.operations",
  `WITH RECURSIVE operations AS (
     (SELECT operation FROM audit_log WHERE organization_id = $1 ORDER BY operation LIMIT 1)
     UNION ALL
     SELECT n.operation FROM operations w CROSS JOIN LATERAL (
       SELECT l.operation FROM audit_log l
       WHERE l.organization_id = $1 AND l.operation > w.operation ORDER BY l.operation LIMIT 1) n)
   SELECT operation FROM operations LIMIT $2`,
);
const latelyStatement = sql(
  "audit_log.lately",
  "SELECT 1 AS found FROM audit_log WHERE organization_id = $1 AND actor_id = $2 AND id >= $3 LIMIT 1",
);
const blankStatement = sql(
  "audit_log.blank",
  "UPDATE audit_log SET fields = NULL, values = NULL WHERE organization_id = $1 AND customer_id = $2",
);

/** Records a change in its transaction. Does not wait for the answer. */
export function insertOperation(tx: Tx, organizationId: string, audited: AuditedOperation): void {
  const { actor, operation, resourceId, customerId, fields, values, clientAddress } = audited;
  const about = [operation, resourceId, customerId, JSON.stringify(fields), JSON.stringify(values), clientAddress];
  tx.send(insertStatement, [organizationId, newId("aud"), actor.type, actor.id, ...about]);
}

/** Newest first; returns one row more than the page holds. */
export function listAuditLog(db: Queryable, organizationId: string, query: ListAuditLogQuery): Promise<AuditEntry[]> {
  return list(db, organizationId, query);
}

/**
 * The time within which a change may be missing on a replica: the most that a replica may lag, the longest request, and
 * a difference of clocks between processes.
 */
const LATELY_MILLISECONDS = 20_000;

/** Whether this user or key has an entry of the last 20 s. */
export async function hasChangedLately(db: Queryable, organizationId: string, actorId: string): Promise<boolean> {
  const since = firstIdAt("aud", realNow() - LATELY_MILLISECONDS);
  return (await db.query(latelyStatement, [organizationId, actorId, since])).length > 0;
}

/** A user or a key with an entry. `name`: null for a key that is gone. */
export type LoggedActor = { id: string; name: string | null };

/** Up to `limit` users and keys with an entry. */
export function loggedActors(db: Queryable, organizationId: string, limit: number): Promise<LoggedActor[]> {
  return db.query<LoggedActor>(actorsStatement, [organizationId, limit]);
}

/** Up to `limit` operations with an entry, by name. */
export async function loggedOperations(db: Queryable, organizationId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ operation: string }>(operationsStatement, [organizationId, limit]);
  return rows.map(({ operation }) => operation);
}

/** Deletes the changed fields in all entries about a Customer, with their values. */
export function blankAuditLog(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(blankStatement, [organizationId, customerId]);
}
