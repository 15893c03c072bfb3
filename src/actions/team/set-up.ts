import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { SET_UP_SECONDS, type User } from "../../domain/team/user.ts";
import { newId } from "../../ids.ts";
import type { Tx } from "../../store/driver/db.ts";
import { insertMembership, lockMemberships } from "../../store/memberships.ts";
import { listOrganizations } from "../../store/organizations.ts";
import { hasUser, lockFirstUser, users } from "../../store/users.ts";
import { isSigned, sign } from "../../keyring.ts";
import { hashPassword } from "./password-hash.ts";

const purposeOf = (expires: number) => `dashboard-set-up:${expires}`;

/**
 * The link with which the first user sets the dashboard up, good for an hour; null if there is a user. The link is a
 * signature, so a database that is read by others holds no link.
 */
export async function firstRunUrl(ctx: Context): Promise<string | null> {
  if (await hasUser(ctx.db.read)) return null;
  const expires = Math.floor(realNow() / 1000) + SET_UP_SECONDS;
  return `${ctx.config.publicOrigin}/dashboard/set-up/${expires}.${sign(ctx.keyring, purposeOf(expires))}`;
}

/** Whether a first-run link is good: signed by this installation, younger than an hour, and there is no user. */
export async function isFirstRunOpen(ctx: Context, secret: string): Promise<boolean> {
  const [, seconds = "", signature = ""] = /^(\d{1,12})\.([\w-]{43})$/.exec(secret) ?? [];
  if (!isSigned(ctx.keyring, purposeOf(Number(seconds)), signature)) return false;
  return Number(seconds) * 1000 > realNow() && !(await hasUser(ctx.db.read));
}

export type NewUser = { email: string; name: string; password: string };

/**
 * The row of a new user. `passwordHash` null: the person signs in through the OpenID provider alone. `isProven`: the
 * person has just proved that the mailbox is the person's own.
 */
export function userRow(
  { email, name, passwordHash }: Pick<User, "email" | "name" | "passwordHash">,
  isProven: boolean,
): User {
  const now = instant(realNow());
  const own = { id: newId("usr"), email, emailKey: emailKey(email), name, passwordHash };
  return {
    ...own,
    totpSealed: null,
    totpStep: null,
    emailProvenAt: isProven ? now : null,
    createdAt: now,
    updatedAt: now,
  };
}

/** `userRow` of a person with a password. @throws AppError `rate_limited` */
export async function draftUser({ email, name, password }: NewUser): Promise<User> {
  return userRow({ email, name, passwordHash: await hashPassword(password) }, false);
}

/**
 * Stores the first user, an owner of every Organization. Returns false if there is a user by now: a link works once.
 * `connect`: connects the user with an account at the provider, in the same transaction.
 */
export function makeFirstUser(ctx: Context, user: User, connect?: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    if (!(await lockFirstUser(tx))) return false;
    users.insert(tx, user);
    await connect?.(tx);
    await lockMemberships(tx);
    for (const { id } of await listOrganizations(tx)) insertMembership(tx, id, user.id, "owner");
    return true;
  });
}

/**
 * Makes the first user with a password. Returns null if there is a user by now. Check the link first.
 * @throws AppError `rate_limited`
 */
export async function setUp(ctx: Context, wanted: NewUser): Promise<User | null> {
  const user = await draftUser(wanted);
  return (await makeFirstUser(ctx, user)) ? user : null;
}
