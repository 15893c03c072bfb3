import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import { emailKey } from "../../domain/customer/customer.ts";
import { SET_UP_SECONDS, type User } from "../../domain/team/user.ts";
import { isSigned, sign } from "../../keyring.ts";
import { dropUserSessions } from "../../store/user-sessions.ts";
import { findUserByEmail, users } from "../../store/users.ts";
import { hashPassword } from "./password-hash.ts";
import { beginSession } from "./sign-in.ts";

/**
 * Stores a new password, and ends every session of the person. Answers the secret of a new session for this browser;
 * null if the password was changed meanwhile. `withoutFactor`: the second factor is removed, too.
 * @throws AppError `rate_limited`
 */
export async function changePassword(
  ctx: Context,
  user: User,
  password: string,
  { withoutFactor = false } = {},
): Promise<string | null> {
  const passwordHash = await hashPassword(password);
  const factor = withoutFactor ? { totpSealed: null, totpStep: null } : {};
  return ctx.db.tx(async (tx) => {
    const row = await users.lock(tx, user.id);
    if (row?.passwordHash !== user.passwordHash) return null;
    users.update(tx, { ...row, ...factor, passwordHash, updatedAt: instant(realNow()) });
    dropUserSessions(tx, user.id);
    return beginSession(tx, user.id, null);
  });
}

/** The stored hash is a part of the purpose, so a link ends with the password that it replaces. */
const purposeOf = ({ id, passwordHash }: User, expires: number) =>
  `dashboard-new-password:${id}:${expires}:${passwordHash}`;

/** A link for a new password, good once and for an hour; null: no user has this e-mail address. */
export async function newPasswordUrl(ctx: Context, email: string): Promise<string | null> {
  const user = await findUserByEmail(ctx.db.read, emailKey(email));
  if (!user) return null;
  const expires = Math.floor(realNow() / 1000) + SET_UP_SECONDS;
  const secret = `${user.id}.${expires}.${sign(ctx.keyring, purposeOf(user, expires))}`;
  return `${ctx.config.publicOrigin}/dashboard/new-password/${secret}`;
}

/** The person of a link for a new password; null: the link is used, too old or unknown. */
export async function openNewPassword(ctx: Context, secret: string): Promise<User | null> {
  const [, id = "", seconds = "", signature = ""] = /^(usr_[0-9a-z]{26})\.(\d{1,12})\.([\w-]{43})$/.exec(secret) ?? [];
  const user = id !== "" && Number(seconds) * 1000 > realNow() ? await users.find(ctx.db.read, id) : null;
  return user && isSigned(ctx.keyring, purposeOf(user, Number(seconds)), signature) ? user : null;
}
