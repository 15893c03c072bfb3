import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/model/customer.ts";
import type { Role } from "../../domain/team/role.ts";
import type { Invitation } from "../../domain/team/user.ts";
import { newId } from "../../ids.ts";
import { queueToTeam } from "../../store/email-queue.ts";
import { dropInvitation, insertInvitation, takeInvitation } from "../../store/invitations.ts";
import { findMemberByEmail } from "../../store/memberships.ts";
import { note, type By } from "./audited.ts";

export type Invited = Omit<Invitation, "createdAt" | "expiresAt">;

/**
 * Invites a person by e-mail. An earlier invitation of the same e-mail address ends. Returns null if the person is a
 * member already. `invitedBy`: the name in the e-mail.
 */
export function invite(
  ctx: Context,
  { organizationId, email, role, invitedBy }: { organizationId: string; email: string; role: Role; invitedBy: string },
  by: By,
): Promise<Invited | null> {
  const key = emailKey(email);
  return ctx.db.tx(async (tx) => {
    if (await findMemberByEmail(tx, organizationId, key)) return null;
    dropInvitation(tx, organizationId, key);
    const own = { organizationId, id: newId("itn"), emailId: newId("eml") };
    const invitation = { ...own, email, emailKey: key, role, invitedBy };
    insertInvitation(tx, invitation);
    const change = { fields: ["email", "role"], values: { role } };
    note(tx, organizationId, { ...by, operation: "inviteMember", resourceId: own.id, ...change });
    queueToTeam(tx, { organizationId, id: own.emailId, kind: "team_invitation", recipient: email });
    return invitation;
  });
}

/** Ends an invitation. Returns the invitation; null if it was over. */
export function withdrawInvitation(
  ctx: Context,
  organizationId: string,
  id: string,
  by: By,
): Promise<Invitation | null> {
  return ctx.db.tx(async (tx) => {
    const taken = await takeInvitation(tx, organizationId, id);
    if (taken) note(tx, organizationId, { ...by, operation: "withdrawInvitation", resourceId: id });
    return taken;
  });
}
