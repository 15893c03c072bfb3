import { html } from "hono/html";
import { displayName } from "../../domain/model/organization.ts";
import { ROLE_NAMES, ROLES, type Role } from "../../domain/team/role.ts";
import { INVITATION_DAYS, type Invitation, type Member } from "../../domain/team/user.ts";
import { field } from "../components/field.ts";
import { ENGLISH } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import { dashboardPage } from "./frame.ts";
import { emptyState } from "./components/empty-state.ts";
import { notice } from "./components/notice.ts";
import { undeliveredNote } from "./invitation-mail.ts";
import { alert } from "./sign-in.ts";
import { table } from "./table.ts";
import { tokenField } from "./token-field.ts";
import type { Visit } from "./request.ts";

/** A sentence for each role. The matrix is in `docs/operating/team.md`. */
const DUTIES: Record<Role, string> = {
  owner: "Everything, including settings, bank details and the team.",
  developer: "API keys, webhooks, events, the catalogue and the sandbox.",
  finance: "Money, refunds, documents, exports and tax.",
  support: "Customers, Subscriptions, e-mails, and refunds up to a limit.",
  read_only: "Customers, Subscriptions, money and the catalogue, without making changes.",
};

const page = (visit: Visit, title: string, body: Html) => dashboardPage(visit, { section: "team", title, body });

const back = ({ self }: Visit) => html`<p class="aside"><a href="${self}/team">Back to the team</a></p>`;

function memberRow({ self, user }: Visit, member: Member): Html {
  return html`<tr>
<th scope="row"><bdi>${member.name}</bdi>${member.id === user.id ? " (you)" : ""}</th>
<td><bdi>${member.email}</bdi></td>
<td>${ROLE_NAMES[member.role]}</td>
<td>${member.hasFactor ? "On" : "Off"}</td>
<td><a href="${self}/team/members/${member.id}">Change<span class="hidden"> ${member.name}</span></a></td>
</tr>`;
}

function invitationRow(visit: Visit, invitation: Invitation): Html {
  const { id, email, role, invitedBy } = invitation;
  return html`<tr>
<th scope="row"><bdi>${email}</bdi></th>
<td>${ROLE_NAMES[role]}</td>
<td><bdi>${invitedBy}</bdi></td>
<td><a href="${visit.self}/team/invitations/${id}">Withdraw<span class="hidden"> ${email}</span></a></td>
</tr>`;
}

export type Team = { members: readonly Member[]; invitations: readonly Invitation[] };

/** The members and the open invitations. `done`: the change that was just made. */
export function teamPage(visit: Visit, { members, invitations }: Team, done: Html | string | null): Html {
  const { self, organization } = visit;
  const { supportRefundLimit: limit, defaultCurrency } = organization;
  const refunds =
    limit === null ? "no refunds" : `refunds of up to ${ENGLISH.money(limit, defaultCurrency)} for each invoice`;
  const open =
    invitations.length === 0
      ? emptyState("There are no open invitations. An invited person appears here until the person joins.")
      : table(
          "Open invitations",
          ["E-mail", "Role", "Invited by", ""],
          invitations.map((each) => invitationRow(visit, each)),
        );
  const body = html`${done === null ? "" : notice("done", done)}
${table(
  "Members",
  ["Name", "E-mail", "Role", "Second factor", ""],
  members.map((each) => memberRow(visit, each)),
)}
<h2>Invitations</h2>
${open}
<h2>Refunds by support</h2>
<p>The role “Support” can make ${refunds}.
<a href="${self}/team/refund-limit">Change the limit</a></p>`;
  const actions = html`<a class="button small" href="${self}/team/invite">Invite a person</a>`;
  return dashboardPage(visit, { section: "team", title: "Team", body, actions });
}

function roleFields(chosen: Role): Html {
  const choice = (role: Role) => html`<div class="role">
<input type="radio" id="role-${role}" name="role" value="${role}" ${role === chosen ? html`checked` : ""}
 aria-describedby="role-${role}-hint">
<label for="role-${role}">${ROLE_NAMES[role]}</label>
<p class="hint" id="role-${role}-hint">${DUTIES[role]}</p>
</div>`;
  return html`<fieldset class="roles"><legend>Role</legend>${ROLES.map(choice)}</fieldset>`;
}

type TypedInvitation = { email: string; role: Role; fault?: string | undefined };

export function invitePage(visit: Visit, { email, role, fault }: TypedInvitation): Html {
  const kept = undeliveredNote(visit.ctx);
  const body = html`${kept === null ? "" : notice("hint", kept)}
<form method="post" class="narrow" data-once novalidate>
${tokenField(visit.token)}
${field({
  name: "email",
  label: "E-mail",
  type: "email",
  inputmode: "email",
  autocomplete: "off",
  required: true,
  maxlength: 320,
  value: email,
  hint: `The e-mail has a link, which works once, within ${INVITATION_DAYS} days.`,
  fault,
})}
${roleFields(role)}
<button class="button small" type="submit">${kept === null ? "Send" : "Create"} the invitation</button>
</form>
${back(visit)}`;
  return page(visit, "Invite a person", body);
}

/** One member: another role, or the removal. */
export function memberPage(visit: Visit, member: Member, fault?: string): Html {
  const seller = displayName(visit.organization);
  const body = html`${alert(fault)}
<p><bdi>${member.email}</bdi></p>
<form method="post" class="narrow" data-once>
${tokenField(visit.token)}
${roleFields(member.role)}
<button class="button small" type="submit" name="deed" value="role">Save the role</button>
</form>
<h2>Remove</h2>
<p>From the next click on, the person can't open the dashboard of <bdi>${seller}</bdi>.</p>
<form method="post" data-once>
${tokenField(visit.token)}
<button class="button small danger" type="submit" name="deed" value="remove">Remove ${member.name}</button>
</form>
${back(visit)}`;
  return page(visit, member.name, body);
}

export function withdrawPage(visit: Visit, { email }: Invitation): Html {
  const body = html`<p>The link in the e-mail to <bdi>${email}</bdi> will stop working.</p>
<form method="post" data-once>
${tokenField(visit.token)}
<button class="button small danger" type="submit">Withdraw the invitation</button>
</form>
${back(visit)}`;
  return page(visit, "Withdraw this invitation?", body);
}

/** `typed`: the limit in major units, as typed. */
export function limitPage(visit: Visit, typed: string, fault?: string): Html {
  const currency = visit.organization.defaultCurrency.toUpperCase();
  const body = html`<form method="post" class="narrow" data-once novalidate>
${tokenField(visit.token)}
${field({
  name: "limit",
  label: `Most that support may refund of one invoice, in ${currency}`,
  inputmode: "text",
  autocomplete: "off",
  required: false,
  maxlength: 20,
  value: typed,
  hint: "Such as 50.00. If the field is empty, support can't make refunds. Support can't refund in another currency.",
  fault,
})}
<button class="button small" type="submit">Save the limit</button>
</form>
${back(visit)}`;
  return page(visit, "Refunds by support", body);
}
