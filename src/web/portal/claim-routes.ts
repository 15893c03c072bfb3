import type { Hono } from "hono";
import { html } from "hono/html";
import { disown, useDefaultCard } from "../../actions/subscription/claim.ts";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { AppError } from "../../errors.ts";
import { portalStylesPath } from "../assets.ts";
import { messagePage } from "../components/message.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm } from "../guards.ts";
import { stylesheet, type Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import { busyPage } from "./cancel.ts";
import { noteOperation, type Deed } from "./notice.ts";
import { ROOT, type PortalGuard, type Visit } from "./request.ts";

/** Asks for a confirmation before a purchase ends that the Customer does not recognize (rule C13). */
function disownPage(ctx: Context, { organization, self, words }: Visit, { product: name }: Holding): Html {
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

/** The acts of a signed-in Customer on a purchase by their e-mail address, and the default card for one Subscription. */
export function claimPages(ctx: Context, app: Hono<PageEnvironment>, { onHolding, onOwn }: PortalGuard): void {
  const path = `${ROOT}/subscriptions/:subscriptionId`;
  /** `deed`: the deed that is confirmed; null: the act had no effect, because the page was out of date. */
  const act = async (c: PageContext, visit: Visit, run: () => Promise<Deed | null>) => {
    try {
      const deed = await run();
      if (deed !== null) noteOperation(ctx, c, visit.self, deed);
      return c.redirect(visit.self, 303);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 409) throw error;
      if (error.code === "subscription_canceled") return c.redirect(visit.self, 303);
      return c.html(busyPage(ctx, visit), 409);
    }
  };
  app.post(
    `${path}/card`,
    onOwn(async (c, visit, subscription) => {
      const card = (await readForm(c)).get("card") ?? "";
      return act(c, visit, async () => ((await useDefaultCard(ctx, subscription, card)) ? "planCard" : null));
    }),
  );
  app.get(
    `${path}/disown`,
    onHolding(async (c, visit, holding) => {
      const { claimed, id } = holding.subscription;
      if (claimed) return c.redirect(`${visit.self}/subscriptions/${id}/cancel`, 303);
      return c.html(disownPage(ctx, visit, holding));
    }),
  );
  app.post(
    `${path}/disown`,
    onOwn(async (c, visit, subscription) =>
      act(c, visit, async () => ((await disown(ctx, subscription)) ? "disown" : null)),
    ),
  );
}
