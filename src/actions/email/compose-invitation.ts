import type { Context } from "../../context.ts";
import type { Email } from "../../domain/model/email.ts";
import { displayName } from "../../domain/model/organization.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import { writeInvitationEmail } from "../../mail/invitation.ts";
import { listInvitations } from "../../store/invitations.ts";
import { readOrganization } from "../../store/organizations.ts";
import { invitationUrl, wayOfMail } from "../links.ts";
import type { Composed } from "./compose-email.ts";
import type { Skip } from "./email-context.ts";

/** Writes the e-mail of an invitation. An invitation that was withdrawn, accepted or sent anew meanwhile is skipped. */
export async function composeInvitation(ctx: Context, { organizationId, id, kind }: Email): Promise<Composed | Skip> {
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
