import { HTTPException } from "hono/http-exception";
import { ownsInstallation } from "../../actions/organization/found-organization.ts";
import { formToken, isFormToken } from "../../actions/team/form-token.ts";
import { findSession } from "../../actions/team/sign-in.ts";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { allows, type Permission } from "../../domain/team/role.ts";
import { CONFIRMED_MILLISECONDS } from "../../domain/team/user.ts";
import { placesOf } from "../../store/memberships.ts";
import { organizations } from "../../store/organizations.ts";
import { basePath } from "../assets.ts";
import type { PageContext } from "../environment.ts";
import { readForm } from "../guards.ts";
import { forbiddenPage } from "./forbidden.ts";
import { returnPath } from "./return-path.ts";
import { SessionCookie } from "./session-cookie.ts";
import { TOKEN } from "./token-field.ts";
import type { Person, Visit } from "./request.ts";

type Handler = (c: PageContext) => Promise<Response>;

export type DashboardGuard = {
  cookie: SessionCookie;
  /** The signed-in person; null: the visitor is not signed in. */
  personOf(c: PageContext): Promise<Person | null>;
  /** Answers signed-in people, and leads others to the sign-in. For pages that belong to no Organization. */
  known(answer: (c: PageContext, person: Person) => Promise<Response>): Handler;
  /** As `known`, and asks for the password as `confirmed` does. */
  confirmedUser(answer: (c: PageContext, person: Person) => Promise<Response>): Handler;
  /**
   * Answers members with the permission. Other members see that their role lacks the permission, with a 403. An
   * Organization of other people is a 404.
   */
  signedIn(permission: Permission, answer: (c: PageContext, visit: Visit) => Promise<Response>): Handler;
  /**
   * As `signedIn`, and asks for the password if the password was last given more than a quarter of an hour ago. Then
   * the person goes on at this same path, so a form has to be sent to the path of its page.
   */
  confirmed(permission: Permission, answer: (c: PageContext, visit: Visit) => Promise<Response>): Handler;
};

/** The path and the query of a GET, to which a sign-in leads back. A form leads back to its page, without its fields. */
const pathOfRequest = (c: PageContext) =>
  returnPath(c.req.method === "GET" ? c.req.path + new URL(c.req.url).search : c.req.path);

/** @throws HTTPException 403 for a form without the session's token */
async function readOwnForm(ctx: Context, c: PageContext, secret: string): Promise<URLSearchParams> {
  if (c.req.method !== "POST") return new URLSearchParams();
  const form = await readForm(c);
  if (!isFormToken(ctx, secret, form.get(TOKEN) ?? "")) throw new HTTPException(403);
  return form;
}

export function dashboardGuardOf(ctx: Context): DashboardGuard {
  const cookie = new SessionCookie(ctx);
  const base = `${basePath(ctx)}/dashboard`;
  const leadTo = (c: PageContext, page: string) =>
    c.redirect(`${base}/${page}?${new URLSearchParams({ next: pathOfRequest(c) })}`, 303);

  const personOf: DashboardGuard["personOf"] = async (c) => {
    const secret = cookie.read(c);
    const session = secret === null ? null : await findSession(ctx, secret);
    if (secret === null || session === null) return null;
    const [form, places] = await Promise.all([readOwnForm(ctx, c, secret), placesOf(ctx.db.read, session.user.id)]);
    const isConfirmed = session.confirmedAt + CONFIRMED_MILLISECONDS > realNow();
    const { user } = session;
    const by = { actor: { type: "user", id: user.id }, clientAddress: c.env.clientAddress } as const;
    const isOwner = await ownsInstallation(ctx.db.read, user.id, places);
    const token = formToken(ctx, secret);
    return { ctx, user, by, secret, places, ownsInstallation: isOwner, token, form, isConfirmed, base };
  };
  const known: DashboardGuard["known"] = (answer) => async (c) => {
    const person = await personOf(c);
    return person ? answer(c, person) : leadTo(c, "sign-in");
  };
  const confirmedUser: DashboardGuard["confirmedUser"] = (answer) =>
    known(async (c, person) => (person.isConfirmed ? answer(c, person) : leadTo(c, "confirm")));
  const signedIn: DashboardGuard["signedIn"] = (permission, answer) =>
    known(async (c, person) => {
      const id = c.req.param("organizationId") ?? "";
      const place = person.places.find(({ organizationId }) => organizationId === id);
      const organization = place ? await organizations.find(ctx.db.read, id) : null;
      if (!place || !organization) throw new HTTPException(404);
      const visit = { ...person, organization, role: place.role, self: `${base}/${id}` };
      if (!allows(visit.role, permission)) return c.html(forbiddenPage(visit), 403);
      return answer(c, visit);
    });
  const confirmed: DashboardGuard["confirmed"] = (permission, answer) =>
    signedIn(permission, async (c, visit) => (visit.isConfirmed ? answer(c, visit) : leadTo(c, "confirm")));
  return { cookie, personOf, known, confirmedUser, signedIn, confirmed };
}
