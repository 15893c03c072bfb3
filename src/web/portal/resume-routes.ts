import type { Hono } from "hono";
import { readResumeQuote, resumeInPortal } from "../../actions/subscription/portal-resume.ts";
import type { Context } from "../../context.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { readAgreed } from "../components/agreed-fields.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm } from "../guards.ts";
import type { Holding } from "./account.ts";
import { busyPage } from "./cancel.ts";
import { noteOperation } from "./notice.ts";
import { ROOT, type PortalGuard, type PortalRequest } from "./request.ts";
import { pausePage, schedulePause } from "./pause.ts";
import { resumePage, undoPause } from "./resume.ts";

const isPaused = ({ subscription }: Holding) => subscription.status === "paused";

async function showResume(
  ctx: Context,
  c: PageContext,
  request: PortalRequest,
  holding: Holding,
  isChanged = false,
): Promise<Response> {
  const quote = isPaused(holding) ? await readResumeQuote(ctx, holding.subscription) : null;
  if (quote === null) return c.redirect(request.self, 303);
  return c.html(resumePage(ctx, request, holding, { quote, isChanged }), isChanged ? 409 : 200);
}

async function undo(ctx: Context, c: PageContext, request: PortalRequest, holding: Holding): Promise<Response> {
  const { id } = holding.subscription;
  const undone = await undoPause(ctx, holding);
  if (undone === "busy") return c.html(busyPage(ctx, request), 409);
  // The page of the resume shows the amount first.
  if (undone === "begun") return c.redirect(`${request.self}/subscriptions/${id}/resume`, 303);
  noteOperation(ctx, c, request.self, "undoPause");
  return c.redirect(request.self, 303);
}

async function resume(ctx: Context, c: PageContext, request: PortalRequest, holding: Holding): Promise<Response> {
  if (holding.subscription.pause !== null && !isPaused(holding)) return undo(ctx, c, request, holding);
  try {
    const agreed = readAgreed(await readForm(c), ["amountDue", "cardId"]);
    const result = await resumeInPortal(ctx, holding.subscription, agreed);
    if ("refused" in result) return await showResume(ctx, c, request, holding, true);
    if ("invoice" in result) return c.redirect(pathOf(result.invoice), 303);
  } catch (error) {
    if (isRefusal(error, "catch_up_pending")) return c.html(busyPage(ctx, request), 409);
    throw error;
  }
  if (holding.subscription.pause !== null) noteOperation(ctx, c, request.self, "resume");
  return c.redirect(request.self, 303);
}

async function pause(ctx: Context, c: PageContext, request: PortalRequest, holding: Holding): Promise<Response> {
  const months = Number((await readForm(c)).get("months"));
  if (!(await schedulePause(ctx, holding, months))) return c.html(pausePage(ctx, request, holding), 409);
  noteOperation(ctx, c, request.self, "pause");
  return c.redirect(request.self, 303);
}

/** The pages on which a Customer makes a pause and ends it, and the way to undo a planned one (rules S8k, S8l). */
export function resumePages(ctx: Context, app: Hono<PageEnvironment>, { onHolding }: PortalGuard): void {
  const pausing = `${ROOT}/subscriptions/:subscriptionId/pause`;
  app.get(
    pausing,
    onHolding(async (c, request, holding) => {
      if (holding.subscription.pause !== null) return c.redirect(request.self, 303);
      return c.html(pausePage(ctx, request, holding));
    }),
  );
  app.post(
    pausing,
    onHolding((c, request, holding) => pause(ctx, c, request, holding)),
  );
  const path = `${ROOT}/subscriptions/:subscriptionId/resume`;
  app.get(
    path,
    onHolding((c, request, holding) => showResume(ctx, c, request, holding)),
  );
  app.post(
    path,
    onHolding((c, request, holding) => resume(ctx, c, request, holding)),
  );
}
