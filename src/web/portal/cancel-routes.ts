import type { Hono } from "hono";
import type { Context } from "../../context.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm } from "../guards.ts";
import type { Holding } from "./account.ts";
import { busyPage, cancelPage, keep, scheduleEnd } from "./cancel.ts";
import { allowing } from "./limit.ts";
import { noteOperation, type Deed } from "./notice.ts";
import { ROOT, type PortalGuard, type Visit } from "./request.ts";

/** The page on which a signed-in Customer cancels a Subscription, and the way back. */
export function cancelPages(ctx: Context, app: Hono<PageEnvironment>, { onHolding }: PortalGuard): void {
  const path = `${ROOT}/subscriptions/:subscriptionId`;
  const done = (c: PageContext, visit: Visit, deed: Deed, isDone: boolean) => {
    if (!isDone) return c.html(busyPage(ctx, visit), 409);
    noteOperation(ctx, c, visit.self, deed);
    return c.redirect(visit.self, 303);
  };
  const cancel = async (c: PageContext, visit: Visit, holding: Holding) => {
    if (holding.subscription.cancelAtPeriodEnd) return c.redirect(visit.self, 303);
    return c.html(await cancelPage(ctx, visit, holding));
  };
  app.get(`${path}/cancel`, onHolding(allowing(ctx, "cancel", cancel)));
  app.post(
    `${path}/cancel`,
    onHolding(
      allowing(ctx, "cancel", async (c, visit, holding) =>
        done(c, visit, "cancel", await scheduleEnd(ctx, holding, (await readForm(c)).get("reason"))),
      ),
    ),
  );
  app.post(
    `${path}/keep`,
    onHolding(async (c, visit, holding) => done(c, visit, "keep", await keep(ctx, holding))),
  );
}
