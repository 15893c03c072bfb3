import type { Context } from "../../context.ts";
import { formatInstant, type Instant } from "../../domain/calendar.ts";
import type { EmailKind } from "../../domain/model/email.ts";
import { displayName, type Organization } from "../../domain/model/organization.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import { writeAccessResetEmail } from "../../mail/access-reset.ts";
import { writeInvitationEmail } from "../../mail/invitation.ts";
import type { Message } from "../../mail/email-content.ts";
import { writePasswordEmail } from "../../mail/new-password.ts";

/** An e-mail to a person of the dashboard with sample data. Its links lead to the dashboard. */
export function previewTeamEmail(ctx: Context, organization: Organization, kind: EmailKind, now: Instant): Message {
  const url = `${ctx.config.publicOrigin}/dashboard`;
  if (kind === "team_password") return writePasswordEmail({ url, signInUrl: url }, organization);
  if (kind === "team_access_reset")
    return writeAccessResetEmail(
      {
        way: "password",
        at: formatInstant(now),
        factor: true,
        openId: "grace@example.com at id.example.com",
        signInUrl: url,
        forgottenUrl: url,
      },
      organization,
    );
  const facts = { seller: displayName(organization), invitedBy: "Grace Hopper", role: ROLE_NAMES.support, url };
  return writeInvitationEmail(facts, organization);
}
