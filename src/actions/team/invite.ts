import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/team/role.ts";
import type { Invitation } from "../../domain/team/user.ts";
import { newId } from "../../ids.ts";
import { queueToTeam } from "../../store/email-queue.ts";
import { dropInvitation, insertInvitation, takeInvitation } from "../../store/invitations.ts";
import { findMemberByEmail } from "../../store/memberships.ts";
import type { Origin } from "../origin.ts";

export type Invited = Omit<Invitation, "createdAt" | "expiresAt">;

/**
 * Invites a person by e-mail. An earlier invitation of the same e-mail address ends. `invitedBy`: the name in the
 * e-mail.
 * @throws Refusal `already_member`
 */
export function invite(
  ctx: Context,
  origin: Origin<Invited>,
  { email, role, invitedBy }: { email: string; role: Role; invitedBy: string },
): Promise<Invited> {
  const { organizationId } = origin;
  const key = emailKey(email);
  return origin.transaction(ctx, async (tx) => {
    if (await findMemberByEmail(tx, organizationId, key)) throw new Refusal("already_member", { field: "/email" });
    dropInvitation(tx, organizationId, key);
    const own = { organizationId, id: newId("itn"), emailId: newId("eml") };
    const invitation = { ...own, email, emailKey: key, role, invitedBy };
    insertInvitation(tx, invitation);
    queueToTeam(tx, { organizationId, id: own.emailId, kind: "team_invitation", recipient: email });
    return invitation;
  });
}

/** Ends an invitation. @throws Refusal `not_found` for an invitation that is over */
export function withdrawInvitation(ctx: Context, origin: Origin<Invitation>, id: string): Promise<Invitation> {
  return origin.transaction(ctx, async (tx) => {
    const taken = await takeInvitation(tx, origin.organizationId, id);
    if (!taken) throw new Refusal("not_found");
    return taken;
  });
}
