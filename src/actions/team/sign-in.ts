import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/customer/customer.ts";
import type { User } from "../../domain/team/user.ts";
import {
  confirmUserSession,
  deleteUserSession,
  findUserSession,
  insertUserSession,
  type UserSession,
} from "../../store/user-sessions.ts";
import { findUserByEmail } from "../../store/users.ts";
import { digestOf, newSecret } from "../secret.ts";
import { countGuess, forgive, type Guess } from "./guess-guard.ts";
import { isPassword } from "./password-hash.ts";

/** `wrong`: there is no such account, or the password is another one. `too_many`: the guess was not looked at. */
export type Refused = "wrong" | "too_many";

/** Compares a password within the limits of guesses. @throws AppError `rate_limited` */
async function checkPassword(
  ctx: Context,
  guess: Guess,
  user: User | null,
  password: string,
): Promise<Refused | "right"> {
  const counted = await countGuess(ctx, guess);
  if (counted === null) return "too_many";
  if (!(await isPassword(user?.passwordHash ?? null, password))) return "wrong";
  await forgive(ctx, counted);
  return "right";
}

/**
 * Signs a person in. Answers the secret of a new session, which only the browser gets. `former`: the browser's session
 * before, which ends; null: there is none.
 * @throws AppError `rate_limited`
 */
export async function signInByPassword(
  ctx: Context,
  guess: Guess,
  password: string,
  former: string | null,
): Promise<{ secret: string } | { refused: Refused }> {
  const user = await findUserByEmail(ctx.db.read, emailKey(guess.email));
  const checked = await checkPassword(ctx, guess, user, password);
  if (checked !== "right") return { refused: checked };
  return { secret: await openSession(ctx, user!.id, former) };
}

/** Opens a session for a person. Answers its secret. */
export async function openSession(ctx: Context, userId: string, former: string | null): Promise<string> {
  const { secret, digest } = newSecret();
  await ctx.db.tx(async (tx) => {
    if (former !== null) deleteUserSession(tx, digestOf(former));
    insertUserSession(tx, digest, userId);
  });
  return secret;
}

/** The session of a secret; null if the secret is unknown or the session is over. */
export function findSession(ctx: Context, secret: string): Promise<UserSession | null> {
  return findUserSession(ctx.db.read, digestOf(secret));
}

/** Ends the session. A copy of the session's cookie is worthless from then on. */
export async function endSession(ctx: Context, secret: string): Promise<void> {
  await ctx.db.tx(async (tx) => deleteUserSession(tx, digestOf(secret)));
}

/**
 * Records that the person of a session has given the password again. Answers null, or the reason of the refusal.
 * @throws AppError `rate_limited`
 */
export async function confirmPassword(
  ctx: Context,
  { user, secret, client }: { user: User; secret: string; client: string },
  password: string,
): Promise<Refused | null> {
  const checked = await checkPassword(ctx, { email: user.email, client }, user, password);
  if (checked !== "right") return checked;
  await ctx.db.tx(async (tx) => confirmUserSession(tx, digestOf(secret)));
  return null;
}
