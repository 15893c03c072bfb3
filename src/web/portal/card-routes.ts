import type { Hono } from "hono";
import { askAboutCard, giveUpCard, givePortalCard } from "../../actions/customer/portal-card.ts";
import { entryOf } from "../../actions/provider.ts";
import type { Context } from "../../context.ts";
import { readCard, typedCard, type CardFaults } from "../components/card-fields.ts";
import { afterSubmission } from "../components/hosted-page.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { policyLeadingTo, readForm, RequestLimit } from "../guards.ts";
import { readPlans } from "./card-plans.ts";
import { readCardUse } from "./card-use.ts";
import { cardPage, closedPage, GIVE_UP, problemOf, waitingPage } from "./card.ts";
import { noteOperation } from "./notice.ts";
import { ROOT, type PortalGuard, type PortalRequest } from "./request.ts";

const ownerOf = ({ organization, visitor }: PortalRequest) => ({ organization, customer: visitor.customer });

/** The page on which a signed-in Customer gives another card (rule D3t). */
export function cardPages(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: PortalGuard): void {
  const submissions = new RequestLimit();
  const path = `${ROOT}/card`;
  const entry = async (c: PageContext, { organization }: PortalRequest) => {
    const found = await entryOf(ctx, organization);
    if (found.hosted) c.header("Content-Security-Policy", policyLeadingTo(found.hosted.origin));
    return found;
  };
  const saved = (c: PageContext, { self }: PortalRequest) => {
    noteOperation(ctx, c, self, "card");
    return c.redirect(self, 303);
  };
  app.get(
    path,
    signedIn(async (c, request) => {
      const asked = await askAboutCard(ctx, ownerOf(request));
      if (asked?.settledAt === null) return c.html(waitingPage(ctx, request, asked, await readCardUse(ctx, request)));
      if (asked?.status === "succeeded") return saved(c, request);
      const found = await entry(c, request);
      if (found.closed) return c.html(closedPage(ctx, request, found.closed));
      const problem = asked ? problemOf(request.words, { payment: asked }) : null;
      const input = { expiry: "", plan: asked?.subscriptionId ?? null, faults: {}, problem };
      return c.html(cardPage(ctx, request, found, await readCardUse(ctx, request), input));
    }),
  );
  app.post(
    path,
    signedIn(async (c, request) => {
      submissions.count(c.env.client);
      const form = await readForm(c);
      const page = `${request.self}/card`;
      if (form.get("action") === GIVE_UP) {
        await giveUpCard(ctx, ownerOf(request));
        return c.redirect(page, 303);
      }
      const found = await entry(c, request);
      if (found.closed) return c.html(closedPage(ctx, request, found.closed), 409);
      const plans = readPlans(form);
      const again = async (faults: CardFaults, problem: ReturnType<typeof problemOf>, status: 402 | 409 | 422) => {
        const input = { ...typedCard(form), plan: plans.subscriptionId, faults, problem };
        return c.html(cardPage(ctx, request, found, await readCardUse(ctx, request), input), status);
      };
      const { faults, card } = found.hosted
        ? { faults: {}, card: "hosted" as const }
        : readCard(form, true, request.words);
      if (!card || Object.keys(faults).length > 0) return again(faults, null, 422);
      const result = await givePortalCard(ctx, ownerOf(request), card, plans);
      if ("refused" in result) {
        if (result.refused === "card") return again({ [result.fault.field]: result.fault.message }, null, 422);
        return again({}, problemOf(request.words, result), 409);
      }
      const { payment } = result;
      if (payment.status === "failed") return again({}, problemOf(request.words, result), 402);
      if (payment.status === "succeeded") return saved(c, request);
      return c.redirect(afterSubmission(payment, found.hosted, page), 303);
    }),
  );
}
