import type { Instant } from "../domain/calendar.ts";
import type { User } from "../domain/team/user.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { users } from "./users.ts";

const insertStatement = sql(
  "user_identities.insert",
  `INSERT INTO user_identities (issuer, subject, user_id, email, created_at) VALUES ($1, $2, $3, $4, ${REAL_NOW})
   ON CONFLICT DO NOTHING RETURNING 1 AS inserted`,
);
const findStatement = sql(
  "user_identities.find",
  `SELECT ${users.columns("u")} FROM user_identities i JOIN users u ON u.id = i.user_id
   WHERE i.issuer = $1 AND i.subject = $2`,
);
const ofUserStatement = sql(
  "user_identities.of_user",
  `SELECT issuer, subject, email, created_at AS "createdAt" FROM user_identities WHERE user_id = $1`,
);
const deleteStatement = sql(
  "user_identities.delete",
  `DELETE FROM user_identities WHERE user_id = $1 RETURNING issuer, subject, email, created_at AS "createdAt"`,
);

/** An account at an OpenID provider. */
export type IdentityKey = { issuer: string; subject: string };
/** `email`: the verified address of the account when it was connected; null: unknown. */
type NewIdentity = IdentityKey & { email: string | null };
/** The account at an OpenID provider that a person has connected, and the time of the connection. */
export type ConnectedIdentity = NewIdentity & { createdAt: Instant };

/** Connects a person. Returns false if this account or this person is connected already. */
export async function insertIdentity(tx: Tx, identity: NewIdentity, userId: string): Promise<boolean> {
  const { issuer, subject, email } = identity;
  return (await tx.query(insertStatement, [issuer, subject, userId, email])).length > 0;
}

/** The person of an account at the provider; null: the account is not connected. */
export async function findUserByIdentity(db: Queryable, { issuer, subject }: IdentityKey): Promise<User | null> {
  return (await db.query<User>(findStatement, [issuer, subject]))[0] ?? null;
}

/** The account at the provider of a person; null: the person is not connected. */
export async function identityOfUser(db: Queryable, userId: string): Promise<ConnectedIdentity | null> {
  return (await db.query<ConnectedIdentity>(ofUserStatement, [userId]))[0] ?? null;
}

/** Disconnects a person. Returns the account; null: the person was not connected. */
export async function deleteIdentity(tx: Tx, userId: string): Promise<ConnectedIdentity | null> {
  return (await tx.query<ConnectedIdentity>(deleteStatement, [userId]))[0] ?? null;
}
