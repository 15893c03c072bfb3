import { INVITATION_DAYS } from "../domain/team/user.ts";
import { formatEmail, type EmailContent, type Message, type Sender } from "./email-content.ts";

/** `seller`: the name of the Organization. `role`: the name of the role. */
export type InvitationFacts = { seller: string; invitedBy: string; role: string; url: string };

/** The invitation of a person to a dashboard. A sandbox sends it as well, and the e-mail is no test then. */
export function writeInvitationEmail(facts: InvitationFacts, sender: Sender): Message {
  return formatEmail(invitationContent(facts, sender.mode), { ...sender, mode: "live" }, "invited");
}

function invitationContent({ seller, invitedBy, role, url }: InvitationFacts, mode: Sender["mode"]): EmailContent {
  const organization = mode === "sandbox" ? `${seller}, a sandbox for tests` : seller;
  return {
    subject: `${invitedBy} invites you to ${seller} in Billow`,
    heading: `Join ${seller} in Billow`,
    blocks: [
      { text: `${invitedBy} invites you to the billing dashboard of ${organization}. Your role will be “${role}”.` },
      { label: "Accept the invitation", url },
      { text: `The link works once and expires after ${INVITATION_DAYS} days.` },
    ],
  };
}
