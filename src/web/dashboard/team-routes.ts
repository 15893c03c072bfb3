import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { invite, withdrawInvitation } from "../../actions/team/invite.ts";
import { giveRole, limitSupport, removeMember, type MemberRefusal } from "../../actions/team/members.ts";
import type { Context } from "../../context.ts";
import { ROLES, type Role } from "../../domain/team/role.ts";
import type { Member } from "../../domain/team/user.ts";
import { email as emailSchema } from "../../resources/fields.ts";
import { findInvitation, listInvitations } from "../../store/invitations.ts";
import { listMembers } from "../../store/memberships.ts";
import { shownAgain } from "../components/field.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import type { DashboardGuard } from "./door.ts";
import { undeliveredNote } from "./invitation-mail.ts";
import { readLimit, writtenLimit } from "./refund-limit.ts";
import { invitePage, limitPage, memberPage, teamPage, withdrawPage } from "./team.ts";
import { ROOT, type Visit } from "./request.ts";

const TEAM = `${ROOT}/team`;

const DONE: Record<string, string> = {
  invited: "The invitation is on its way.",
  role: "The role has been changed.",
  removed: "The person has been removed.",
  withdrawn: "The invitation has been withdrawn.",
  limit: "The limit has been changed.",
};
const REFUSED: Record<MemberRefusal, string> = {
  last_owner: "This is the last owner. Make another member an owner first.",
  gone: "This person is no longer a member.",
};

const roleIn = (form: URLSearchParams): Role | null => ROLES.find((role) => role === form.get("role")) ?? null;

function invitePages(ctx: Context, app: Hono<PageEnvironment>, { confirmed }: DashboardGuard): void {
  const path = `${TEAM}/invite`;
  app.get(
    path,
    confirmed("team", async (c, visit) => c.html(invitePage(visit, { email: "", role: "read_only" }))),
  );
  app.post(
    path,
    confirmed("team", async (c, visit) => {
      const { form, user, organization, self, by } = visit;
      const [typed, role] = [form.get("email") ?? "", roleIn(form) ?? "read_only"];
      const read = emailSchema.safeParse(typed);
      const again = (fault: string) => c.html(invitePage(visit, { email: shownAgain(typed), role, fault }), 422);
      if (!read.success) return again("Enter an e-mail address like name@example.com.");
      const wanted = { organizationId: organization.id, email: read.data, role, invitedBy: user.name };
      if (!(await invite(ctx, wanted, by))) return again("This person is already a member.");
      return c.redirect(`${self}/team?done=invited`, 303);
    }),
  );
  const withdraw = `${TEAM}/invitations/:invitationId`;
  app.get(
    withdraw,
    confirmed("team", async (c, visit) => {
      const found = await findInvitation(ctx.db.read, visit.organization.id, c.req.param("invitationId") ?? "");
      if (!found) throw new HTTPException(404);
      return c.html(withdrawPage(visit, found));
    }),
  );
  app.post(
    withdraw,
    confirmed("team", async (c, { organization, self, by }) => {
      await withdrawInvitation(ctx, organization.id, c.req.param("invitationId") ?? "", by);
      return c.redirect(`${self}/team?done=withdrawn`, 303);
    }),
  );
}

/** @throws HTTPException 404 unless the person is a member */
async function memberOf(ctx: Context, c: PageContext, { organization }: Visit): Promise<Member> {
  const members = await listMembers(ctx.db.read, organization.id);
  const member = members.find(({ id }) => id === c.req.param("userId"));
  if (!member) throw new HTTPException(404);
  return member;
}

function memberPages(ctx: Context, app: Hono<PageEnvironment>, { confirmed }: DashboardGuard): void {
  const path = `${TEAM}/members/:userId`;
  app.get(
    path,
    confirmed("team", async (c, visit) => c.html(memberPage(visit, await memberOf(ctx, c, visit)))),
  );
  app.post(
    path,
    confirmed("team", async (c, visit) => {
      const member = await memberOf(ctx, c, visit);
      const { form, organization, self, by } = visit;
      const [removes, role] = [form.get("deed") === "remove", roleIn(form)];
      if (!removes && role === null) return c.html(memberPage(visit, member, "Choose a role."), 422);
      const refused = removes
        ? await removeMember(ctx, organization.id, member.id, by)
        : await giveRole(ctx, organization.id, member.id, role!, by);
      if (refused !== null) return c.html(memberPage(visit, member, REFUSED[refused]), 422);
      return c.redirect(`${self}/team?done=${removes ? "removed" : "role"}`, 303);
    }),
  );
}

function limitPages(ctx: Context, app: Hono<PageEnvironment>, { confirmed }: DashboardGuard): void {
  const path = `${TEAM}/refund-limit`;
  app.get(
    path,
    confirmed("team", async (c, visit) => c.html(limitPage(visit, writtenLimit(visit.organization)))),
  );
  app.post(
    path,
    confirmed("team", async (c, visit) => {
      const { form, organization, self, by } = visit;
      const typed = form.get("limit") ?? "";
      const read = readLimit(typed, organization.defaultCurrency);
      if ("fault" in read) return c.html(limitPage(visit, shownAgain(typed), read.fault), 422);
      await limitSupport(ctx, organization.id, read.limit, by);
      return c.redirect(`${self}/team?done=limit`, 303);
    }),
  );
}

/** `/dashboard/{organizationId}/team`: members, invitations and the limit of support. Only owners come here. */
export function teamPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardGuard): void {
  app.get(
    TEAM,
    door.signedIn("team", async (c, visit) => {
      const { id } = visit.organization;
      const [members, invitations] = [await listMembers(ctx.db.read, id), await listInvitations(ctx.db.read, id)];
      const word = c.req.query("done") ?? "";
      const kept = word === "invited" ? undeliveredNote(ctx) : null;
      const done = kept === null ? (DONE[word] ?? null) : html`The invitation has been created. ${kept}`;
      return c.html(teamPage(visit, { members, invitations }, done));
    }),
  );
  invitePages(ctx, app, door);
  memberPages(ctx, app, door);
  limitPages(ctx, app, door);
}
