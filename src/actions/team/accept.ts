import type { Context } from "../../context.ts";
import type { Invitation, User } from "../../domain/team/user.ts";
import type { Tx } from "../../store/driver/db.ts";
import { takeInvitation } from "../../store/invitations.ts";
import { insertMembership } from "../../store/memberships.ts";
import { findUserByEmail, users } from "../../store/users.ts";
import { note } from "./audit.ts";
import { readEntry, type OpenInvitation } from "./open-invitation.ts";
import { hashPassword } from "./password-hash.ts";
import { resetAccess } from "./reset-access.ts";
import { userRow } from "./set-up.ts";

export type { OpenInvitation } from "./open-invitation.ts";

/** Uses up an invitation for this person. Returns whether the invitation was still open and for this e-mail address. */
async function join(tx: Tx, { organizationId, id }: Invitation, user: User, clientAddress: string): Promise<boolean> {
  const taken = await takeInvitation(tx, organizationId, id);
  if (taken?.emailKey !== user.emailKey) return false;
  insertMembership(tx, organizationId, user.id, taken.role);
  const change = { fields: ["role"], values: { role: taken.role } };
  const actor = { type: "user", id: user.id } as const;
  note(tx, organizationId, { actor, clientAddress, operation: "joinTeam", resourceId: user.id, ...change });
  return true;
}

class Foreign extends Error {}

/** Runs a transaction. Returns null, and undoes the transaction, if its work answers null. */
async function whole<T>(ctx: Context, work: (tx: Tx) => Promise<T | null>): Promise<T | null> {
  try {
    return await ctx.db.tx(async (tx) => {
      const done = await work(tx);
      if (done === null) throw new Foreign();
      return done;
    });
  } catch (error) {
    // The invitation of another person stays open, since the transaction is undone.
    if (error instanceof Foreign) return null;
    throw error;
  }
}

/**
 * Makes a signed-in person a member. Returns false if the invitation is over or for another address, or if the
 * account has to be claimed.
 */
export async function acceptAs(
  ctx: Context,
  invitation: Invitation,
  { id }: User,
  clientAddress: string,
): Promise<boolean> {
  const joined = await whole(ctx, async (tx) => {
    const user = await users.lock(tx, id);
    if (!user || (await readEntry(tx, invitation, user)) !== "sign_in") return null;
    return (await join(tx, invitation, user, clientAddress)) || null;
  });
  return joined !== null;
}

/** The name and the access of a person at a link. `passwordHash` null: through the OpenID provider. */
export type Joining = Pick<User, "name" | "passwordHash"> & { isProven: boolean; clientAddress: string };

/**
 * Stores a new user with the e-mail address of the invitation, and a member. If the account has to be claimed, the
 * person gets it with new access, and all former access ends. Returns null if the invitation is over, or if the
 * address needs another entry by now. `connect`: as in `makeFirstUser`; false refuses the person.
 */
export function joinByLink(
  ctx: Context,
  { invitation, entry }: OpenInvitation,
  { isProven, clientAddress, ...own }: Joining,
  connect: (tx: Tx, user: User) => Promise<boolean> = async () => true,
): Promise<User | null> {
  const made = async (tx: Tx): Promise<User | null> => {
    const user = userRow({ email: invitation.email, ...own }, isProven);
    return (await users.insertIfFree(tx, user)) ? user : null;
  };
  const claimed = async (tx: Tx): Promise<User | null> => {
    const known = await findUserByEmail(tx, invitation.emailKey);
    const row = known && (await users.lock(tx, known.id));
    if (!row || (await readEntry(tx, invitation, row)) !== "claim") return null;
    return resetAccess(ctx, tx, row, { ...own, isProven, clientAddress, way: "invitation" });
  };
  return whole(ctx, async (tx) => {
    const user = await (entry === "claim" ? claimed(tx) : made(tx));
    if (!user || !(await connect(tx, user))) return null;
    return (await join(tx, invitation, user, clientAddress)) ? user : null;
  });
}

/** `joinByLink` for a person with a password. @throws AppError `rate_limited` */
export async function acceptByPassword(
  ctx: Context,
  found: OpenInvitation,
  { name, password }: { name: string; password: string },
  clientAddress: string,
): Promise<User | null> {
  const passwordHash = await hashPassword(password);
  return joinByLink(ctx, found, { name, passwordHash, isProven: found.way === "mailed", clientAddress });
}
