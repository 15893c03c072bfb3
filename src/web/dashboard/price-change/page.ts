import { html } from "hono/html";
import { viewOf, type PriceChangeView } from "../../../actions/price-change/view.ts";
import { REPRICED_STATUSES, type PriceChange } from "../../../domain/model/price-change.ts";
import type { Product } from "../../../domain/model/product.ts";
import { allows } from "../../../domain/team/role.ts";
import { isId } from "../../../ids.ts";
import { presentPage } from "../../../resources/page.ts";
import { presentPriceChange } from "../../../resources/price-change.ts";
import { products } from "../../../store/products.ts";
import { listRepriced, type ListedRepriced } from "../../../store/repriced-subscriptions.ts";
import { lookAgain, RELOAD } from "../../components/progress.ts";
import type { Html } from "../../layout.ts";
import { id as shownId, moneyCell, time } from "../components/cells.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { emptyState } from "../components/empty-state.ts";
import { pager } from "../components/pager.ts";
import { STATES, statusBadge } from "../components/status.ts";
import { tabs } from "../components/tabs.ts";
import { nextOf, PER_PAGE, previousOf, queryOf, readAddress, type Address } from "../lists/address.ts";
import { customerLink, withCustomers, type OfCustomer } from "../lists/customer-cell.ts";
import { PRODUCTS } from "../catalogue/resources.ts";
import type { Pages } from "../form-action.ts";
import { rowAt, rowPath } from "../resource-forms.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { table } from "../table.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { stepsOf } from "./control.ts";
import { PRICE_CHANGES } from "./resource.ts";
import { reasonText, REASONS, termsOf } from "./words.ts";

type Row = ListedRepriced & OfCustomer;
type PageData = {
  view: PriceChangeView;
  product: Product;
  rows: readonly Row[];
  address: Address;
  next: string | null;
};

function progressOf(view: PriceChangeView): Definition[] {
  const { found, scheduled, applied, withdrawn, endedWithoutConsent, ended, leftOut } =
    presentPriceChange(view).progress;
  const out = leftOut.map(({ reason, subscriptions }) => html`<li>${REASONS[reason]}: ${subscriptions}</li>`);
  return [
    ["Found when it began", String(found)],
    ["Wait for their first day", String(scheduled)],
    ["Moved to the new price", String(applied)],
    ["New price taken back", String(withdrawn)],
    ["Ended without a consent", String(endedWithoutConsent)],
    ["Ended for another reason", String(ended)],
    ["Left out", out.length === 0 ? "0" : html`<ul>${out}</ul>`],
  ];
}

/** The columns that have a value: the round asks for consents, and a Subscription of the page is settled. */
type Columns = { agreed: boolean; settled: boolean };

const headingsOf = ({ agreed, settled }: Columns) => [
  "Customer",
  "Status",
  { label: "Units", isNumber: true, isWide: true },
  { label: "Price of a unit", isNumber: true },
  { label: "New price", isNumber: true },
  "First day",
  ...(agreed ? [{ label: "Agreed", isWide: true }] : []),
  ...(settled ? [{ label: "Settled", isWide: true }] : []),
];

function rowOf(row: Row, request: DashboardRequest, { agreed, settled }: Columns): Html {
  const zone = request.organization.timeZone;
  const { id, customer, status, currency, quantity, unitAmountBefore, unitAmount } = row;
  const at = (instant: Row["effectiveAt"]) => (instant === null ? "" : time(instant, zone));
  const why = reasonText(row);
  return html`<tr>
<th scope="row">${customerLink(customer, request, id)}</th>
<td>${statusBadge("repriced", status)}${why === "" ? "" : html` <span class="note">${why}</span>`}</td>
<td class="number wide">${quantity}</td>
${moneyCell(unitAmountBefore, currency)}
${moneyCell(unitAmount, currency)}
<td>${at(row.effectiveAt)}</td>
${agreed ? html`<td class="wide">${at(row.consentedAt)}</td>` : ""}
${settled ? html`<td class="wide">${at(row.settledAt)}</td>` : ""}
</tr>`;
}

/** The Subscriptions that the price change has come to, by status. */
function listOf(request: DashboardRequest, { view, rows, address, next }: PageData): Html {
  const here = rowPath(PRICE_CHANGES, request, view.round);
  const chosen = address.filters["status"];
  const tab = (status: (typeof REPRICED_STATUSES)[number] | undefined) => ({
    href: here + (status === undefined ? "" : `?status=${status}`),
    label: status === undefined ? "All" : STATES.repriced[status][1],
    isCurrent: status === chosen,
  });
  const back = previousOf(address);
  const links = {
    previous: back === null ? null : here + queryOf(back),
    next: next === null ? null : here + queryOf(nextOf(address, next)),
  };
  const columns = {
    agreed: view.round.consent === "required",
    settled: rows.some(({ settledAt }) => settledAt !== null),
  };
  const list = rows.map((row) => rowOf(row, request, columns));
  return html`<h2>Subscriptions</h2>
${tabs("Status", [undefined, ...REPRICED_STATUSES].map(tab))}
${rows.length === 0 ? emptyState("There is no such Subscription.") : table("Subscriptions", headingsOf(columns), list)}
${pager(links)}`;
}

function page(request: DashboardRequest, pageData: PageData): Html {
  const { view, product } = pageData;
  const { round } = view;
  const zone = request.organization.timeZone;
  const here = rowPath(PRICE_CHANGES, request, round);
  const link = ([step, label]: ReturnType<typeof stepsOf>[number]) =>
    html`<a class="button small ${step === "withdraw" ? "danger" : "other"}" href="${here}/${step}">${label}</a>\n`;
  const steps = allows(request.role, "catalogue") ? stepsOf(round) : [];
  const actions = steps.length === 0 ? undefined : html`${steps.map(link)}`;
  const facts: Definition[] = [
    ["Status", statusBadge("priceChange", round.status)],
    ["Product", html`<a href="${rowPath(PRODUCTS, request, product)}/prices"><bdi>${product.name}</bdi></a>`],
    ...termsOf(round, zone),
    ["Begun", time(round.createdAt, zone)],
    ["Id", shownId(round.id)],
  ];
  const isWorking = round.syncAt !== null;
  const body = html`${definitions(facts)}
<h2>Progress</h2>
${definitions(progressOf(view))}
${isWorking ? lookAgain(ENGLISH, here, progressWord(round)) : ""}
${listOf(request, pageData)}`;
  const head = isWorking ? RELOAD : undefined;
  return PRICE_CHANGES.frame(request, `New prices: ${product.name}`, body, actions, undefined, head);
}

/** Changes with each batch and each step of a round. */
const progressWord = ({ version, syncCursor }: PriceChange): string => `${version} ${syncCursor ?? ""}`;

/** `/price-changes/{id}`: the progress of a price change, with its Subscriptions (rule N9). */
export const priceChangePage: Pages = (ctx, app, { signedIn }) => {
  app.get(
    `${ROOT}/price-changes/:priceChangeId/status`,
    signedIn("read", async (c, request) => c.text(progressWord(await rowAt(PRICE_CHANGES, c, request)))),
  );
  app.get(
    `${ROOT}/price-changes/:priceChangeId`,
    signedIn("read", async (c, request) => {
      const round = await rowAt(PRICE_CHANGES, c, request);
      const { organizationId, id, productId } = round;
      const given = readAddress({ prefix: "sub" }, new URL(c.req.url).searchParams);
      const status = REPRICED_STATUSES.find((each) => each === given.filters["status"]);
      const cursor = given.cursor !== null && isId("sub", given.cursor) ? given.cursor : null;
      const address = { ...given, filters: status === undefined ? {} : { status }, cursor };
      const query = { priceChangeId: id, limit: PER_PAGE, ...(status && { status }), ...(cursor && { cursor }) };
      const [view, product, found] = await Promise.all([
        viewOf(ctx.db.read, round),
        products.find(ctx.db.read, organizationId, productId),
        listRepriced(ctx.db.read, organizationId, query),
      ]);
      const { data, nextCursor: next } = presentPage(found, PER_PAGE, (row) => row);
      const rows = await withCustomers(ctx, organizationId, data);
      return c.html(page(request, { view, product: product!, rows, address, next }));
    }),
  );
};
