import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import { emailKey } from "../../domain/customer/customer.ts";
import { SET_UP_SECONDS, type User } from "../../domain/team/user.ts";
import { isSigned, sign } from "../../keyring.ts";
import { dropUserSessions } from "../../store/user-sessions.ts";
import { findUserByEmail, users } from "../../store/users.ts";
import { noteOfPerson } from "./audited.ts";
import { hashPassword } from "./password-hash.ts";
import { beginSession } from "./sign-in.ts";

/**
 * The second factor at a new password. `given`: the person is signed in. `asked`: the new session waits for a code, if
 * there is a second factor. `removed`: the second factor is removed.
 */
export type FactorAtChange = "given" | "asked" | "removed";

/**
 * Stores a new password, and ends every session of the person. Answers the secret of a new session for this browser;
 * null if the password was changed meanwhile.
 * @throws AppError `rate_limited`
 */
export async function changePassword(
  ctx: Context,
  user: User,
  password: string,
  { factor, clientAddress }: { factor: FactorAtChange; clientAddress: string },
): Promise<{ secret: string; awaitsCode: boolean } | null> {
  const passwordHash = await hashPassword(password);
  const change = factor === "removed" ? { totpSealed: null, totpStep: null } : {};
  return ctx.db.tx(async (tx) => {
    const row = await users.lock(tx, user.id);
    if (row?.passwordHash !== user.passwordHash) return null;
    users.update(tx, { ...row, ...change, passwordHash, updatedAt: instant(realNow()) });
    dropUserSessions(tx, user.id);
    await noteOfPerson(tx, { userId: user.id, clientAddress }, "changePassword");
    const awaitsCode = factor === "asked" && row.totpSealed !== null;
    return { secret: beginSession(tx, user.id, { former: null, awaitsCode }), awaitsCode };
  });
}

/** `operator`: a link of a command, which also removes the second factor. `email`: a link in an e-mail. */
type LinkKind = "operator" | "email";
const PURPOSES: Record<LinkKind, string> = {
  operator: "dashboard-new-password",
  email: "dashboard-forgotten-password",
};

/** The stored hash is a part of the purpose, so a link ends with the password that it replaces. */
const purposeOf = (kind: LinkKind, { id, passwordHash }: User, expires: number) =>
  `${PURPOSES[kind]}:${id}:${expires}:${passwordHash}`;

function urlOf(ctx: Context, kind: LinkKind, user: User, from: number): string {
  const expires = Math.floor(from / 1000) + SET_UP_SECONDS;
  const secret = `${user.id}.${expires}.${sign(ctx.keyring, purposeOf(kind, user, expires))}`;
  return `${ctx.config.publicOrigin}/dashboard/new-password/${secret}`;
}

/** A link of a command for a new password, good once and for an hour; null: no user has this e-mail address. */
export async function newPasswordUrl(ctx: Context, email: string): Promise<string | null> {
  const user = await findUserByEmail(ctx.db.read, emailKey(email));
  return user && urlOf(ctx, "operator", user, realNow());
}

/** The link of an e-mail, good once and for an hour from an instant. A repeated e-mail has the same link. */
export const forgottenPasswordUrl = (ctx: Context, user: User, from: number): string => urlOf(ctx, "email", user, from);

/** The person of a link for a new password, and the second factor's part in it. */
export type OpenedPassword = { user: User; factor: FactorAtChange };

/** Opens a link for a new password. Null: the link is used, too old or unknown. */
export async function openNewPassword(ctx: Context, secret: string): Promise<OpenedPassword | null> {
  const [, id = "", seconds = "", signature = ""] = /^(usr_[0-9a-z]{26})\.(\d{1,12})\.([\w-]{43})$/.exec(secret) ?? [];
  const user = id !== "" && Number(seconds) * 1000 > realNow() ? await users.find(ctx.db.read, id) : null;
  if (!user) return null;
  const isOf = (kind: LinkKind) => isSigned(ctx.keyring, purposeOf(kind, user, Number(seconds)), signature);
  if (isOf("operator")) return { user, factor: "removed" };
  return isOf("email") ? { user, factor: "asked" } : null;
}
