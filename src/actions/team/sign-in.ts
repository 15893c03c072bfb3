import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/model/customer.ts";
import type { User } from "../../domain/team/user.ts";
import type { Tx } from "../../store/driver/db.ts";
import {
  confirmUserSession,
  deleteUserSession,
  findUserSession,
  insertUserSession,
  type NewSession,
  type UserSession,
} from "../../store/user-sessions.ts";
import { findUserByEmail } from "../../store/users.ts";
import { digestOf, newSecret } from "../secret.ts";
import { countGuess, forgive, type Guess } from "./guess-guard.ts";
import { isPassword } from "./password-hash.ts";
import { hasUnreadableFactor, useCode } from "./second-factor.ts";

/** `wrong`: there is no such account, or the secret is another one. `too_many`: the guess was not looked at. */
export type Refused = "wrong" | "too_many";

/** Compares a secret within the limits of guesses. */
async function check(ctx: Context, guess: Guess, isRight: () => Promise<boolean>): Promise<Refused | "right"> {
  const counted = await countGuess(ctx, guess);
  if (counted === null) return "too_many";
  if (!(await isRight())) return "wrong";
  await forgive(ctx, counted);
  return "right";
}

/** `former`: the browser's session before, which ends; null: no session. The others as in `NewSession`. */
export type Opening = { former: string | null } & Partial<Omit<NewSession, "userId">>;

/** Opens a session in a transaction, and answers its secret. */
export function beginSession(tx: Tx, userId: string, opening: Opening): string {
  const { former, awaitsCode = false, confirmedAt = null } = opening;
  const { secret, digest } = newSecret();
  if (former !== null) deleteUserSession(tx, digestOf(former));
  insertUserSession(tx, digest, { userId, awaitsCode, confirmedAt });
  return secret;
}

/** Opens a session for a person. Returns its secret. */
export function openSession(ctx: Context, userId: string, opening: Opening): Promise<string> {
  return ctx.db.tx(async (tx) => beginSession(tx, userId, opening));
}

/**
 * Signs a person in. Returns the secret of a new session, which only the browser gets. `awaitsCode`: the session opens
 * no page before `signInByCode`. `former`: as in `Opening`.
 * @throws AppError `rate_limited`
 */
export async function signInByPassword(
  ctx: Context,
  guess: Guess,
  password: string,
  former: string | null,
): Promise<{ secret: string; awaitsCode: boolean } | { refused: Refused }> {
  const user = await findUserByEmail(ctx.db.read, emailKey(guess.email));
  const checked = await check(ctx, guess, () => isPassword(user?.passwordHash ?? null, password));
  if (checked !== "right") return { refused: checked };
  const { id, totpSealed } = user!;
  const awaitsCode = totpSealed !== null;
  return { secret: await openSession(ctx, id, { former, awaitsCode }), awaitsCode };
}

/** The session that waits for a code; null: there is no such session any more. */
export function findAwaited(ctx: Context, secret: string): Promise<UserSession | null> {
  return findUserSession(ctx.db.read, digestOf(secret), true);
}

/**
 * Goes on from a session that waits for a code. `gone`: the password has to be given again. `unreadable`: no secret of
 * this process opens the second factor, so no code can be right.
 */
export async function signInByCode(
  ctx: Context,
  { secret, client }: { secret: string; client: string },
  code: string,
): Promise<{ secret: string } | { refused: Refused | "gone" | "unreadable" }> {
  const awaited = await findAwaited(ctx, secret);
  if (!awaited) return { refused: "gone" };
  const { user, confirmedAt } = awaited;
  if (hasUnreadableFactor(ctx, user)) return { refused: "unreadable" };
  const checked = await check(ctx, { email: user.email, client, secret: "code" }, () => useCode(ctx, user, code));
  if (checked !== "right") return { refused: checked };
  return { secret: await openSession(ctx, user.id, { former: secret, confirmedAt }) };
}

/** The session of a secret; null if the secret is unknown, or if the session is over or waits for a code. */
export function findSession(ctx: Context, secret: string): Promise<UserSession | null> {
  return findUserSession(ctx.db.read, digestOf(secret));
}

/** Ends the session. A copy of the session's cookie is worthless from then on. */
export async function endSession(ctx: Context, secret: string): Promise<void> {
  await ctx.db.tx(async (tx) => deleteUserSession(tx, digestOf(secret)));
}

/** A person's session, and the client by its key for rate limits. */
export type Own = { user: User; secret: string; client: string };

/** Whether this is the person's password, within the limits of guesses. @throws AppError `rate_limited` */
export async function checkOwnPassword(ctx: Context, { user, client }: Own, password: string): Promise<Refused | null> {
  const checked = await check(ctx, { email: user.email, client }, () => isPassword(user.passwordHash, password));
  return checked === "right" ? null : checked;
}

/** Records that the person of a session has given the password again, here or at the OpenID provider. */
export async function confirmSession(ctx: Context, secret: string): Promise<void> {
  await ctx.db.tx(async (tx) => confirmUserSession(tx, digestOf(secret)));
}

/**
 * `confirmSession`, once the password is right. Returns null, or the reason of the refusal.
 * @throws AppError `rate_limited`
 */
export async function confirmPassword(ctx: Context, own: Own, password: string): Promise<Refused | null> {
  const refused = await checkOwnPassword(ctx, own, password);
  if (refused === null) await confirmSession(ctx, own.secret);
  return refused;
}
