import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { isFormToken } from "../../actions/team/form-token.ts";
import { openInvitation } from "../../actions/team/open-invitation.ts";
import { beginOpenId, endOpenId, type Ended, type OpenIdPurpose } from "../../actions/team/open-id.ts";
import {
  confirmByOpenId,
  connectOpenId,
  disconnectOpenId,
  joinByOpenId,
  setUpByOpenId,
  signInByOpenId,
} from "../../actions/team/open-id-account.ts";
import { isFirstRunOpen } from "../../actions/team/set-up.ts";
import type { Context } from "../../context.ts";
import { identityOfUser } from "../../store/user-identities.ts";
import { basePath } from "../assets.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { RequestLimit } from "../guards.ts";
import type { DashboardGuard } from "./guard.ts";
import { connectionPage, openIdProblemPage, type OpenIdProblem } from "./open-id.ts";
import { returnPath } from "./return-path.ts";
import { TOKEN } from "./token-field.ts";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { OPEN_ID_SECONDS } from "../../domain/team/user.ts";

/**
 * The cookie of a visit to the OpenID provider, encrypted. `SameSite=Lax`, because the provider's page leads back to
 * Billow. The prefix `__Host-` as in `SessionCookie`.
 */
class OpenIdCookie {
  readonly #name: string;
  readonly #cookieOptions: { path: "/"; secure: boolean; httpOnly: true; sameSite: "Lax" };

  constructor({ config }: Pick<Context, "config">) {
    const secure = config.publicOrigin.startsWith("https:");
    this.#name = secure ? "__Host-billow_open_id" : "billow_open_id";
    this.#cookieOptions = { path: "/", secure, httpOnly: true, sameSite: "Lax" };
  }

  write(c: PageContext, begun: string): void {
    setCookie(c, this.#name, begun, { ...this.#cookieOptions, maxAge: OPEN_ID_SECONDS });
  }

  /** Reads and clears the cookie: a visit ends once. */
  take(c: PageContext): string | null {
    const begun = getCookie(c, this.#name) ?? null;
    if (begun !== null) deleteCookie(c, this.#name, this.#cookieOptions);
    return begun;
  }
}

const OPEN_ID = "/dashboard/open-id";
const CONNECTION = "/dashboard/account/open-id";

/** The page to which a person goes back after a problem, by the purpose of the visit. */
function backOf(purpose: OpenIdPurpose | null): { path: string; label: string } {
  switch (purpose?.kind) {
    case "confirm":
      return { path: `/dashboard/confirm?${new URLSearchParams({ next: purpose.next })}`, label: "Back" };
    case "connect":
      return { path: "/dashboard/account", label: "Back to your account" };
    case "invitation":
      return { path: `/dashboard/invitations/${purpose.secret}`, label: "Back to the invitation" };
    case "set_up":
      return { path: `/dashboard/set-up/${purpose.secret}`, label: "Back" };
    default:
      return { path: "/dashboard/sign-in", label: "Go to the sign-in" };
  }
}

function problemOf(ctx: Context, c: PageContext, problem: OpenIdProblem, purpose: OpenIdPurpose | null) {
  const { path, label } = backOf(purpose);
  return c.html(openIdProblemPage(ctx, problem, { href: basePath(ctx) + path, label }), 422);
}

/** The paths to the provider. Each one writes the cookie and leads to the provider's page. */
function departures(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard, cookie: OpenIdCookie): void {
  const byClient = new RequestLimit();
  const leave = async (c: PageContext, purpose: OpenIdPurpose) => {
    byClient.count(c.env.client);
    const begun = await beginOpenId(ctx, purpose);
    if (begun === null) return problemOf(ctx, c, "no_provider", null);
    if ("fault" in begun) return problemOf(ctx, c, begun.fault, purpose);
    cookie.write(c, begun.begun);
    return c.redirect(begun.url, 303);
  };
  app.get(OPEN_ID, (c) => leave(c, { kind: "sign_in", next: returnPath(c.req.query("next")) }));
  app.get(
    `${OPEN_ID}/confirm`,
    guard.known((c, { user }) => leave(c, { kind: "confirm", userId: user.id, next: returnPath(c.req.query("next")) })),
  );
  // The token keeps another site from connecting an account of its own while the person is signed in here.
  app.get(
    `${OPEN_ID}/connect`,
    guard.confirmedUser(async (c, { user, secret }) => {
      if (!isFormToken(ctx, secret, c.req.query(TOKEN) ?? "")) throw new HTTPException(403);
      return leave(c, { kind: "connect", userId: user.id });
    }),
  );
  app.get(`${OPEN_ID}/invitations/:secret`, (c) => leave(c, { kind: "invitation", secret: c.req.param("secret") }));
  app.get(`${OPEN_ID}/set-up/:secret`, (c) => leave(c, { kind: "set_up", secret: c.req.param("secret") }));
}

type Arrival = { ctx: Context; c: PageContext; guard: DashboardGuard; ended: Ended };

/** Signs a person in, or makes one by a link. Answers the next path, or the problem. */
async function enter({ ctx, c, guard, ended }: Arrival): Promise<{ path: string } | { problem: OpenIdProblem }> {
  const { purpose, identity } = ended;
  const former = guard.cookie.read(c);
  if (purpose.kind === "sign_in") {
    const answer = await signInByOpenId(ctx, identity, former);
    if ("refused" in answer) return { problem: answer.refused };
    guard.cookie.write(c, answer.secret);
    const code = `/dashboard/sign-in/code?${new URLSearchParams({ next: purpose.next })}`;
    return { path: answer.awaitsCode ? code : purpose.next };
  }
  if (purpose.kind === "set_up") {
    if (!(await isFirstRunOpen(ctx, purpose.secret))) return { problem: "gone" };
    const made = await setUpByOpenId(ctx, identity, former);
    if ("refused" in made) return { problem: made.refused };
    guard.cookie.write(c, made.secret);
    return { path: "/dashboard" };
  }
  const found = purpose.kind === "invitation" ? await openInvitation(ctx, purpose.secret) : null;
  if (!found || found.entry === "sign_in") return { problem: "gone" };
  const made = await joinByOpenId(ctx, found, identity, { former, clientAddress: c.env.clientAddress });
  if ("refused" in made) return { problem: made.refused };
  guard.cookie.write(c, made.secret);
  return { path: `/dashboard/${found.invitation.organizationId}` };
}

/** Goes on with the session of the person who went to the provider. Answers the next path, or the problem. */
async function goOn({ ctx, c, guard, ended }: Arrival): Promise<{ path: string } | { problem: OpenIdProblem }> {
  const { purpose, identity } = ended;
  const person = await guard.requestOf(c);
  if (purpose.kind !== "confirm" && purpose.kind !== "connect") return { problem: "invalid" };
  if (person?.user.id !== purpose.userId) return { problem: "gone" };
  if (purpose.kind === "confirm") {
    const refused = await confirmByOpenId(ctx, person, ended);
    return refused === null ? { path: purpose.next } : { problem: refused };
  }
  const by = { userId: person.user.id, clientAddress: c.env.clientAddress };
  const refused = await connectOpenId(ctx, identity, by);
  return refused === null ? { path: "/dashboard/account?done=connected" } : { problem: refused };
}

/** The person's page about the connection. */
function connectionPages(ctx: Context, app: Hono<PageEnvironment>, { confirmedUser }: DashboardGuard): void {
  app.get(
    CONNECTION,
    confirmedUser(async (c, request) =>
      c.html(connectionPage(ctx, request, await identityOfUser(ctx.db.read, request.user.id))),
    ),
  );
  app.post(
    CONNECTION,
    confirmedUser(async (c, request) => {
      const by = { userId: request.user.id, clientAddress: c.env.clientAddress };
      const refused = await disconnectOpenId(ctx, by);
      if (refused === null) return c.redirect(`${request.base}/account?done=disconnected`, 303);
      const fault = "You have no password, so you could not sign in any more.";
      return c.html(connectionPage(ctx, request, await identityOfUser(ctx.db.read, request.user.id), fault), 422);
    }),
  );
}

/** `/dashboard/open-id`: sign-in through the OpenID provider of the installation. */
export function openIdPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  const cookie = new OpenIdCookie(ctx);
  const byClient = new RequestLimit();
  departures(ctx, app, guard, cookie);
  connectionPages(ctx, app, guard);
  app.get(`${OPEN_ID}/callback`, async (c) => {
    byClient.count(c.env.client);
    const ended = await endOpenId(ctx, cookie.take(c), new URL(c.req.url).search);
    if (ended === null) return problemOf(ctx, c, "no_provider", null);
    if ("fault" in ended) return problemOf(ctx, c, ended.fault, ended.purpose);
    const { kind } = ended.purpose;
    const arrival = { ctx, c, guard, ended };
    const answer = kind === "confirm" || kind === "connect" ? await goOn(arrival) : await enter(arrival);
    if ("problem" in answer) return problemOf(ctx, c, answer.problem, ended.purpose);
    return c.redirect(basePath(ctx) + answer.path, 303);
  });
}
