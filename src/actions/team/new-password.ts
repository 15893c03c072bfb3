import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { SET_UP_SECONDS, type User } from "../../domain/team/user.ts";
import { isSigned, sign } from "../../keyring.ts";
import { findUserByEmail, users } from "../../store/users.ts";
import { wayOfMail, type LinkWay } from "../links.ts";
import { hashPassword } from "./password-hash.ts";
import { resetAccess } from "./reset-access.ts";
import { beginSession } from "./sign-in.ts";

/**
 * Stores a new password for the person of a link, and ends all other access to the account. Returns as
 * `changePassword`.
 * @throws AppError `rate_limited`
 */
export async function resetPassword(
  ctx: Context,
  { user, way }: OpenedPassword,
  password: string,
  clientAddress: string,
): Promise<string | null> {
  const passwordHash = await hashPassword(password);
  return ctx.db.tx(async (tx) => {
    const row = await users.lock(tx, user.id);
    if (row?.passwordHash !== user.passwordHash) return null;
    const access = { name: row.name, passwordHash, isProven: way === "mailed", clientAddress };
    await resetAccess(ctx, tx, row, { ...access, way: "password" });
    return beginSession(tx, user.id, { former: null });
  });
}

const PURPOSES: Record<LinkWay, string> = {
  handed: "dashboard-new-password",
  mailed: "dashboard-forgotten-password",
};

/** The stored hash is a part of the purpose, so a link ends with the password that it replaces. */
const purposeOf = (way: LinkWay, { id, passwordHash }: User, expires: number) =>
  `${PURPOSES[way]}:${id}:${expires}:${passwordHash}`;

function urlOf(ctx: Context, way: LinkWay, user: User, from: number): string {
  const expires = Math.floor(from / 1000) + SET_UP_SECONDS;
  const secret = `${user.id}.${expires}.${sign(ctx.keyring, purposeOf(way, user, expires))}`;
  return `${ctx.config.publicOrigin}/dashboard/new-password/${secret}`;
}

/** A link of a command for a new password, good once and for an hour; null: no user has this e-mail address. */
export async function newPasswordUrl(ctx: Context, email: string): Promise<string | null> {
  const user = await findUserByEmail(ctx.db.read, emailKey(email));
  return user && urlOf(ctx, "handed", user, realNow());
}

/** The link of an e-mail, good once and for an hour from an instant. A repeated e-mail has the same link. */
export const forgottenPasswordUrl = (ctx: Context, user: User, from: number): string =>
  urlOf(ctx, wayOfMail(ctx), user, from);

/** The person of a link for a new password, and the way of the link. */
export type OpenedPassword = { user: User; way: LinkWay };

/** Opens a link for a new password. Null: the link is used, too old or unknown. */
export async function openNewPassword(ctx: Context, secret: string): Promise<OpenedPassword | null> {
  const [, id = "", seconds = "", signature = ""] = /^(usr_[0-9a-z]{26})\.(\d{1,12})\.([\w-]{43})$/.exec(secret) ?? [];
  const user = id !== "" && Number(seconds) * 1000 > realNow() ? await users.find(ctx.db.read, id) : null;
  if (!user) return null;
  const isOf = (way: LinkWay) => isSigned(ctx.keyring, purposeOf(way, user, Number(seconds)), signature);
  const way = (["mailed", "handed"] as const).find(isOf);
  return way === undefined ? null : { user, way };
}
