import type { Context } from "../../context.ts";
import type { Email } from "../../domain/model/email.ts";
import { compose, readWritten, type Composed } from "./compose-email.ts";
import type { Skip } from "./email-context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import { writeInvitationEmail } from "../../mail/invitation.ts";
import { listInvitations } from "../../store/invitations.ts";
import { readOrganization } from "../../store/organizations.ts";
import { invitationUrl, wayOfMail, dashboardUrl } from "../links.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { FORGOTTEN_MILLISECONDS } from "../../domain/team/user.ts";
import { writePasswordEmail } from "../../mail/new-password.ts";
import { findUserByEmail } from "../../store/users.ts";
import { forgottenPasswordUrl } from "../team/new-password.ts";

/**
 * Writes the e-mail with a link for a new password. A person without a password gets the address of the sign-in
 * instead: an administrator of the OpenID provider may have closed the person's account there.
 */
async function composeNewPassword(ctx: Context, email: Email): Promise<Composed | Skip> {
  const { organizationId, kind, queuedAt } = email;
  const recipient = email.recipient ?? "";
  const [{ organization, realNow }, user] = await Promise.all([
    readOrganization(ctx.db.read, organizationId),
    findUserByEmail(ctx.db.read, emailKey(recipient)),
  ]);
  if (!user) return { skip: "changed_meanwhile" };
  if (realNow - queuedAt >= FORGOTTEN_MILLISECONDS) return { skip: "past" };
  const url = user.passwordHash === null ? null : forgottenPasswordUrl(ctx, user, queuedAt);
  const message = writePasswordEmail({ url, signInUrl: `${dashboardUrl(ctx)}/sign-in` }, organization);
  return { kind, organization, realNow, name: user.name, recipient, message, document: null };
}

/** Writes the e-mail of an invitation. An invitation that was withdrawn, accepted or sent anew meanwhile is skipped. */
async function composeInvitation(ctx: Context, { organizationId, id, kind }: Email): Promise<Composed | Skip> {
  const [{ organization, realNow }, open] = await Promise.all([
    readOrganization(ctx.db.read, organizationId),
    listInvitations(ctx.db.read, organizationId),
  ]);
  const invitation = open.find(({ emailId }) => emailId === id);
  if (!invitation) return { skip: "changed_meanwhile" };
  const { email: recipient, invitedBy, role } = invitation;
  const facts = { seller: displayName(organization), invitedBy, role: ROLE_NAMES[role] };
  const message = writeInvitationEmail({ ...facts, url: invitationUrl(ctx, invitation, wayOfMail(ctx)) }, organization);
  return { kind, organization, realNow, name: "", recipient, message, document: null };
}

export type { Composed } from "./compose-email.ts";

/** The message of a claimed e-mail: its stored text, or else one that is composed of the present state. */
export async function writeEmail(ctx: Context, email: Email): Promise<Composed | Skip> {
  const written = await readWritten(ctx, email);
  if (written) return written;
  if (email.kind === "team_invitation") return composeInvitation(ctx, email);
  return email.kind === "team_password" ? composeNewPassword(ctx, email) : compose(ctx, email);
}
