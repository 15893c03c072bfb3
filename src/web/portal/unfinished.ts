import { html } from "hono/html";
import { checkoutUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import type { Unfinished } from "../../domain/checkout/unfinished-checkouts.ts";
import type { Words } from "../../texts/words.ts";
import { pathOf } from "../components/link.ts";
import type { Html } from "../layout.ts";
import type { Account } from "./account.ts";
import type { Visit } from "./request.ts";

function entry(ctx: Context, { portal, overdue }: Words, { checkout, asksBuyer }: Unfinished): Html {
  const { id, change } = checkout;
  const product = html`<bdi>${checkout.productName}</bdi>`;
  const title = change ? portal.unfinishedChange : portal.unfinishedOrder;
  const page = pathOf(checkoutUrl(ctx, checkout));
  return html`<section class="paper" aria-labelledby="${id}">
<h2 id="${id}">${title.markup({ product })}</h2>
<p>${asksBuyer ? portal.canContinue : overdue.paying.markup({ product })}</p>
${asksBuyer ? html`<p><a class="button small" href="${page}">${portal.goOn}</a></p>` : ""}
</section>`;
}

/** The orders whose payment the buyer has left, each with the way to its page (rule C4). */
export function unfinishedSections(ctx: Context, { words }: Visit, { unfinished }: Account): Html[] {
  return unfinished.map((each) => entry(ctx, words, each));
}
