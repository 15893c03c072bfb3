import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { readBought, type Bought } from "../../actions/checkout/purchase.ts";
import { signOut } from "../../actions/customer/portal-sessions.ts";
import { portalPurchaseUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { ListInvoicesQuery } from "../../resources/invoice.ts";
import { ListSubscriptionsQuery } from "../../resources/subscription.ts";
import { acceptedLocales } from "../../texts/language.ts";
import { progressOf, thanksPage } from "../checkout/outcome.ts";
import { findOwnView, type View } from "../checkout/view.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readAccount, type Pages, type Holding } from "./account.ts";
import { claimPages } from "./claim-routes.ts";
import { cardPages } from "./card-routes.ts";
import { detailsPages } from "./details-routes.ts";
import { emailPages } from "./email-routes.ts";
import { homePage } from "./home.ts";
import { exportPages } from "./export-routes.ts";
import { licensePages } from "./license-routes.ts";
import { takeOperation, noteOperation, type PortalOperation } from "./notice.ts";
import { quantityPages } from "./quantity-routes.ts";
import { planPages } from "./plan-routes.ts";
import { pricePages } from "./price-routes.ts";
import { resumePages } from "./resume-routes.ts";
import { signInPages } from "./sign-in-routes.ts";
import { signInPage } from "./sign-in.ts";
import { portalGuardOf, openPortal, ROOT, type PortalGuard, type PortalRequest } from "./request.ts";
import { readForm } from "../guards.ts";
import { busyPage, cancelPage, undoCancellation, readCancellation, scheduleEnd } from "./cancel.ts";
import { allowing } from "./limit.ts";

/** The page on which a signed-in Customer cancels a Subscription, and the way back. */
function cancelPages(ctx: Context, app: Hono<PageEnvironment>, { onHolding }: PortalGuard): void {
  const path = `${ROOT}/subscriptions/:subscriptionId`;
  const done = (c: PageContext, request: PortalRequest, operation: PortalOperation, isDone: boolean) => {
    if (!isDone) return c.html(busyPage(ctx, request), 409);
    noteOperation(ctx, c, request.self, operation);
    return c.redirect(request.self, 303);
  };
  const cancel = async (c: PageContext, request: PortalRequest, holding: Holding) => {
    if (holding.subscription.cancelAtPeriodEnd) return c.redirect(request.self, 303);
    return c.html(cancelPage(ctx, request, await readCancellation(ctx, request, holding)));
  };
  app.get(`${path}/cancel`, onHolding(allowing(ctx, "cancel", cancel)));
  app.post(
    `${path}/cancel`,
    onHolding(
      allowing(ctx, "cancel", async (c, request, holding) =>
        done(c, request, "cancel", await scheduleEnd(ctx, holding, (await readForm(c)).get("reason"))),
      ),
    ),
  );
  app.post(
    `${path}/keep`,
    onHolding(async (c, request, holding) => done(c, request, "keep", await undoCancellation(ctx, holding))),
  );
}

/**
 * A completed Checkout of the visitor, with the deliverables of its purchase.
 * @throws HTTPException 404 for a Checkout of another Customer, and for one that is not completed
 */
async function findPurchase(
  ctx: Context,
  c: PageContext,
  request: PortalRequest,
): Promise<{ view: View; bought: Bought }> {
  const { organization, visitor } = request;
  const accepted = acceptedLocales(c.req.header("Accept-Language"));
  const view = await findOwnView(ctx, organization.id, c.req.param("checkoutId") ?? "", accepted);
  if (view?.status !== "completed" || view.checkout.customerId !== visitor.customer.id) throw new HTTPException(404);
  const self = pathOf(portalPurchaseUrl(ctx, organization.id, view.checkout.id));
  return { view: { ...view, self }, bought: await readBought(ctx, view.checkout, view.benefits, "owner") };
}

/** `/portal/{organizationId}/purchases/{checkoutId}`: the purchase, for its Customer in any browser (rule C9). */
function purchasePages(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: PortalGuard): void {
  const path = `${ROOT}/purchases/:checkoutId`;
  app.get(
    path,
    signedIn(async (c, request) => {
      const { view, bought } = await findPurchase(ctx, c, request);
      return c.html(thanksPage(ctx, view, bought));
    }),
  );
  app.get(
    `${path}/status`,
    signedIn(async (c, request) => {
      const { view, bought } = await findPurchase(ctx, c, request);
      return c.text(progressOf(view, bought));
    }),
  );
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

/** The home page, and the way out of the portal. */
function homePages(ctx: Context, app: Hono<PageEnvironment>, { session, requestOf }: PortalGuard): void {
  app.get(ROOT, async (c) => {
    const portal = await openPortal(ctx, c);
    const request = await requestOf(c, portal);
    if (!request) return c.html(signInPage(ctx, portal));
    const account = await readAccount(ctx, request, readPages(c));
    return c.html(homePage(ctx, request, account, takeOperation(ctx, c, portal.self)));
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
  const guard = portalGuardOf(ctx);
  signInPages(ctx, app, guard);
  homePages(ctx, app, guard);
  cardPages(ctx, app, guard);
  cancelPages(ctx, app, guard);
  resumePages(ctx, app, guard);
  pricePages(ctx, app, guard);
  claimPages(ctx, app, guard);
  purchasePages(ctx, app, guard);
  detailsPages(ctx, app, guard);
  planPages(ctx, app, guard);
  quantityPages(ctx, app, guard);
  licensePages(ctx, app, guard);
  emailPages(ctx, app, guard);
  exportPages(ctx, app, guard);
}
