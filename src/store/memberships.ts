import type { Role } from "../domain/team/role.ts";
import type { Place } from "../domain/team/user.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { REAL_NOW } from "./sql-time.ts";

const ofUserStatement = sql(
  "memberships.of_user",
  `SELECT o.id AS "organizationId", COALESCE(o.branding ->> 'displayName', o.name) AS name, o.mode, m.role
   FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 ORDER BY o.id`,
);
const insertStatement = sql(
  "memberships.insert",
  `INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, ${REAL_NOW})`,
);

/** The Organizations of a person, oldest first. */
export function placesOf(db: Queryable, userId: string): Promise<Place[]> {
  return db.query<Place>(ofUserStatement, [userId]);
}

export function insertMembership(tx: Tx, organizationId: string, userId: string, role: Role): void {
  tx.send(insertStatement, [organizationId, userId, role]);
}
