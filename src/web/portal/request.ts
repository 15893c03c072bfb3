import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import { findVisitor, type Visitor } from "../../actions/customer/portal-sessions.ts";
import { portalUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { SESSION_SECONDS } from "../../domain/model/portal-session.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { isHeldForImport, type Subscription } from "../../domain/model/subscription.ts";
import { isId } from "../../ids.ts";
import { organizations } from "../../store/organizations.ts";
import type { Words } from "../../texts/words.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext } from "../environment.ts";
import { wordsOf } from "../language.ts";
import { findHolding, findOwn, type Holding } from "./account.ts";

/** The path of a portal. The portal's other pages are below this path. */
export const ROOT = "/portal/:organizationId";

/** The Organization of a portal, the portal's own path in a browser, and the reader's language. */
export type Portal = { organization: Organization; self: string; words: Words };
/** A request of a Customer that is signed in. */
export type PortalRequest = Portal & { visitor: Visitor };

/** @throws HTTPException 404 for an Organization that does not exist */
export async function openPortal(ctx: Context, c: PageContext): Promise<Portal> {
  const id = c.req.param("organizationId") ?? "";
  const organization = isId("org", id) ? await organizations.find(ctx.db.read, id) : null;
  if (!organization) throw new HTTPException(404);
  return { organization, self: pathOf(portalUrl(ctx, id)), words: wordsOf(c) };
}

/**
 * The session's cookie. No script can read it. A browser sends it neither to another Organization's pages nor with
 * another site's form.
 */
export class Session {
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
    const cookieOptions = { path: self, secure: this.#secure, httpOnly: true, sameSite: "Lax" } as const;
    setCookie(c, this.#name, secret, { ...cookieOptions, maxAge: SESSION_SECONDS });
  }

  clear(c: PageContext, { self }: Portal): void {
    deleteCookie(c, this.#name, { path: self, secure: this.#secure });
  }
}

type Handler = (c: PageContext) => Promise<Response>;

/** The ways into the pages of a portal. */
export type PortalGuard = {
  session: Session;
  /** The request of a signed-in Customer; null: the visitor is not signed in. */
  requestOf(c: PageContext, portal: Portal): Promise<PortalRequest | null>;
  /** Answers signed-in visitors, and leads others to the sign-in. */
  signedIn(answer: (c: PageContext, request: PortalRequest) => Promise<Response>): Handler;
  /**
   * Like `signedIn`, for one of the visitor's Subscriptions: the one of the path's `subscriptionId`. Throws an
   * HTTPException 404 for a Subscription of another Customer, and for one that has ended. A held Subscription leads to
   * the home page, which gives the reason (rule V2).
   */
  onHolding(answer: (c: PageContext, request: PortalRequest, holding: Holding) => Promise<Response>): Handler;
  /**
   * Like `onHolding`, also for a Subscription that has ended, so that a form that is sent twice has two good answers.
   */
  onOwn(answer: (c: PageContext, request: PortalRequest, subscription: Subscription) => Promise<Response>): Handler;
};

export function portalGuardOf(ctx: Context): PortalGuard {
  const session = new Session(ctx);
  const requestOf: PortalGuard["requestOf"] = async (c, portal) => {
    const secret = session.read(c);
    const visitor = secret === null ? null : await findVisitor(ctx, portal.organization.id, secret);
    return visitor && { ...portal, visitor, words: wordsOf(c, visitor.customer.locale) };
  };
  const signedIn: PortalGuard["signedIn"] = (answer) => async (c) => {
    const portal = await openPortal(ctx, c);
    const request = await requestOf(c, portal);
    return request ? answer(c, request) : c.redirect(portal.self, 303);
  };
  const onHolding: PortalGuard["onHolding"] = (answer) =>
    signedIn(async (c, request) => {
      const holding = await findHolding(ctx, request, c.req.param("subscriptionId") ?? "");
      if (!holding) throw new HTTPException(404);
      return isHeldForImport(holding.subscription) ? c.redirect(request.self, 303) : answer(c, request, holding);
    });
  const onOwn: PortalGuard["onOwn"] = (answer) =>
    signedIn(async (c, request) => {
      const subscription = await findOwn(ctx, request, c.req.param("subscriptionId") ?? "");
      if (!subscription) throw new HTTPException(404);
      return isHeldForImport(subscription) ? c.redirect(request.self, 303) : answer(c, request, subscription);
    });
  return { session, requestOf, signedIn, onHolding, onOwn };
}
