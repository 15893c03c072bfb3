import type { Hono } from "hono";
import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { ROLE_NAMES } from "../../domain/team/role.ts";
import type { Invitation, Member } from "../../domain/team/user.ts";
import { listInvitations } from "../../store/invitations.ts";
import { listMembers } from "../../store/memberships.ts";
import { ENGLISH } from "../../texts/words.ts";
import type { PageEnvironment } from "../environment.ts";
import type { Html } from "../layout.ts";
import { doneNotice } from "./components/done-notice.ts";
import { emptyState } from "./components/empty-state.ts";
import { dashboardPage } from "./frame.ts";
import type { DashboardGuard } from "./guard.ts";
import { undeliveredNote } from "./invitation-mail.ts";
import { ROOT, type DashboardRequest } from "./request.ts";
import { table } from "./table.ts";
import { teamForms } from "./team-forms.ts";

function memberRow({ self, user }: DashboardRequest, member: Member): Html {
  return html`<tr>
<th scope="row"><bdi>${member.name}</bdi>${member.id === user.id ? " (you)" : ""}</th>
<td><bdi>${member.email}</bdi></td>
<td>${ROLE_NAMES[member.role]}</td>
<td>${member.hasFactor ? "On" : "Off"}</td>
<td><a href="${self}/team/members/${member.id}">Change<span class="hidden"> ${member.name}</span></a></td>
</tr>`;
}

function invitationRow(request: DashboardRequest, invitation: Invitation): Html {
  const { id, email, role, invitedBy } = invitation;
  return html`<tr>
<th scope="row"><bdi>${email}</bdi></th>
<td>${ROLE_NAMES[role]}</td>
<td><bdi>${invitedBy}</bdi></td>
<td><a href="${request.self}/team/invitations/${id}">Withdraw<span class="hidden"> ${email}</span></a></td>
</tr>`;
}

type TeamData = { members: readonly Member[]; invitations: readonly Invitation[] };

function teamPage(request: DashboardRequest, { members, invitations }: TeamData, done: Html | ""): Html {
  const { self, organization } = request;
  const { supportRefundLimit: limit, defaultCurrency } = organization;
  const refunds =
    limit === null ? "no refunds" : `refunds of up to ${ENGLISH.money(limit, defaultCurrency)} for each invoice`;
  const open =
    invitations.length === 0
      ? emptyState("There are no open invitations. An invited person appears here until the person joins.")
      : table(
          "Open invitations",
          ["E-mail", "Role", "Invited by", ""],
          invitations.map((each) => invitationRow(request, each)),
        );
  const body = html`${done}
${table(
  "Members",
  ["Name", "E-mail", "Role", "Second factor", ""],
  members.map((each) => memberRow(request, each)),
)}
<h2>Invitations</h2>
${open}
<h2>Refunds by support</h2>
<p>The role “Support” can make ${refunds}.
<a href="${self}/team/refund-limit">Change the limit</a></p>`;
  const actions = html`<a class="button small" href="${self}/team/invite">Invite a person</a>`;
  return dashboardPage(request, { section: "team", title: "Team", body, actions });
}

/** The words in `?done=`. */
function doneWords(ctx: Context): Record<string, Html | string> {
  const note = undeliveredNote(ctx);
  return {
    invited: note === null ? "The invitation is on its way." : html`The invitation has been created. ${note}`,
    role: "The role has been changed.",
    removed: "The person has been removed.",
    withdrawn: "The invitation has been withdrawn.",
    limit: "The limit has been changed.",
  };
}

/** `/dashboard/{organizationId}/team`: members, invitations and the limit of support. Only owners come here. */
export function teamPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  app.get(
    `${ROOT}/team`,
    guard.signedIn("team", async (c, request) => {
      const { id } = request.organization;
      const [members, invitations] = await Promise.all([
        listMembers(ctx.db.read, id),
        listInvitations(ctx.db.read, id),
      ]);
      return c.html(teamPage(request, { members, invitations }, doneNotice(c, doneWords(ctx))));
    }),
  );
  teamForms(ctx, app, guard);
}
