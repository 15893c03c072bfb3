import type { AuditEntry, Deed } from "../domain/team/audit.ts";
import { newId } from "../ids.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { REAL_NOW } from "./sql-time.ts";

const insertStatement = sql(
  "audit_log.insert",
  `INSERT INTO audit_log (organization_id, id, at, actor_type, actor_id, operation, resource_id, customer_id, fields,
     values, client_address)
   VALUES ($1, $2, ${REAL_NOW}, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const listStatement = sql(
  "audit_log.list",
  `SELECT a.id, a.at, a.actor_type AS "actorType", a.actor_id AS "actorId", COALESCE(u.name, k.name) AS "actorName",
     a.operation, a.resource_id AS "resourceId", a.customer_id AS "customerId", a.fields, a.values,
     a.client_address AS "clientAddress"
   FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
     LEFT JOIN api_keys k ON k.organization_id = a.organization_id AND k.id = a.actor_id
   WHERE a.organization_id = $1 AND ($2::text IS NULL OR a.id < $2) ORDER BY a.id DESC LIMIT $3`,
);
const blankStatement = sql(
  "audit_log.blank",
  "UPDATE audit_log SET fields = NULL, values = NULL WHERE organization_id = $1 AND customer_id = $2",
);

/** Records a change in its transaction. Does not wait for the answer. */
export function insertDeed(tx: Tx, organizationId: string, deed: Deed): void {
  const { actor, operation, resourceId, customerId, fields, values, clientAddress } = deed;
  const about = [operation, resourceId, customerId, JSON.stringify(fields), JSON.stringify(values), clientAddress];
  tx.send(insertStatement, [organizationId, newId("aud"), actor.type, actor.id, ...about]);
}

/** Newest first; returns one row more than the page holds. */
export function listAuditLog(
  db: Queryable,
  organizationId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  return db.query<AuditEntry>(listStatement, [organizationId, cursor ?? null, limit + 1]);
}

/** Deletes the changed fields in all entries about a Customer, with their values. */
export function blankAuditLog(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(blankStatement, [organizationId, customerId]);
}
