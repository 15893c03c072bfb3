import { formatInstant, type Instant } from "../domain/calendar.ts";
import { CODE_SECONDS, USER_SESSION_SECONDS, type User } from "../domain/team/user.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { users } from "./users.ts";
import { deleteRows } from "./driver/delete-rows.ts";

const insertStatement = sql(
  "user_sessions.insert",
  `INSERT INTO user_sessions (digest, user_id, awaits_code, confirmed_at, expires_at)
   VALUES ($1, $2, $3, COALESCE($5::timestamptz, ${REAL_NOW}), ${REAL_NOW} + $4 * interval '1 second')`,
);
const findStatement = sql(
  "user_sessions.find",
  `SELECT ${users.columns("u")}, s.confirmed_at AS "confirmedAt" FROM user_sessions s JOIN users u ON u.id = s.user_id
   WHERE s.digest = $1 AND s.awaits_code = $2 AND s.expires_at > statement_timestamp()`,
);
const confirmStatement = sql(
  "user_sessions.confirm",
  `UPDATE user_sessions SET confirmed_at = ${REAL_NOW} WHERE digest = $1`,
);
const deleteStatement = sql("user_sessions.delete", "DELETE FROM user_sessions WHERE digest = $1");
const dropStatement = sql("user_sessions.drop", "DELETE FROM user_sessions WHERE user_id = $1");
const forgetStatement = sql(
  "user_sessions.forget",
  deleteRows(
    "user_sessions",
    ["digest"],
    `SELECT digest FROM user_sessions WHERE expires_at < statement_timestamp() ORDER BY expires_at LIMIT $1`,
  ),
);

/**
 * A session that is not over, with its person. `confirmedAt`: the last time at which the password was given, here or at
 * the OpenID provider.
 */
export type UserSession = { user: User; confirmedAt: Instant };

/**
 * A new session. `awaitsCode`: the session only waits for the code of the second factor, for ten minutes.
 * `confirmedAt`: as in `UserSession`; null: now.
 */
export type NewSession = { userId: string; awaitsCode: boolean; confirmedAt: Instant | null };

export function insertUserSession(tx: Tx, digest: Uint8Array, session: NewSession): void {
  const { userId, awaitsCode, confirmedAt } = session;
  const seconds = awaitsCode ? CODE_SECONDS : USER_SESSION_SECONDS;
  tx.send(insertStatement, [
    digest,
    userId,
    awaitsCode,
    seconds,
    confirmedAt === null ? null : formatInstant(confirmedAt),
  ]);
}

/**
 * The session with this digest; null if the session is unknown or over. `awaitsCode`: look for a session that waits
 * for the code of the second factor, and no other.
 */
export async function findUserSession(
  db: Queryable,
  digest: Uint8Array,
  awaitsCode = false,
): Promise<UserSession | null> {
  const [row] = await db.query<User & { confirmedAt: Instant }>(findStatement, [digest, awaitsCode]);
  if (!row) return null;
  const { confirmedAt, ...user } = row;
  return { user, confirmedAt };
}

/** Records that the person has given the password now. */
export function confirmUserSession(tx: Tx, digest: Uint8Array): void {
  tx.send(confirmStatement, [digest]);
}

export function deleteUserSession(tx: Tx, digest: Uint8Array): void {
  tx.send(deleteStatement, [digest]);
}

/** Ends every session of a person. */
export function dropUserSessions(tx: Tx, userId: string): void {
  tx.send(dropStatement, [userId]);
}

/** Deletes up to `limit` sessions that are over. Returns the number of deleted rows. */
export async function forgetUserSessions(tx: Tx, limit: number): Promise<number> {
  return (await tx.query(forgetStatement, [limit])).length;
}
