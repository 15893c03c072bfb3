import type { User } from "../domain/team/user.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { REAL_NOW } from "./sql-time.ts";
import { users } from "./users.ts";

const insertStatement = sql(
  "user_identities.insert",
  `INSERT INTO user_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, ${REAL_NOW})
   ON CONFLICT DO NOTHING RETURNING 1 AS inserted`,
);
const findStatement = sql(
  "user_identities.find",
  `SELECT ${users.columns("u")} FROM user_identities i JOIN users u ON u.id = i.user_id
   WHERE i.issuer = $1 AND i.subject = $2`,
);
const ofUserStatement = sql(
  "user_identities.of_user",
  `SELECT issuer, subject FROM user_identities WHERE user_id = $1`,
);
const deleteStatement = sql(
  "user_identities.delete",
  "DELETE FROM user_identities WHERE user_id = $1 RETURNING 1 AS deleted",
);

/** An account at an OpenID provider. */
export type IdentityKey = { issuer: string; subject: string };

/** Connects a person. Answers false if this account or this person is connected already. */
export async function insertIdentity(tx: Tx, { issuer, subject }: IdentityKey, userId: string): Promise<boolean> {
  return (await tx.query(insertStatement, [issuer, subject, userId])).length > 0;
}

/** The person of an account at the provider; null: the account is not connected. */
export async function findUserByIdentity(db: Queryable, { issuer, subject }: IdentityKey): Promise<User | null> {
  return (await db.query<User>(findStatement, [issuer, subject]))[0] ?? null;
}

/** The account at the provider of a person; null: the person is not connected. */
export async function identityOfUser(db: Queryable, userId: string): Promise<IdentityKey | null> {
  return (await db.query<IdentityKey>(ofUserStatement, [userId]))[0] ?? null;
}

/** Disconnects a person. Answers whether the person was connected. */
export async function deleteIdentity(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.query(deleteStatement, [userId])).length > 0;
}
