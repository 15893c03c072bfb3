import type { Hono } from "hono";
import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import { checkoutUrl } from "../../../actions/links.ts";
import type { ReadCheckout } from "../../../store/checkouts.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { deedPage } from "../customer/money/deed-page.ts";
import type { DashboardDoor } from "../door.ts";
import { afterDeed, heldOf, SUBSCRIPTION, type Held } from "./scene.ts";
import { listUnfinished } from "./unfinished.ts";

/** The page with the state of a change that was asked for. */
export const outcomePath = ({ path }: Pick<Held, "path">): string => `${path}/change/outcome`;

function unfinishedPart(ctx: Context, { zone }: Held, checkout: ReadCheckout): Html {
  const { productName, lastPaymentError, expiresAt } = checkout;
  const url = checkoutUrl(ctx, checkout);
  const why = lastPaymentError?.message ?? "There is no card that can be charged.";
  return html`${notice("warning", "The plan has not been changed. The buyer must take the next step.")}
${definitions([
  ["Change to", html`<bdi>${productName}</bdi>`],
  ["Reason", why],
  ["Page for the buyer", html`<a href="${url}">${url}</a>`],
  ["The page works until", time(expiresAt, zone)],
])}
<p>Send the page to the buyer. The plan changes once the buyer has finished there.</p>`;
}

async function outcome(ctx: Context, held: Held): Promise<Html> {
  const { subscription, product, zone } = held;
  if (subscription.changeId !== null)
    return html`${notice("hint", "The charge of the change is not settled yet. The plan is unchanged until then.")}
<p><a class="button small" href="${outcomePath(held)}">Refresh</a></p>`;
  const [checkout] = (await listUnfinished(held)).filter(({ subscriptionId }) => subscriptionId === subscription.id);
  if (checkout) return unfinishedPart(ctx, held, checkout);
  const { pendingChange } = subscription;
  const planned =
    pendingChange === null
      ? "No change is scheduled."
      : html`The plan changes to <bdi>${pendingChange.productName}</bdi> on ${time(pendingChange.effectiveAt, zone)}.`;
  return html`<p>The plan is <bdi>${product.name}</bdi>. ${planned}</p>
<p><a href="${afterDeed(held)}">To the Subscription</a></p>`;
}

/** `…/subscriptions/{id}/change/outcome`: the present state of a change, also after a form that was sent twice. */
export function outcomePage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardDoor): void {
  app.get(
    `${SUBSCRIPTION}/change/outcome`,
    signedIn("subscriptions", async (c, visit) => {
      const held = await heldOf(ctx, c, visit);
      return c.html(deedPage(held, "The change of the plan", await outcome(ctx, held)));
    }),
  );
}
