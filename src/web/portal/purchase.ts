import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { readBought, type Bought } from "../../actions/checkout/purchase.ts";
import { portalPurchaseUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { acceptedLocales } from "../../texts/language.ts";
import { progressOf, thanksPage } from "../checkout/outcome.ts";
import { findOwnView, type View } from "../checkout/view.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { ROOT, type PortalGuard, type Visit } from "./request.ts";

/**
 * A completed Checkout of the visitor, with the goods of its purchase.
 * @throws HTTPException 404 for a Checkout of another Customer, and for one that is not completed
 */
async function find(ctx: Context, c: PageContext, visit: Visit): Promise<{ view: View; bought: Bought }> {
  const { organization, visitor } = visit;
  const accepted = acceptedLocales(c.req.header("Accept-Language"));
  const view = await findOwnView(ctx, organization.id, c.req.param("checkoutId") ?? "", accepted);
  if (view?.status !== "completed" || view.checkout.customerId !== visitor.customer.id) throw new HTTPException(404);
  const self = pathOf(portalPurchaseUrl(ctx, organization.id, view.checkout.id));
  return { view: { ...view, self }, bought: await readBought(ctx, view.checkout, view.benefits, "owner") };
}

/** `/portal/{organizationId}/purchases/{checkoutId}`: the purchase, for its Customer in any browser (rule C9). */
export function purchasePages(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: PortalGuard): void {
  const path = `${ROOT}/purchases/:checkoutId`;
  app.get(
    path,
    signedIn(async (c, visit) => {
      const { view, bought } = await find(ctx, c, visit);
      return c.html(thanksPage(ctx, view, bought));
    }),
  );
  app.get(
    `${path}/status`,
    signedIn(async (c, visit) => {
      const { view, bought } = await find(ctx, c, visit);
      return c.text(progressOf(view, bought));
    }),
  );
}
