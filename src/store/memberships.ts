import type { Ownership } from "../domain/team/installation-owner.ts";
import type { Role } from "../domain/team/role.ts";
import type { Member, Membership } from "../domain/team/user.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

const ofUserStatement = sql(
  "memberships.of_user",
  `SELECT o.id AS "organizationId", COALESCE(o.branding ->> 'displayName', o.name) AS name, o.mode, m.role
   FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 ORDER BY o.id`,
);
const mailMembershipStatement = sql(
  "memberships.for_mail",
  `SELECT o.id AS "organizationId", u.email
   FROM users u JOIN memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.organization_id
   WHERE u.email_key = $1 ORDER BY o.mode = 'live' DESC, o.id LIMIT 1`,
);
const insertStatement = sql(
  "memberships.insert",
  `INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, ${REAL_NOW})
   ON CONFLICT DO NOTHING`,
);
const MEMBER = `u.id, u.email, u.name, u.totp_sealed IS NOT NULL AS "hasFactor", m.role`;
const listStatement = sql(
  "memberships.list",
  `SELECT ${MEMBER} FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1
   ORDER BY u.name, u.id`,
);
const byEmailStatement = sql(
  "memberships.by_email",
  `SELECT ${MEMBER} FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = $1 AND u.email_key = $2`,
);
const lockStatement = sql(
  "memberships.lock",
  `SELECT user_id AS "userId", role FROM memberships WHERE organization_id = $1 ORDER BY user_id FOR UPDATE`,
);
const changeStatement = sql(
  "memberships.change",
  "UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2",
);
const deleteStatement = sql(
  "memberships.delete",
  "DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2",
);

const ownershipsStatement = sql(
  "memberships.ownerships",
  `SELECT o.id AS "organizationId", o.mode, m.user_id AS "userId"
   FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.role = 'owner'
   ORDER BY o.id, m.user_id`,
);
const lockTableStatement = sql("memberships.lock_table", "LOCK TABLE memberships IN SHARE ROW EXCLUSIVE MODE");

/** Every owner of every Organization. */
export function listOwnerships(db: Queryable): Promise<Ownership[]> {
  return db.query<Ownership>(ownershipsStatement);
}

/** No other transaction changes a team until this transaction ends. */
export async function lockMemberships(tx: Tx): Promise<void> {
  await tx.query(lockTableStatement);
}

/**
 * The Organization that writes an e-mail to a person about the person's account, a live one if possible; null: no such
 * person, or a person without an Organization.
 */
export async function findMailMembership(
  db: Queryable,
  key: string,
): Promise<{ organizationId: string; email: string } | null> {
  return (await db.query<{ organizationId: string; email: string }>(mailMembershipStatement, [key]))[0] ?? null;
}

/** The Organizations of a person, oldest first. */
export function membershipsOf(db: Queryable, userId: string): Promise<Membership[]> {
  return db.query<Membership>(ofUserStatement, [userId]);
}

/** The members of an Organization by name. */
export function listMembers(db: Queryable, organizationId: string): Promise<Member[]> {
  return db.query<Member>(listStatement, [organizationId]);
}

export async function findMemberByEmail(db: Queryable, organizationId: string, key: string): Promise<Member | null> {
  return (await db.query<Member>(byEmailStatement, [organizationId, key]))[0] ?? null;
}

/** The roles of all members by the user's id, locked: two owners can't remove each other at the same moment. */
export async function lockRoles(tx: Tx, organizationId: string): Promise<ReadonlyMap<string, Role>> {
  const rows = await tx.query<{ userId: string; role: Role }>(lockStatement, [organizationId]);
  return new Map(rows.map(({ userId, role }) => [userId, role]));
}

export function changeRole(tx: Tx, organizationId: string, userId: string, role: Role): void {
  tx.send(changeStatement, [organizationId, userId, role]);
}

export function deleteMembership(tx: Tx, organizationId: string, userId: string): void {
  tx.send(deleteStatement, [organizationId, userId]);
}

/** Makes a person a member. A present member keeps the role. */
export function insertMembership(tx: Tx, organizationId: string, userId: string, role: Role): void {
  tx.send(insertStatement, [organizationId, userId, role]);
}
