import type { Context } from "../../context.ts";
import type { Invitation, User } from "../../domain/team/user.ts";
import type { Tx } from "../../store/db.ts";
import { findInvitation, takeInvitation } from "../../store/invitations.ts";
import { insertMembership } from "../../store/memberships.ts";
import { findUserByEmail, users } from "../../store/users.ts";
import { openInvitationUrl } from "../links.ts";
import { note } from "./audited.ts";
import { draftUser } from "./set-up.ts";

/** `known`: the e-mail address has an account, and its owner has to sign in. */
export type OpenInvitation = { invitation: Invitation; known: boolean };

/** The open invitation of a link; null: the link is used, too old, withdrawn or unknown. */
export async function openInvitation(ctx: Context, secret: string): Promise<OpenInvitation | null> {
  const named = openInvitationUrl(ctx, secret);
  const invitation = named && (await findInvitation(ctx.db.read, named.organizationId, named.id));
  if (!invitation) return null;
  return { invitation, known: (await findUserByEmail(ctx.db.read, invitation.emailKey)) !== null };
}

/** Uses up an invitation for this person. Answers whether the invitation was still open and for this e-mail address. */
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

/** Makes a person who is signed in a member. Answers false if the invitation is over, or is for another address. */
export async function acceptAs(
  ctx: Context,
  invitation: Invitation,
  user: User,
  clientAddress: string,
): Promise<boolean> {
  try {
    return await ctx.db.tx(async (tx) => {
      if (!(await join(tx, invitation, user, clientAddress))) throw new Foreign();
      return true;
    });
  } catch (error) {
    // The invitation of another person stays open, since the transaction is undone.
    if (error instanceof Foreign) return false;
    throw error;
  }
}

/**
 * Stores a new user with the e-mail address of the invitation, and a member. Answers false if the invitation is over,
 * or if the address has an account by now. `connect`: as in `makeFirstUser`; false refuses the user.
 */
export async function joinNew(
  ctx: Context,
  invitation: Invitation,
  user: User,
  clientAddress: string,
  connect: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<boolean> {
  try {
    return await ctx.db.tx(async (tx) => {
      const isNew = (await users.insertIfFree(tx, user)) && (await connect(tx));
      if (!isNew || !(await join(tx, invitation, user, clientAddress))) throw new Foreign();
      return true;
    });
  } catch (error) {
    if (error instanceof Foreign) return false;
    throw error;
  }
}

/** `joinNew` for a person with a password. Answers null instead of false. @throws AppError `rate_limited` */
export async function acceptAsNew(
  ctx: Context,
  invitation: Invitation,
  { name, password }: { name: string; password: string },
  clientAddress: string,
): Promise<User | null> {
  const user = await draftUser({ email: invitation.email, name, password });
  return (await joinNew(ctx, invitation, user, clientAddress)) ? user : null;
}
