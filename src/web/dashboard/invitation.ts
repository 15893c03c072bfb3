import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { displayName, type Organization } from "../../domain/model/organization.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import { INVITATION_DAYS, type Entry, type Invitation } from "../../domain/team/user.ts";
import { basePath } from "../assets.ts";
import type { Html } from "../layout.ts";
import { panelPage, signOutForm } from "./frame.ts";
import { RESETS } from "./new-password.ts";
import { openIdLink, openIdPath } from "./open-id.ts";
import { userFields, type UserFaults } from "./set-up.ts";
import { tokenField } from "./token-field.ts";
import type { UserRequest } from "./request.ts";

/** An invitation with its Organization, the secret of its link, and its page without the prefix of PUBLIC_ORIGIN. */
export type InvitationFormState = {
  invitation: Invitation;
  entry: Entry;
  organization: Organization;
  secret: string;
  path: string;
};

const offer = ({
  invitation: { invitedBy, role, email },
  organization,
}: InvitationFormState) => html`<p><bdi>${invitedBy}</bdi>
invites <bdi>${email}</bdi> to the dashboard of <bdi>${displayName(organization)}</bdi>. Your role will be
“${ROLE_NAMES[role]}”.</p>`;

const titleOf = ({ organization }: InvitationFormState) => `Join ${displayName(organization)}`;

/** The reason for a new password, if the address has an account without a proof of the mailbox. */
const claim = ({ entry, invitation: { email } }: InvitationFormState) =>
  entry === "claim"
    ? html`<p><bdi>${email}</bdi> has an account of a sandbox already, and this is its first live Organization. Choose
your access anew, so that the account is yours alone. ${RESETS}</p>`
    : "";

/** For an e-mail address without an account, or with an account that has to be claimed. */
export function newMemberPage(ctx: Context, shown: InvitationFormState, name = "", faults: UserFaults = {}): Html {
  const { email } = shown.invitation;
  const body = html`${offer(shown)}
${claim(shown)}
<form method="post" data-once novalidate>
<input type="hidden" name="email" autocomplete="username" value="${email}">
${userFields({ name, email }, faults, false)}
<button class="button" type="submit">Join</button>
</form>
${openIdLink(ctx, "Join", openIdPath(ctx, `/invitations/${shown.secret}`))}`;
  return panelPage(ctx, titleOf(shown), body);
}

/** For an e-mail address with an account, before the owner of the account signs in. */
export function signInFirstPage(ctx: Context, shown: InvitationFormState): Html {
  const query = new URLSearchParams({ next: shown.path });
  const body = html`${offer(shown)}
<p><a class="button" href="${basePath(ctx)}/dashboard/sign-in?${query}">Sign in to accept</a></p>`;
  return panelPage(ctx, titleOf(shown), body);
}

/** For the signed-in owner of the invited address. */
export function acceptPage(ctx: Context, shown: InvitationFormState, { token }: UserRequest): Html {
  const body = html`${offer(shown)}
<form method="post" data-once>
${tokenField(token)}
<button class="button" type="submit">Join</button>
</form>`;
  return panelPage(ctx, titleOf(shown), body);
}

/** For the signed-in owner of another address. */
export function otherPersonPage(ctx: Context, shown: InvitationFormState, request: UserRequest): Html {
  const body = html`${offer(shown)}
<p>You are signed in as <bdi>${request.user.email}</bdi>. Sign out, and open the link again.</p>
${signOutForm(request)}`;
  return panelPage(ctx, titleOf(shown), body);
}

export function goneInvitationPage(ctx: Context): Html {
  const body = html`<p>An invitation works once, within ${INVITATION_DAYS} days, and only until an owner
withdraws the invitation. Ask an owner for a new one.</p>
<p class="aside"><a href="${basePath(ctx)}/dashboard">Go to the dashboard</a></p>`;
  return panelPage(ctx, "This invitation no longer works", body);
}
