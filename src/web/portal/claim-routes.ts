import type { Hono } from "hono";
import { html } from "hono/html";
import { disown, useDefaultCard } from "../../actions/subscription/claim.ts";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { Refusal } from "../../domain/refusal.ts";
import { portalStylesPath } from "../assets.ts";
import { messagePage } from "../components/message.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm } from "../guards.ts";
import { stylesheet, type Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import { busyPage } from "./cancel.ts";
import { noteOperation, type PortalOperation } from "./notice.ts";
import { ROOT, type PortalGuard, type PortalRequest } from "./request.ts";

/** Asks for a confirmation before a purchase ends that the Customer does not recognize (rule C13). */
function disownPage(ctx: Context, { organization, self, words }: PortalRequest, { product: name }: Holding): Html {
  const { portalDisown: texts, portalCancel } = words;
  const product = html`<bdi>${name}</bdi>`;
  const seller = html`<bdi>${displayName(organization)}</bdi>`;
  const more = html`<p>${texts.refunds}</p>
<form method="post" data-once>
<button class="button ends" type="submit">${texts.submit.markup({ product })}</button>
</form>
<a class="button keep" href="${self}">${portalCancel.keep.markup({ product })}</a>`;
  const text = texts.text.markup({ product, seller });
  const [title, head] = [texts.title({ product: name }), stylesheet(portalStylesPath(ctx))];
  return messagePage(ctx, { words, organization, icon: "stopped", title, head, text, more });
}

/**
 * The acts of a signed-in Customer on a purchase by their e-mail address, and the default card for one Subscription.
 */
export function claimPages(ctx: Context, app: Hono<PageEnvironment>, { onHolding, onOwn }: PortalGuard): void {
  const path = `${ROOT}/subscriptions/:subscriptionId`;
  /** `operation`: the operation that is confirmed; null: the act had no effect, because the page was out of date. */
  const act = async (c: PageContext, request: PortalRequest, run: () => Promise<PortalOperation | null>) => {
    try {
      const operation = await run();
      if (operation !== null) noteOperation(ctx, c, request.self, operation);
      return c.redirect(request.self, 303);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === "not_found") throw error;
      if (error.code === "subscription_canceled") return c.redirect(request.self, 303);
      return c.html(busyPage(ctx, request), 409);
    }
  };
  app.post(
    `${path}/card`,
    onOwn(async (c, request, subscription) => {
      const form = await readForm(c);
      const shown = { cardId: form.get("card") ?? "", asksFor: form.get("price") || null };
      return act(c, request, async () => ((await useDefaultCard(ctx, subscription, shown)) ? "planCard" : null));
    }),
  );
  app.get(
    `${path}/disown`,
    onHolding(async (c, request, holding) => {
      const { claimed, id } = holding.subscription;
      if (claimed) return c.redirect(`${request.self}/subscriptions/${id}/cancel`, 303);
      return c.html(disownPage(ctx, request, holding));
    }),
  );
  app.post(
    `${path}/disown`,
    onOwn(async (c, request, subscription) =>
      act(c, request, async () => ((await disown(ctx, subscription)) ? "disown" : null)),
    ),
  );
}
