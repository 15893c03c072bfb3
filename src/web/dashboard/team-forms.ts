import { HTTPException } from "hono/http-exception";
import { html } from "hono/html";
import { invite, withdrawInvitation, type Invited } from "../../actions/team/invite.ts";
import { giveRole, limitSupport, removeMember } from "../../actions/team/members.ts";
import { displayName } from "../../domain/model/organization.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { ROLE_NAMES, ROLES, type Role } from "../../domain/team/role.ts";
import { INVITATION_DAYS, type Invitation, type Member } from "../../domain/team/user.ts";
import { isId } from "../../ids.ts";
import { email as emailSchema } from "../../resources/fields.ts";
import { findInvitation } from "../../store/invitations.ts";
import { listMembers } from "../../store/memberships.ts";
import type { Html } from "../layout.ts";
import { notice } from "./components/notice.ts";
import { radioField, textField, type FormState } from "./fields.ts";
import { formPages, together } from "./form-action.ts";
import { dashboardPage } from "./frame.ts";
import { undeliveredNote } from "./invitation-mail.ts";
import { readLimit, writtenLimit } from "./refund-limit.ts";
import { ROOT, type DashboardRequest } from "./request.ts";
import { hiddenFields, originOf, refusalNotice, refusedField, typed, type Sent } from "./sent-form.ts";

const TEAM = `${ROOT}/team`;

/** A sentence for each role. The matrix is in `docs/operating/team.md`. */
const DUTIES: Record<Role, string> = {
  owner: "Everything, including settings, bank details and the team.",
  developer: "API keys, webhooks, events, the catalogue and the sandbox.",
  finance: "Money, refunds, documents, exports and tax.",
  support: "Customers, Subscriptions, e-mails, and refunds up to a limit.",
  read_only: "Customers, Subscriptions, money and the catalogue, without making changes.",
};

/** A page with a form, and the way back to the team. */
function formPage(request: DashboardRequest, title: string, form: Html): Html {
  const body = html`${form}
<p class="aside"><a href="${request.self}/team">Back to the team</a></p>`;
  return dashboardPage(request, { section: "team", title, body });
}

const roleField = (sent: FormState, known: Role): Html =>
  radioField(sent, "role", {
    legend: "Role",
    choices: ROLES.map((role) => [role, ROLE_NAMES[role], DUTIES[role]]),
    known: [known],
  });

/** @throws AppError 422 for a missing or an unknown role */
function typedRole(sent: Sent): Role {
  const role = ROLES.find((each) => each === typed(sent, "role"));
  if (role === undefined) throw refusedField("role", "required", "Choose a role.");
  return role;
}

const inviteForm = formPages<null, { email: string; role: Role }>({
  path: `${TEAM}/invite`,
  permission: "team",
  asksAgain: true,
  load: () => null,
  read(_, sent) {
    const { data: email } = emailSchema.safeParse(typed(sent, "email"));
    if (email === undefined)
      throw refusedField("email", "invalid_email", "Enter an e-mail address like name@example.com.");
    return { email, role: typedRole(sent) };
  },
  page(_, sent) {
    const { request } = sent;
    const note = undeliveredNote(request.ctx);
    const form = html`${note === null ? "" : notice("hint", note)}
${refusalNotice(sent, ["email", "role"])}
<form method="post" class="narrow" data-once novalidate>
${hiddenFields(sent)}
${textField(sent, "email", {
  label: "E-mail",
  type: "email",
  required: true,
  maxlength: 320,
  hint: `The e-mail has a link, which works once, within ${INVITATION_DAYS} days.`,
})}
${roleField(sent, "read_only")}
<button class="button small" type="submit">${note === null ? "Send" : "Create"} the invitation</button>
</form>`;
    return formPage(request, "Invite a person", form);
  },
  async act(_, { email, role }, sent) {
    const { ctx, user } = sent.request;
    const origin = originOf<Invited>(sent, { operation: "inviteMember", body: { email, role } });
    await invite(ctx, origin, { email, role, invitedBy: user.name });
  },
  after: (_, { self }) => `${self}/team?done=invited`,
});

/** Null: the invitation is over. Another click or another owner may have withdrawn the invitation of the page. */
const withdrawForm = formPages<Invitation | null>({
  path: `${TEAM}/invitations/:invitationId`,
  permission: "team",
  asksAgain: true,
  load(c, { ctx, organization }) {
    const id = c.req.param("invitationId") ?? "";
    return isId("itn", id) ? findInvitation(ctx.db.read, organization.id, id) : null;
  },
  page(invitation, sent) {
    if (!invitation) throw new HTTPException(404);
    const form = html`${refusalNotice(sent)}
<p>The link in the e-mail to <bdi>${invitation.email}</bdi> will stop working.</p>
<form method="post" data-once>
${hiddenFields(sent)}
<button class="button small danger" type="submit">Withdraw the invitation</button>
</form>`;
    return formPage(sent.request, "Withdraw this invitation?", form);
  },
  async act(invitation, _, sent) {
    if (!invitation) return;
    const origin = originOf<Invitation>(sent, { operation: "withdrawInvitation", resourceId: invitation.id });
    await withdrawInvitation(sent.request.ctx, origin, invitation.id).catch((error: unknown) => {
      if (!isRefusal(error, "not_found")) throw error;
    });
  },
  after: (_, { self }) => `${self}/team?done=withdrawn`,
});

const removes = ({ form }: DashboardRequest): boolean => form.get("operation") === "remove";

/** `member` null: the person is no member. A form that is sent twice has removed the person already. */
type MemberData = { userId: string; member: Member | null };

/** One member: another role, or the removal. The typed role is null for the removal. */
const memberForm = formPages<MemberData, Role | null>({
  path: `${TEAM}/members/:userId`,
  permission: "team",
  asksAgain: true,
  async load(c, { ctx, organization }) {
    const userId = c.req.param("userId") ?? "";
    if (!isId("usr", userId)) throw new HTTPException(404);
    const members = await listMembers(ctx.db.read, organization.id);
    return { userId, member: members.find(({ id }) => id === userId) ?? null };
  },
  read: (_, sent) => (removes(sent.request) ? null : typedRole(sent)),
  page({ member }, sent) {
    if (!member) throw new HTTPException(404);
    const seller = displayName(sent.request.organization);
    const forms = html`${refusalNotice(sent, ["role"])}
<p><bdi>${member.email}</bdi></p>
<form method="post" class="narrow" data-once>
${hiddenFields(sent)}
${roleField(sent, member.role)}
<button class="button small" type="submit" name="operation" value="role">Save the role</button>
</form>
<h2>Remove</h2>
<p>From the next click on, the person can't open the dashboard of <bdi>${seller}</bdi>.</p>
<form method="post" data-once>
${hiddenFields(sent)}
<button class="button small danger" type="submit" name="operation" value="remove">Remove ${member.name}</button>
</form>`;
    return formPage(sent.request, member.name, forms);
  },
  async act({ userId: resourceId }, role, sent) {
    const { ctx } = sent.request;
    if (role === null) return removeMember(ctx, originOf(sent, { operation: "removeMember", resourceId }), resourceId);
    const about = { operation: "changeMemberRole", resourceId, body: { role } };
    return giveRole(ctx, originOf(sent, about), resourceId, role);
  },
  after: (_, request) => `${request.self}/team?done=${removes(request) ? "removed" : "role"}`,
});

const limitForm = formPages<null, number | null>({
  path: `${TEAM}/refund-limit`,
  permission: "team",
  asksAgain: true,
  load: () => null,
  read(_, sent) {
    const read = readLimit(typed(sent, "limit"), sent.request.organization.defaultCurrency);
    if ("fault" in read) throw refusedField("limit", "invalid_amount", read.fault);
    return read.limit;
  },
  page(_, sent) {
    const { organization } = sent.request;
    const form = html`${refusalNotice(sent, ["limit"])}
<form method="post" class="narrow" data-once novalidate>
${hiddenFields(sent)}
${textField(sent, "limit", {
  label: `Most that support may refund of one invoice, in ${organization.defaultCurrency.toUpperCase()}`,
  maxlength: 20,
  known: writtenLimit(organization),
  hint: "Such as 50.00. If the field is empty, support can't make refunds. Support can't refund in another currency.",
})}
<button class="button small" type="submit">Save the limit</button>
</form>`;
    return formPage(sent.request, "Refunds by support", form);
  },
  async act(_, supportRefundLimit, sent) {
    const { ctx, organization } = sent.request;
    const about = { operation: "updateOrganization", resourceId: organization.id, body: { supportRefundLimit } };
    await limitSupport(ctx, originOf(sent, about), supportRefundLimit);
  },
  after: (_, { self }) => `${self}/team?done=limit`,
});

/** The forms of the team. Only owners get here. */
export const teamForms = together(inviteForm, withdrawForm, memberForm, limitForm);
