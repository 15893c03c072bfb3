import type { Hono } from "hono";
import { ownOrigin } from "../../actions/origin.ts";
import { consentToPrice } from "../../actions/price-change/consent.ts";
import type { Context } from "../../context.ts";
import { isRefusal } from "../../domain/refusal.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm } from "../guards.ts";
import { findHolding } from "./account.ts";
import { busyPage } from "./cancel.ts";
import { noteOperation } from "./notice.ts";
import { endsWithoutConsent, pricePage } from "./price.ts";
import { ROOT, type PortalGuard, type PortalRequest } from "./request.ts";

/** Shows the price that waits now; leads home if none needs a consent. */
async function show(ctx: Context, c: PageContext, request: PortalRequest, id: string, isChanged: boolean) {
  const holding = await findHolding(ctx, request, id);
  if (holding === null || !endsWithoutConsent(holding)) return c.redirect(request.self, 303);
  return c.html(pricePage(ctx, request, holding, isChanged), isChanged ? 409 : 200);
}

async function agree(ctx: Context, c: PageContext, request: PortalRequest, id: string): Promise<Response> {
  const priceChangeId = (await readForm(c)).get("priceChangeId") ?? "";
  try {
    if (!(await consentToPrice(ctx, ownOrigin(request.organization.id), id, priceChangeId)))
      return await show(ctx, c, request, id, true);
  } catch (error) {
    if (isRefusal(error, "catch_up_pending")) return c.html(busyPage(ctx, request), 409);
    throw error;
  }
  noteOperation(ctx, c, request.self, "price");
  return c.redirect(request.self, 303);
}

/** The page on which a Customer agrees to the new price of a Subscription (rule N6). */
export function pricePages(ctx: Context, app: Hono<PageEnvironment>, { onOwn }: PortalGuard): void {
  const path = `${ROOT}/subscriptions/:subscriptionId/price`;
  app.get(
    path,
    onOwn((c, request, { id }) => show(ctx, c, request, id, false)),
  );
  app.post(
    path,
    onOwn((c, request, { id }) => agree(ctx, c, request, id)),
  );
}
