import { INVITATION_DAYS } from "../domain/team/user.ts";
import type { Letter } from "./letter.ts";

/** `seller`: the name of the Organization. `role`: the name of the role. */
export type InvitationFacts = { seller: string; invitedBy: string; role: string; url: string };

/** The invitation of a person to the dashboard of an Organization. */
export function invitationLetter({ seller, invitedBy, role, url }: InvitationFacts): Letter {
  return {
    subject: `${invitedBy} invites you to ${seller} in Billow`,
    heading: `Join ${seller} in Billow`,
    blocks: [
      { text: `${invitedBy} invites you to the billing dashboard of ${seller}. Your role will be “${role}”.` },
      { label: "Accept the invitation", url },
      { text: `The link works once and expires after ${INVITATION_DAYS} days.` },
    ],
  };
}
