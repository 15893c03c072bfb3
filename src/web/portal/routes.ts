import type { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import { portalUrl } from "../../actions/links.ts";
import { requestSignIn } from "../../actions/portal-requests.ts";
import { findInvited, findVisitor, signIn, signOut, type Visitor } from "../../actions/customer/portal-sessions.ts";
import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/customer/customer.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import { SESSION_SECONDS } from "../../domain/customer/portal.ts";
import { isId } from "../../ids.ts";
import { email as emailSchema } from "../../resources/fields.ts";
import { ListInvoicesQuery } from "../../resources/invoice.ts";
import { ListSubscriptionsQuery } from "../../resources/subscription.ts";
import { organizations } from "../../store/organizations.ts";
import { ENGLISH } from "../../texts/words.ts";
import { shownAgain } from "../components/field.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readCard, typedExpiry, type CardFaults } from "../components/card-fields.ts";
import { afterSubmission } from "../components/hosted.ts";
import { policyLeadingTo, readForm, RequestLimit } from "../guards.ts";
import { findHolding, readAccount, type Holding, type Pages } from "./account.ts";
import { askAboutCard, giveUpCard, givePortalCard } from "../../actions/customer/portal-card.ts";
import { entryOf } from "../../actions/provider.ts";
import { busyPage, cancelPage, keep, scheduleEnd } from "./cancel.ts";
import { cardPage, closedPage, GIVE_UP, problemOf, waitingPage } from "./card.ts";
import { homePage } from "./home.ts";
import { planPages } from "./plan-routes.ts";
import { confirmPage, sentPage, signInPage, usedPage } from "./sign-in.ts";

const ROOT = "/portal/:organizationId";
/**
 * The most sign-in requests a minute for one e-mail address by one client. Each client has its own count, so strangers
 * can't keep the owner of the e-mail address from signing in.
 */
const MOST_REQUESTS_AN_ADDRESS = 5;

/** The Organization of a portal, and the portal's own path in a browser. */
type Portal = { organization: Organization; self: string };

/** @throws HTTPException 404 for an Organization that does not exist */
async function open(ctx: Context, c: PageContext): Promise<Portal> {
  const id = c.req.param("organizationId") ?? "";
  const organization = isId("org", id) ? await organizations.find(ctx.db.read, id) : null;
  if (!organization) throw new HTTPException(404);
  return { organization, self: pathOf(portalUrl(ctx, id)) };
}

/**
 * The session's cookie. No script can read it. A browser sends it neither to another Organization's pages nor with
 * another site's form.
 */
class Session {
  readonly #name: string;
  readonly #secure: boolean;

  constructor({ config }: Context) {
    this.#secure = config.publicOrigin.startsWith("https:");
    this.#name = this.#secure ? "__Secure-billow_portal" : "billow_portal";
  }

  read(c: PageContext): string | null {
    return getCookie(c, this.#name) ?? null;
  }

  write(c: PageContext, { self }: Portal, secret: string): void {
    const place = { path: self, secure: this.#secure, httpOnly: true, sameSite: "Lax" } as const;
    setCookie(c, this.#name, secret, { ...place, maxAge: SESSION_SECONDS });
  }

  clear(c: PageContext, { self }: Portal): void {
    deleteCookie(c, this.#name, { path: self, secure: this.#secure });
  }
}

/** The page that takes an e-mail address and sends a link, and the pages behind the links. */
function signInPages(ctx: Context, app: Hono<PageEnvironment>, session: Session): void {
  const byClient = new RequestLimit();
  const byBoth = new RequestLimit(MOST_REQUESTS_AN_ADDRESS);
  app.post(ROOT, async (c) => {
    byClient.count(c.env.client);
    const { organization, self } = await open(ctx, c);
    const typed = (await readForm(c)).get("email") ?? "";
    const read = emailSchema.safeParse(typed);
    const rejected = {
      typed: shownAgain(typed),
      fault: "Enter an e-mail address, such as ada@example.com.",
    };
    if (!read.success) return c.html(signInPage(ctx, organization, rejected), 422);
    const { client } = c.env;
    byBoth.count(`${client} ${organization.id} ${emailKey(read.data)}`);
    await requestSignIn(ctx, organization.id, read.data, client);
    return c.html(sentPage(ctx, organization, self));
  });
  app.get(`${ROOT}/sign-in/:secret`, async (c) => {
    const { organization, self } = await open(ctx, c);
    const invited = await findInvited(ctx, organization.id, c.req.param("secret"));
    return invited ? c.html(confirmPage(ctx, organization, invited)) : c.html(usedPage(ctx, organization, self), 410);
  });
  app.post(`${ROOT}/sign-in/:secret`, async (c) => {
    byClient.count(c.env.client);
    const portal = await open(ctx, c);
    const opened = await signIn(ctx, portal.organization.id, c.req.param("secret"));
    if (opened === null) return c.html(usedPage(ctx, portal.organization, portal.self), 410);
    session.write(c, portal, opened);
    return c.redirect(portal.self, 303);
  });
}

/**
 * Ignores other parameters of the query, such as marks of a campaign.
 * @throws HTTPException 404 for a malformed cursor
 */
function readPages(c: PageContext): Pages {
  const [invoices, holdings] = [
    ListInvoicesQuery.pick({ cursor: true }).safeParse({ cursor: c.req.query("cursor") }),
    ListSubscriptionsQuery.pick({ cursor: true }).safeParse({ cursor: c.req.query("subscriptions") }),
  ];
  if (!invoices.success || !holdings.success) throw new HTTPException(404);
  return { invoices: invoices.data.cursor, holdings: holdings.data.cursor };
}

type Visit = Portal & { visitor: Visitor };

type SignedIn = (answer: (c: PageContext, visit: Visit) => Promise<Response>) => (c: PageContext) => Promise<Response>;

/** The page on which a signed-in Customer gives another card (rule D3t). */
function cardPages(ctx: Context, app: Hono<PageEnvironment>, signedIn: SignedIn): void {
  const submissions = new RequestLimit();
  const path = `${ROOT}/card`;
  const ownerOf = ({ organization, visitor }: Visit) => ({ organization, customer: visitor.customer });
  const entry = async (c: PageContext, { organization }: Visit) => {
    const found = await entryOf(ctx, organization);
    if (found.hosted) c.header("Content-Security-Policy", policyLeadingTo(found.hosted.origin));
    return found;
  };
  app.get(
    path,
    signedIn(async (c, visit) => {
      const asked = await askAboutCard(ctx, ownerOf(visit));
      if (asked?.settledAt === null) return c.html(waitingPage(ctx, visit, asked));
      if (asked?.status === "succeeded") return c.redirect(visit.self, 303);
      const found = await entry(c, visit);
      if (found.closed) return c.html(closedPage(ctx, visit, found.closed));
      const problem = asked ? problemOf({ payment: asked }) : null;
      return c.html(cardPage(ctx, visit, found, { expiry: "", faults: {}, problem }));
    }),
  );
  app.post(
    path,
    signedIn(async (c, visit) => {
      submissions.count(c.env.client);
      const form = await readForm(c);
      const page = `${visit.self}/card`;
      if (form.get("action") === GIVE_UP) {
        await giveUpCard(ctx, ownerOf(visit));
        return c.redirect(page, 303);
      }
      const found = await entry(c, visit);
      if (found.closed) return c.html(closedPage(ctx, visit, found.closed), 409);
      const again = (faults: CardFaults, problem: ReturnType<typeof problemOf>, status: 402 | 409 | 422) =>
        c.html(cardPage(ctx, visit, found, { expiry: typedExpiry(form), faults, problem }), status);
      const { faults, card } = found.hosted ? { faults: {}, card: "hosted" as const } : readCard(form, true, ENGLISH);
      if (!card || Object.keys(faults).length > 0) return again(faults, null, 422);
      const result = await givePortalCard(ctx, ownerOf(visit), card);
      if ("refused" in result) {
        if (result.refused === "card") return again({ [result.fault.field]: result.fault.message }, null, 422);
        return again({}, problemOf(result), 409);
      }
      const { payment } = result;
      if (payment.status === "failed") return again({}, problemOf(result), 402);
      return c.redirect(
        payment.status === "succeeded" ? visit.self : afterSubmission(payment, found.hosted, page),
        303,
      );
    }),
  );
}

/** `/portal/{organizationId}`: Customers sign in by e-mail, see their account, and cancel Subscriptions. */
export function portalPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const session = new Session(ctx);
  const visitorOf = async (c: PageContext, { organization }: Portal): Promise<Visitor | null> => {
    const secret = session.read(c);
    return secret === null ? null : findVisitor(ctx, organization.id, secret);
  };
  /** Answers signed-in visitors, and leads others to the sign-in. */
  const signedIn = (answer: (c: PageContext, visit: Visit) => Promise<Response>) => async (c: PageContext) => {
    const portal = await open(ctx, c);
    const visitor = await visitorOf(c, portal);
    return visitor ? answer(c, { ...portal, visitor }) : c.redirect(portal.self, 303);
  };
  /**
   * Like `signedIn`, for one of the visitor's Subscriptions.
   * @throws HTTPException 404 for a Subscription of another Customer, and for one that has ended
   */
  const onHolding = (answer: (c: PageContext, visit: Visit, holding: Holding) => Promise<Response>) =>
    signedIn(async (c, visit) => {
      const owner = { organization: visit.organization, customer: visit.visitor.customer };
      const holding = await findHolding(ctx, owner, c.req.param("subscriptionId") ?? "");
      if (!holding) throw new HTTPException(404);
      return answer(c, visit, holding);
    });
  const done = (c: PageContext, { organization, self }: Visit, isDone: boolean) =>
    isDone ? c.redirect(self, 303) : c.html(busyPage(ctx, organization, self), 409);

  signInPages(ctx, app, session);
  app.get(ROOT, async (c) => {
    const portal = await open(ctx, c);
    const visitor = await visitorOf(c, portal);
    if (!visitor) return c.html(signInPage(ctx, portal.organization));
    const pages = readPages(c);
    return c.html(homePage(ctx, await readAccount(ctx, portal.organization, visitor, pages), portal.self));
  });
  app.post(`${ROOT}/sign-out`, async (c) => {
    const portal = await open(ctx, c);
    const secret = session.read(c);
    if (secret !== null) await signOut(ctx, portal.organization.id, secret);
    session.clear(c, portal);
    return c.redirect(portal.self, 303);
  });
  cardPages(ctx, app, signedIn);
  planPages(ctx, app, ROOT, onHolding);
  const path = `${ROOT}/subscriptions/:subscriptionId`;
  const cancel = async (c: PageContext, visit: Visit, holding: Holding) => {
    if (holding.subscription.cancelAtPeriodEnd) return c.redirect(visit.self, 303);
    return c.html(await cancelPage(ctx, visit.organization, holding, visit.self));
  };
  app.get(`${path}/cancel`, onHolding(cancel));
  app.post(
    `${path}/cancel`,
    onHolding(async (c, visit, holding) =>
      done(c, visit, await scheduleEnd(ctx, holding, (await readForm(c)).get("reason"))),
    ),
  );
  app.post(
    `${path}/keep`,
    onHolding(async (c, visit, holding) => done(c, visit, await keep(ctx, holding))),
  );
}
