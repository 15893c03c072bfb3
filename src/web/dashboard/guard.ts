import { HTTPException } from "hono/http-exception";
import { ownsInstallation } from "../../actions/organization/found-organization.ts";
import { withStaleReads } from "../../actions/stale-reads.ts";
import { formToken, isFormToken } from "../../actions/team/form-token.ts";
import { findSession } from "../../actions/team/sign-in.ts";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { allows, type Permission, ROLE_NAMES } from "../../domain/team/role.ts";
import { CONFIRMED_MILLISECONDS, USER_SESSION_SECONDS } from "../../domain/team/user.ts";
import { membershipsOf } from "../../store/memberships.ts";
import { organizations } from "../../store/organizations.ts";
import { basePath } from "../assets.ts";
import type { PageContext } from "../environment.ts";
import { readForm } from "../guards.ts";
import { returnPath } from "./return-path.ts";
import { TOKEN } from "./token-field.ts";
import type { UserRequest, DashboardRequest } from "./request.ts";
import { html } from "hono/html";
import { displayName } from "../../domain/model/organization.ts";
import type { Html } from "../layout.ts";
import { dashboardPage } from "./frame.ts";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

const CHANGED = "billow_dashboard_changed";
/** Longer than a replica may lag, so the pages after a form show the change. */
const CHANGED_SECONDS = 10;

/**
 * The cookie of the dashboard's session. No script reads the cookie. The prefix `__Host-` keeps other hosts of the same
 * domain from setting the cookie. The prefix needs https, so a server without https has a cookie without the prefix.
 */
class SessionCookie {
  readonly #name: string;
  readonly #cookieOptions: { path: "/"; secure: boolean; httpOnly: true; sameSite: "Lax" };

  constructor({ config }: Pick<Context, "config">) {
    const secure = config.publicOrigin.startsWith("https:");
    this.#name = secure ? "__Host-billow_dashboard" : "billow_dashboard";
    this.#cookieOptions = { path: "/", secure, httpOnly: true, sameSite: "Lax" };
  }

  read(c: PageContext): string | null {
    return getCookie(c, this.#name) ?? null;
  }

  write(c: PageContext, secret: string): void {
    setCookie(c, this.#name, secret, { ...this.#cookieOptions, maxAge: USER_SESSION_SECONDS });
  }

  clear(c: PageContext): void {
    deleteCookie(c, this.#name, this.#cookieOptions);
  }

  /** Notes that a person has sent a form, for any process that answers next. */
  noteChange(c: PageContext): void {
    setCookie(c, CHANGED, "1", { ...this.#cookieOptions, maxAge: CHANGED_SECONDS });
  }

  hasChanged(c: PageContext): boolean {
    return c.req.method === "POST" || getCookie(c, CHANGED) !== undefined;
  }
}

/** The page for a member without the permission. */
function forbiddenPage(request: DashboardRequest): Html {
  const { organization, role, self } = request;
  const body = html`<p>Your role in <bdi>${displayName(organization)}</bdi> is “${ROLE_NAMES[role]}”. An owner of
the Organization can give you another role.</p>
<p><a class="button small" href="${self}">Back to the overview</a></p>`;
  return dashboardPage(request, { section: null, title: "Your role does not allow this", body });
}

type Handler = (c: PageContext) => Promise<Response>;

export type DashboardGuard = {
  cookie: SessionCookie;
  /** The signed-in person; null: the visitor is not signed in. */
  requestOf(c: PageContext): Promise<UserRequest | null>;
  /** Answers signed-in people, and leads others to the sign-in. For pages that belong to no Organization. */
  known(answer: (c: PageContext, userRequest: UserRequest) => Promise<Response>): Handler;
  /** As `known`, and asks for the password as `confirmed` does. */
  confirmedUser(answer: (c: PageContext, userRequest: UserRequest) => Promise<Response>): Handler;
  /**
   * Answers members with the permission. Other members see that their role lacks the permission, with a 403. An
   * Organization of other people is a 404.
   */
  signedIn(permission: Permission, answer: (c: PageContext, request: DashboardRequest) => Promise<Response>): Handler;
  /**
   * As `signedIn`, and asks for the password if the password was last given more than a quarter of an hour ago. Then
   * the person goes on at this same path, so a form has to be sent to the path of its page.
   */
  confirmed(permission: Permission, answer: (c: PageContext, request: DashboardRequest) => Promise<Response>): Handler;
};

/**
 * The path and the query of a GET, to which a sign-in leads back. A form leads back to its page, without its fields.
 */
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

  const requestOf: DashboardGuard["requestOf"] = async (c) => {
    const secret = cookie.read(c);
    const session = secret === null ? null : await findSession(ctx, secret);
    if (secret === null || session === null) return null;
    const [form, memberships] = await Promise.all([
      readOwnForm(ctx, c, secret),
      membershipsOf(ctx.db.read, session.user.id),
    ]);
    const isConfirmed = session.confirmedAt + CONFIRMED_MILLISECONDS > realNow();
    const { user } = session;
    const by = { actor: { type: "user", id: user.id }, clientAddress: c.env.clientAddress } as const;
    const isOwner = await ownsInstallation(ctx.db.read, user.id, memberships);
    const token = formToken(ctx, secret);
    if (ctx.replica !== null && c.req.method === "POST") cookie.noteChange(c);
    const reads = withStaleReads(ctx, () => !cookie.hasChanged(c));
    return { ...reads, user, by, secret, memberships, ownsInstallation: isOwner, token, form, isConfirmed, base };
  };
  const known: DashboardGuard["known"] = (answer) => async (c) => {
    const userRequest = await requestOf(c);
    return userRequest ? answer(c, userRequest) : leadTo(c, "sign-in");
  };
  const confirmedUser: DashboardGuard["confirmedUser"] = (answer) =>
    known(async (c, userRequest) => (userRequest.isConfirmed ? answer(c, userRequest) : leadTo(c, "confirm")));
  const signedIn: DashboardGuard["signedIn"] = (permission, answer) =>
    known(async (c, userRequest) => {
      const id = c.req.param("organizationId") ?? "";
      const membership = userRequest.memberships.find(({ organizationId }) => organizationId === id);
      const organization = membership ? await organizations.find(ctx.db.read, id) : null;
      if (!membership || !organization) throw new HTTPException(404);
      const request = { ...userRequest, organization, role: membership.role, self: `${base}/${id}` };
      if (!allows(request.role, permission)) return c.html(forbiddenPage(request), 403);
      return answer(c, request);
    });
  const confirmed: DashboardGuard["confirmed"] = (permission, answer) =>
    signedIn(permission, async (c, request) => (request.isConfirmed ? answer(c, request) : leadTo(c, "confirm")));
  return { cookie, requestOf, known, confirmedUser, signedIn, confirmed };
}
