import type { User } from "../domain/team/user.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineTable } from "./driver/table.ts";

export const users = defineTable<User>("users", {
  id: "plain",
  email: "plain",
  emailKey: "plain",
  name: "plain",
  passwordHash: "plain",
  totpSealed: "plain",
  totpStep: "plain",
  emailProvenAt: "instant",
  createdAt: "instant",
  updatedAt: "instant",
});

const byEmailStatement = sql("users.by_email", `SELECT ${users.columns()} FROM users WHERE email_key = $1`);
const lockTableStatement = sql("users.lock_table", "LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE");
const anyStatement = sql("users.any", "SELECT id FROM users LIMIT 1");
const firstStatement = sql("users.first", "SELECT id FROM users ORDER BY id LIMIT 1");

export async function findUserByEmail(db: Queryable, key: string): Promise<User | null> {
  return (await db.query<User>(byEmailStatement, [key]))[0] ?? null;
}

const takeStepStatement = sql(
  "users.take_step",
  "UPDATE users SET totp_step = $2 WHERE id = $1 AND (totp_step IS NULL OR totp_step < $2) RETURNING 1 AS taken",
);
const sealedFactorsStatement = sql(
  "users.sealed_factors",
  `SELECT id, totp_sealed AS "totpSealed" FROM users WHERE totp_sealed IS NOT NULL ORDER BY id`,
);
const lockWithFactorStatement = sql(
  "users.lock_with_factor",
  `SELECT ${users.columns()} FROM users WHERE totp_sealed IS NOT NULL ORDER BY id FOR UPDATE`,
);

/** Marks a step of the second factor as used. Returns false if this step or a later one was used before. */
export async function takeTotpStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  return (await tx.query(takeStepStatement, [userId, step])).length > 0;
}

/** The encrypted second factors of all people. */
export function sealedFactors(db: Queryable): Promise<{ id: string; totpSealed: string }[]> {
  return db.query<{ id: string; totpSealed: string }>(sealedFactorsStatement);
}

/** Everyone with a second factor, locked. */
export function lockUsersWithFactor(tx: Tx): Promise<User[]> {
  return tx.query<User>(lockWithFactorStatement);
}

/** The id of the first user, whom an operator's link made; null: there is no user. */
export async function findFirstUser(db: Queryable): Promise<string | null> {
  return (await db.query<{ id: string }>(firstStatement))[0]?.id ?? null;
}

/** Whether the installation has a user. */
export async function hasUser(db: Queryable): Promise<boolean> {
  return (await db.query(anyStatement)).length > 0;
}

/** Whether there is no user yet. Other transactions can't make a user until this transaction ends. */
export async function lockFirstUser(tx: Tx): Promise<boolean> {
  await tx.query(lockTableStatement);
  return !(await hasUser(tx));
}
