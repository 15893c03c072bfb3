import { html } from "hono/html";
import { portalUrl } from "../../actions/links.ts";
import type { LinkVisit } from "../../actions/checkout/read-link.ts";
import type { Context } from "../../context.ts";
import type { Words } from "../../texts/words.ts";
import { tableAssets, type Theme } from "../assets.ts";
import { contactLink } from "../components/seller-footer.ts";
import { stylesheet, type Html } from "../layout.ts";
import { carried, type Asked } from "./asked.ts";
import { offerGrid } from "./offers.ts";
import type { OfferView } from "./view.ts";

/** `page`: the whole address of the link's page. */
type TablePage = {
  words: Words;
  visit: LinkVisit;
  offers: readonly OfferView[];
  asked: Asked;
  isOpen: boolean;
  theme: Theme;
  page: string;
};

/** The address of the page with one Product and the values of the table's own address. */
function offerUrl({ page, asked }: TablePage, { product, quantity }: OfferView): string {
  const query = new URLSearchParams([["product", product.key ?? product.id], ...carried(asked)]);
  if (asked.quantity !== null) query.set("quantity", String(quantity));
  return `${page}?${query}`;
}

/**
 * The pricing table, to stand in a frame on any site. The table has neither a form nor a cookie: its buttons lead the
 * whole window to the page of the link.
 */
export function tablePage(ctx: Context, table: TablePage): Html {
  const { words, visit, offers, isOpen, theme } = table;
  const { organization } = visit;
  const drawn = { words, organization };
  const { styles, script } = tableAssets(ctx, theme);
  const choose = (offer: OfferView) => html`<a class="button" target="_top" href="${offerUrl(table, offer)}">
${words.plan.choose.markup({ product: html`<bdi>${offer.product.name}</bdi>` })}</a>`;
  const ended = html`<p>${words.buy.off}</p>${contactLink(words, organization)}`;
  return html`<!doctype html>
<html lang="${words.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.buy.table}</title>
${styles.map((href) => html`${stylesheet(href)}\n`)}
<script src="${script}" type="module"></script>
</head>
<body class="table">
<main class="portal plans buy">
<h1 class="unseen">${words.buy.table}</h1>
${organization.mode === "sandbox" ? html`<p class="mode">${words.frame.sandbox}</p>` : ""}
${isOpen ? offerGrid(drawn, offers, choose) : ended}
<p class="manage"><a target="_top" href="${portalUrl(ctx, organization.id)}">${words.deliverables.managePlan}</a></p>
</main>
</body>
</html>
`;
}
