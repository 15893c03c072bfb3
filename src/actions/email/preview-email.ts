import type { Context } from "../../context.ts";
import { formatInstant, type Instant } from "../../domain/calendar.ts";
import { BUYER_EMAIL_KINDS, CONNECTION_EMAIL_KINDS, type EmailKind } from "../../domain/model/email.ts";
import { type Organization, displayName } from "../../domain/model/organization.ts";
import { formatEmail, type Message } from "../../mail/email-content.ts";
import { importAlarm } from "../../mail/import-alarm.ts";
import { problemMeaning } from "../../resources/import-meanings.ts";
import { SELLER_LETTERS } from "../../mail/seller.ts";
import { billingNow } from "../../store/organizations.ts";
import type { Language } from "../../domain/locale.ts";
import { sampleEmail } from "./sample-email.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import { writeAccessResetEmail } from "../../mail/access-reset.ts";
import { writeInvitationEmail } from "../../mail/invitation.ts";
import { writePasswordEmail } from "../../mail/new-password.ts";

/** An e-mail to a person of the dashboard with sample data. Its links lead to the dashboard. */
function previewTeamEmail(ctx: Context, organization: Organization, kind: EmailKind, now: Instant): Message {
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

const SAMPLE_ALARMS = [
  { ref: "sub_1Example", customerRef: "cus_1Example", meaning: problemMeaning(null) },
  { ref: "sub_2Example", customerRef: "cus_2Example", meaning: problemMeaning("running_there") },
];

/**
 * An e-mail as the mailer writes it, with sample data and the Organization's settings. No e-mail is sent or stored.
 * `language`: for e-mails to buyers. E-mails to the seller and to the team are in English.
 */
export async function previewEmail(
  ctx: Context,
  organization: Organization,
  kind: EmailKind,
  language: Language,
): Promise<Message> {
  const now = await billingNow(ctx.db.read, organization.id);
  const buyerKind = BUYER_EMAIL_KINDS.find((each) => each === kind);
  if (buyerKind) return sampleEmail(ctx, organization, buyerKind, language, now);
  const sellerKind = CONNECTION_EMAIL_KINDS.find((each) => each === kind);
  if (sellerKind) {
    const mode = organization.mode === "live" ? ("live" as const) : ("test" as const);
    const facts = { provider: "stripe", account: "acct_1Example", mode, at: formatInstant(now) };
    return formatEmail(SELLER_LETTERS[sellerKind](facts), organization, "seller");
  }
  if (kind === "import_alarm") return formatEmail(importAlarm(SAMPLE_ALARMS), organization, "seller");
  return previewTeamEmail(ctx, organization, kind, now);
}
