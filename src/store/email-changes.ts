import type { EmailChange } from "../domain/model/email-change.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineTable } from "./driver/table.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

export const emailChanges = defineTable<EmailChange>("email_changes", {
  organizationId: "plain",
  id: "plain",
  customerId: "plain",
  status: "plain",
  oldEmail: "plain",
  oldKey: "plain",
  newEmail: "plain",
  newKey: "plain",
  confirmEmailId: "plain",
  undoEmailId: "plain",
  askedAt: "instant",
  changedAt: "instant",
  expiresAt: "instant",
});

const ofCustomerStatement = sql(
  "email_changes.of_customer",
  `SELECT ${emailChanges.columns()} FROM email_changes WHERE organization_id = $1 AND customer_id = $2 ORDER BY id`,
);

/** All changes of a Customer that are still stored. Call this with the Customer locked. */
export async function changesOf(db: Queryable, organizationId: string, customerId: string): Promise<EmailChange[]> {
  return db.query<EmailChange>(ofCustomerStatement, [organizationId, customerId]);
}

const openStatement = sql(
  "email_changes.open",
  `SELECT ${emailChanges.columns()} FROM email_changes
   WHERE organization_id = $1 AND id = $2 AND status <> 'ended' AND expires_at > statement_timestamp()`,
);

/** A change with a link that still works; null otherwise. */
export async function findOpenChange(db: Queryable, organizationId: string, id: string): Promise<EmailChange | null> {
  return (await db.query<EmailChange>(openStatement, [organizationId, id]))[0] ?? null;
}

const askedLatelyStatement = sql(
  "email_changes.asked_lately",
  `SELECT count(*) AS n FROM email_changes
   WHERE organization_id = $1 AND new_key = $2 AND changed_at IS NULL
     AND asked_at > statement_timestamp() - interval '1 hour'`,
);

/** The number of requests of all Customers for an address within the last hour that were not confirmed. */
export async function countAskedLately(db: Queryable, organizationId: string, newKey: string): Promise<number> {
  return (await db.query<{ n: number }>(askedLatelyStatement, [organizationId, newKey]))[0]!.n;
}

const dropStatement = sql(
  "email_changes.drop",
  "DELETE FROM email_changes WHERE organization_id = $1 AND customer_id = $2",
);

/** Deletes the changes of a deleted Customer, with their addresses (rule I5m). */
export function dropChanges(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(dropStatement, [organizationId, customerId]);
}

const oldRows = defineOldRows({
  name: "email_changes.forget",
  table: "email_changes",
  keys: { id: "text" },
  isOld: "expires_at < statement_timestamp()",
  by: "expires_at",
});

/** Deletes up to `limit` changes with an expired link. Returns how many. */
export function forgetChanges(db: Deleting, limit: number): Promise<number> {
  return forgetRows(db, oldRows, limit);
}
