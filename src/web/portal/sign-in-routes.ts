import type { Hono } from "hono";
import { findFormerlyInvited, findInvited, signIn } from "../../actions/customer/portal-sessions.ts";
import { requestSignIn } from "../../actions/portal-requests.ts";
import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { email as emailSchema } from "../../resources/fields.ts";
import { shownAgain } from "../components/field.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import { wordsOf } from "../language.ts";
import { confirmPage, goneLink, sentPage, signInPage } from "./sign-in.ts";
import { openPortal, ROOT, type PortalGuard, type Portal } from "./request.ts";

const PREFETCHES = ["Sec-Purpose", "Purpose", "X-Moz"];

/**
 * Whether a browser opens this address as its page, also over a redirect of the merchant's backend, and from a typed
 * address or a bookmark of the merchant. A program that fetches links does not send these headers (Fetch Metadata), and
 * a script can't set them. A browser that loads a page ahead names the purpose.
 */
function isSentHere({ req }: PageContext): boolean {
  const isAhead = PREFETCHES.some((name) => /prefetch|prerender|preview/i.test(req.header(name) ?? ""));
  return (
    req.method === "GET" &&
    req.header("Sec-Fetch-Mode") === "navigate" &&
    req.header("Sec-Fetch-Dest") === "document" &&
    !isAhead
  );
}

/**
 * The most sign-in requests a minute for one e-mail address by one client. Each client has its own count, so strangers
 * can't keep the owner of the e-mail address from signing in.
 */
const MOST_REQUESTS_AN_ADDRESS = 5;

/** The page that takes an e-mail address and sends a link. */
function requestPages(ctx: Context, app: Hono<PageEnvironment>, byClient: RequestLimit): void {
  const byBoth = new RequestLimit(MOST_REQUESTS_AN_ADDRESS);
  app.post(ROOT, async (c) => {
    byClient.count(c.env.client);
    const portal = await openPortal(ctx, c);
    const { organization, words } = portal;
    const typed = (await readForm(c)).get("email") ?? "";
    const read = emailSchema.safeParse(typed);
    const fault = typed.trim() === "" ? words.fault.emailMissing : words.fault.emailWrong;
    if (!read.success) return c.html(signInPage(ctx, portal, { rejected: { typed: shownAgain(typed), fault } }), 422);
    const { client } = c.env;
    byBoth.count(`${client} ${organization.id} ${emailKey(read.data)}`);
    await requestSignIn(ctx, organization.id, read.data, client);
    return c.html(sentPage(ctx, c, portal));
  });
}

/**
 * The links that sign a Customer in ([why](../../../docs/decisions/0053-links-to-the-portal.md)). A program may open a
 * link, and another site may send a browser there. So the link of an e-mail needs a click on our page, and so does a
 * link that would replace the session of another Customer. A merchant's link signs in at once.
 */
function linkPages(ctx: Context, app: Hono<PageEnvironment>, byClient: RequestLimit, guard: PortalGuard): void {
  const path = `${ROOT}/sign-in/:secret`;
  const { session, requestOf } = guard;
  /** The link is used, expired or unknown. A browser that has signed in with this very link goes on to the account. */
  const gone = async (c: PageContext, portal: Portal) => {
    const secret = c.req.param("secret") ?? "";
    const [former, request] = await Promise.all([
      findFormerlyInvited(ctx, portal.organization.id, secret),
      requestOf(c, portal),
    ]);
    if (former && former.customer.id === request?.visitor.customer.id) return c.redirect(portal.self, 303);
    return c.html(signInPage(ctx, portal, { notice: goneLink(portal, former?.returnUrl ?? null) }), 410);
  };
  const enter = async (c: PageContext, portal: Portal) => {
    byClient.count(c.env.client);
    const opened = await signIn(ctx, portal.organization.id, c.req.param("secret") ?? "", session.read(c));
    if (opened === null) return gone(c, portal);
    session.write(c, portal, opened);
    return c.redirect(portal.self, 303);
  };
  app.get(path, async (c) => {
    const portal = await openPortal(ctx, c);
    const invited = await findInvited(ctx, portal.organization.id, c.req.param("secret"));
    if (!invited) return gone(c, portal);
    const request = await requestOf(c, portal);
    const signedIn = request && request.visitor.customer.id !== invited.customer.id ? request.visitor : null;
    if (invited.isDirect && !signedIn && isSentHere(c)) return enter(c, portal);
    const words = wordsOf(c, invited.customer.locale);
    return c.html(confirmPage(ctx, { ...portal, words }, invited, signedIn));
  });
  app.post(path, async (c) => enter(c, await openPortal(ctx, c)));
}

export function signInPages(ctx: Context, app: Hono<PageEnvironment>, guard: PortalGuard): void {
  const byClient = new RequestLimit();
  requestPages(ctx, app, byClient);
  linkPages(ctx, app, byClient, guard);
}
