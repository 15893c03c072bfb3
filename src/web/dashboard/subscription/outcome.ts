import { html } from "hono/html";
import { checkoutUrl } from "../../../actions/links.ts";
import { declineMessage } from "../../../resources/decline-message.ts";
import type { ReadCheckout } from "../../../store/checkouts.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { copyableLink } from "../components/copyable.ts";
import { definitions } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { besidePage } from "../customer/part.ts";
import type { Pages } from "../form-action.ts";
import { afterOperation, heldOf, SUBSCRIPTION, type Held } from "./page-data.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { countedName } from "../../components/sold-name.ts";
import { listUnfinished } from "./unfinished-checkouts.ts";

/** The page with the state of a change that was asked for. */
export const outcomePath = ({ path }: Pick<Held, "path">): string => `${path}/change/outcome`;

function unfinishedPart({ ctx, zone }: Held, checkout: ReadCheckout): Html {
  const { lastPaymentError, expiresAt } = checkout;
  const url = checkoutUrl(ctx, checkout);
  const why = lastPaymentError ? declineMessage(lastPaymentError.code) : "There is no card that can be charged.";
  return html`${notice("warning", "The plan has not been changed. The buyer must take the next step.")}
${definitions([
  ["Change to", countedName(ENGLISH, checkout)],
  ["Reason", why],
  ["Page for the buyer", copyableLink(url, "link")],
  ["The page works until", time(expiresAt, zone)],
])}
<p>Send the page to the buyer. The plan changes once the buyer has finished there.</p>`;
}

/** `checkout`: the page on which the buyer can finish a change; undefined: there is none. */
function page(held: Held, checkout: ReadCheckout | undefined): Html {
  const { subscription, product, zone } = held;
  if (subscription.changeId !== null)
    return html`${notice("hint", "The charge of the change is not settled yet. The plan is unchanged until then.")}
<p><a class="button small" href="${outcomePath(held)}">Refresh</a></p>`;
  if (checkout) return unfinishedPart(held, checkout);
  const { pendingChange } = subscription;
  const planned =
    pendingChange === null
      ? "No change is scheduled."
      : html`The plan changes to ${countedName(ENGLISH, pendingChange)} on ${time(pendingChange.effectiveAt, zone)}.`;
  return html`<p>The plan is <bdi>${product.name}</bdi>. ${planned}</p>
<p><a href="${afterOperation(held)}">To the Subscription</a></p>`;
}

/** `…/subscriptions/{id}/change/outcome`: the present state of a change, also after a form that was sent twice. */
export const outcomePage: Pages = (_, app, { signedIn }) => {
  app.get(
    `${SUBSCRIPTION}/change/outcome`,
    signedIn("subscriptions", async (c, request) => {
      const held = await heldOf(c, request);
      const { subscription } = held;
      const unfinished = subscription.changeId === null ? await listUnfinished(held) : [];
      const checkout = unfinished.find(({ subscriptionId }) => subscriptionId === subscription.id);
      return c.html(besidePage(held, "The change of the plan", page(held, checkout)));
    }),
  );
};
