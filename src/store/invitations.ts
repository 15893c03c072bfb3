import { INVITATION_DAYS, type Invitation } from "../domain/team/user.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { columnList } from "./driver/table.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

const COLUMNS = columnList([
  "organizationId",
  "id",
  "email",
  "emailKey",
  "role",
  "invitedBy",
  "emailId",
  "createdAt",
  "expiresAt",
]);
const OPEN = "organization_id = $1 AND id = $2 AND expires_at > statement_timestamp()";

const insertStatement = sql(
  "invitations.insert",
  `INSERT INTO invitations (organization_id, id, email, email_key, role, invited_by, email_id, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, ${REAL_NOW}, ${REAL_NOW} + interval '${INVITATION_DAYS} days')`,
);
const listStatement = sql(
  "invitations.list",
  `SELECT ${COLUMNS} FROM invitations WHERE organization_id = $1 AND expires_at > statement_timestamp() ORDER BY id`,
);
const findStatement = sql("invitations.find", `SELECT ${COLUMNS} FROM invitations WHERE ${OPEN}`);
const takeStatement = sql("invitations.take", `DELETE FROM invitations WHERE ${OPEN} RETURNING ${COLUMNS}`);
const dropStatement = sql("invitations.drop", "DELETE FROM invitations WHERE organization_id = $1 AND email_key = $2");
const oldRows = defineOldRows({
  name: "invitations.forget",
  table: "invitations",
  keys: { id: "text" },
  isOld: "expires_at < statement_timestamp()",
  by: "expires_at",
});

export function insertInvitation(tx: Tx, invitation: Omit<Invitation, "createdAt" | "expiresAt">): void {
  const { organizationId, id, email, emailKey, role, invitedBy, emailId } = invitation;
  tx.send(insertStatement, [organizationId, id, email, emailKey, role, invitedBy, emailId]);
}

/** The open invitations of an Organization, oldest first. */
export function listInvitations(db: Queryable, organizationId: string): Promise<Invitation[]> {
  return db.query<Invitation>(listStatement, [organizationId]);
}

/** An invitation that is still open; null otherwise. */
export async function findInvitation(db: Queryable, organizationId: string, id: string): Promise<Invitation | null> {
  return (await db.query<Invitation>(findStatement, [organizationId, id]))[0] ?? null;
}

/** Deletes an open invitation, and answers it. Of two concurrent calls, one gets the invitation. */
export async function takeInvitation(tx: Tx, organizationId: string, id: string): Promise<Invitation | null> {
  return (await tx.query<Invitation>(takeStatement, [organizationId, id]))[0] ?? null;
}

/** Deletes the invitation of an e-mail address, open or not. */
export function dropInvitation(tx: Tx, organizationId: string, emailKey: string): void {
  tx.send(dropStatement, [organizationId, emailKey]);
}

/** Deletes up to `limit` invitations that are over. Returns the number of deleted rows. */
export function forgetInvitations(db: Deleting, limit: number): Promise<number> {
  return forgetRows(db, oldRows, limit);
}
