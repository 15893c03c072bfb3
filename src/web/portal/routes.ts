import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { signOut } from "../../actions/customer/portal-sessions.ts";
import type { Context } from "../../context.ts";
import { ListInvoicesQuery } from "../../resources/invoice.ts";
import { ListSubscriptionsQuery } from "../../resources/subscription.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readAccount, type Pages } from "./account.ts";
import { cancelPages } from "./cancel-routes.ts";
import { claimPages } from "./claim-routes.ts";
import { cardPages } from "./card-routes.ts";
import { detailsPages } from "./details-routes.ts";
import { emailPages } from "./email-routes.ts";
import { homePage } from "./home.ts";
import { licensePages } from "./license-routes.ts";
import { takeOperation } from "./notice.ts";
import { planPages } from "./plan-routes.ts";
import { purchasePages } from "./purchase.ts";
import { signInPages } from "./sign-in-routes.ts";
import { signInPage } from "./sign-in.ts";
import { portalGuardOf, openPortal, ROOT, type PortalGuard } from "./request.ts";

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

/** The home page, and the way out of the portal. */
function homePages(ctx: Context, app: Hono<PageEnvironment>, { session, visitOf }: PortalGuard): void {
  app.get(ROOT, async (c) => {
    const portal = await openPortal(ctx, c);
    const visit = await visitOf(c, portal);
    if (!visit) return c.html(signInPage(ctx, portal));
    const account = await readAccount(ctx, visit, readPages(c));
    return c.html(homePage(ctx, visit, account, takeOperation(ctx, c, portal.self)));
  });
  app.post(`${ROOT}/sign-out`, async (c) => {
    const portal = await openPortal(ctx, c);
    const secret = session.read(c);
    if (secret !== null) await signOut(ctx, portal.organization.id, secret);
    session.clear(c, portal);
    return c.redirect(portal.self, 303);
  });
}

/** `/portal/{organizationId}`: Customers sign in by e-mail, see their account, and cancel Subscriptions. */
export function portalPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const door = portalGuardOf(ctx);
  signInPages(ctx, app, door);
  homePages(ctx, app, door);
  cardPages(ctx, app, door);
  cancelPages(ctx, app, door);
  claimPages(ctx, app, door);
  purchasePages(ctx, app, door);
  detailsPages(ctx, app, door);
  planPages(ctx, app, door);
  licensePages(ctx, app, door);
  emailPages(ctx, app, door);
}
