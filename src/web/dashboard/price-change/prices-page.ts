import { html } from "hono/html";
import { viewsOf, type PriceChangeView } from "../../../actions/price-change/view.ts";
import type { Product } from "../../../domain/model/product.ts";
import { allows } from "../../../domain/team/role.ts";
import { presentPage } from "../../../resources/page.ts";
import { presentPriceChange } from "../../../resources/price-change.ts";
import { listPriceChanges } from "../../../store/price-changes.ts";
import { readPriceVersions, type PriceVersion } from "../../../store/product-prices.ts";
import type { Html } from "../../layout.ts";
import { moneyCell, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { pager } from "../components/pager.ts";
import { statusBadge } from "../components/status.ts";
import { PRODUCTS } from "../catalogue/resources.ts";
import type { Pages } from "../form-action.ts";
import { rowAt, rowPath } from "../resource-forms.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { table } from "../table.ts";
import { isId } from "../../../ids.ts";
import { PRICE_CHANGES } from "./resource.ts";

const ROUNDS_A_PAGE = 20;

const VERSION_HEADINGS = [
  { label: "Price of a unit", isNumber: true },
  "From",
  "Until",
  { label: "Live Subscriptions", isNumber: true },
];

const WITHOUT_TIME =
  "A price without a time was set by a request, or stood for no time: another price took its place at the instant at " +
  "which it began, as in a sandbox whose clock stands.";

function versionRow({ currency, amount, from, until, subscriptions }: PriceVersion, zone: string): Html {
  const isNow = from !== null && until === null;
  return html`<tr>
${moneyCell(amount, currency)}
<td>${from === null ? "No time on record" : time(from, zone)}</td>
<td>${isNow ? "Now" : until === null ? "" : time(until, zone)}</td>
<td class="number">${subscriptions}</td>
</tr>`;
}

const ROUND_HEADINGS = [
  "Begun",
  "Status",
  { label: "Scheduled", isNumber: true },
  { label: "Moved", isNumber: true },
  { label: "Ended", isNumber: true, isWide: true },
  { label: "Left out", isNumber: true, isWide: true },
];

function roundRow(request: DashboardRequest, view: PriceChangeView): Html {
  const { round } = view;
  const { scheduled, applied, ended, endedWithoutConsent, leftOut } = presentPriceChange(view).progress;
  const href = rowPath(PRICE_CHANGES, request, round);
  const out = leftOut.reduce((sum, { subscriptions }) => sum + subscriptions, 0);
  return html`<tr>
<th scope="row"><a href="${href}">${time(round.createdAt, request.organization.timeZone)}</a></th>
<td>${statusBadge("priceChange", round.status)}</td>
<td class="number">${scheduled}</td>
<td class="number">${applied}</td>
<td class="number wide">${ended + endedWithoutConsent}</td>
<td class="number wide">${out}</td>
</tr>`;
}

type PricesView = { product: Product; versions: readonly PriceVersion[]; rounds: readonly PriceChangeView[] };

function page(request: DashboardRequest, { product, versions, rounds }: PricesView, next: string | null): Html {
  const { self, organization, role } = request;
  const zone = organization.timeZone;
  const back = rowPath(PRODUCTS, request, product);
  const isOffered = product.interval !== null && !product.archived && allows(role, "catalogue");
  const actions = isOffered
    ? html`<a class="button small" href="${back}/price-changes/new">New prices for those who subscribed</a>`
    : undefined;
  const listed =
    rounds.length === 0
      ? emptyState("A new price counts for new purchases. A price change brings it to those who subscribed already.")
      : html`${table(
          "Price changes",
          ROUND_HEADINGS,
          rounds.map((view) => roundRow(request, view)),
        )}${pager({ previous: null, next }, { previous: "Newer price changes", next: "Older price changes" })}`;
  const body = html`<p class="back"><a href="${back}"><bdi>${product.name}</bdi></a></p>
${table(
  "Prices",
  VERSION_HEADINGS,
  versions.map((version) => versionRow(version, zone)),
)}
${versions.some(({ from }) => from === null) ? html`<p class="note">${WITHOUT_TIME}</p>` : ""}
${product.interval === null ? "" : html`<h2>Price changes</h2>${listed}`}`;
  return PRODUCTS.frame({ ...request, self }, `Prices of ${product.name}`, body, actions);
}

/** `/products/{id}/prices`: the prices of a Product with their time, and its price changes (rule N10). */
export const pricesPage: Pages = (ctx, app, { signedIn }) => {
  app.get(
    `${ROOT}/products/:productId/prices`,
    signedIn("read", async (c, request) => {
      const product = await rowAt(PRODUCTS, c, request);
      const { organizationId, id } = product;
      const cursor = c.req.query("cursor") ?? "";
      const query = { limit: ROUNDS_A_PAGE, ...(isId("pch", cursor) && { cursor }) };
      const [versions, found] = await Promise.all([
        readPriceVersions(ctx.db.read, organizationId, id),
        listPriceChanges(ctx.db.read, organizationId, id, query),
      ]);
      const { data, nextCursor } = presentPage(found, ROUNDS_A_PAGE, (round) => round);
      const rounds = await viewsOf(ctx.db.read, organizationId, data);
      const next = nextCursor === null ? null : `?cursor=${nextCursor}`;
      return c.html(page(request, { product, versions, rounds }, next));
    }),
  );
};
