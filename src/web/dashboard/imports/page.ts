import { html } from "hono/html";
import type { ImportRow } from "../../../domain/import/import.ts";
import { basePath, developersStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { filterBar } from "../components/filter-bar.ts";
import { pager } from "../components/pager.ts";
import { dashboardPage } from "../frame.ts";
import { customerLink, type OfCustomer } from "../lists/customer-cell.ts";
import type { DashboardRequest } from "../request.ts";
import { table } from "../table.ts";
import { amountText } from "./amount.ts";
import { IMPORTS, rowPath } from "./paths.ts";
import { fieldsOf, queryOf, type Asked } from "./query.ts";
import { accountsOf, sumsPart, type ReportSums } from "./sums.ts";
import { causeText, problemText, reasonText, stateOf } from "./words.ts";

export type ReportRow = ImportRow & OfCustomer;

/** `next`: the cursor of the next page; null: this page is the last one. */
export type ReportData = ReportSums & { asked: Asked; rows: readonly ReportRow[]; next: string | null };

const HEADINGS = [
  "Subscription",
  { label: "Customer", isWide: true },
  "State",
  { label: "Next charge there", isWide: true },
  { label: "Total there", isNumber: true, isWide: true },
  { label: "Total here", isNumber: true },
];

/** The reason of the state in a few words: an alarm first, then the reasons to stay. */
function noteOf({ causes, problem, reasons, state }: ImportRow): string {
  if (problem !== null) return problemText(problem);
  const blocked = state === "assessed" ? causes.map(causeText) : [];
  return [...reasons.map(reasonText), ...blocked].join(". ");
}

function rowOf(row: ReportRow, { self, organization }: DashboardRequest): Html {
  const { currency, customer, customerRef, expectedTotal, ownTotal, nextChargeAt, problem, ref } = row;
  const [tone, label] = stateOf(row);
  const note = noteOf(row);
  const buyer = customer === null ? html`<code class="id">${customerRef}</code>` : customerLink(customer, { self });
  const amount = (total: number | null) => (total === null ? "" : amountText(total, currency));
  const differs = ownTotal !== null && expectedTotal !== null && ownTotal !== expectedTotal;
  return html`<tr>
<th scope="row"><a href="${rowPath(self, row)}"><code class="id">${ref}</code></a></th>
<td class="wide">${buyer}</td>
<td>${badge(problem === null ? tone : "bad", label)}${note === "" ? "" : html` <span class="note">${note}</span>`}</td>
<td class="wide">${nextChargeAt === null ? "" : time(nextChargeAt, organization.timeZone)}</td>
<td class="number wide">${amount(expectedTotal)}</td>
<td class="number">${amount(ownTotal)}${differs ? html` <span class="note">Different</span>` : ""}</td>
</tr>`;
}

function listPart(request: DashboardRequest, { asked, rows, next, ...sums }: ReportData): Html {
  const here = request.self + IMPORTS;
  const accounts = [...new Set(accountsOf(sums).map(({ account }) => account))];
  const reasons = new Set(sums.reasons.map(({ reason }) => reason));
  const isFiltered = Object.keys(asked.filters).length > 0;
  const links = {
    previous: asked.cursor === null ? null : here + queryOf({ ...asked, cursor: null }),
    next: next === null ? null : here + queryOf({ ...asked, cursor: next }),
  };
  const none = isFiltered
    ? emptyState("No row fits these filters.", { href: here, label: "Show all" })
    : emptyState("There are no further rows.", { href: here, label: "To the first page" });
  return html`<h2>Subscriptions</h2>
${filterBar(here, fieldsOf(asked, accounts, reasons), isFiltered ? here : null)}
${
  rows.length === 0
    ? none
    : table(
        "Subscriptions",
        HEADINGS,
        rows.map((row) => rowOf(row, request)),
      )
}
${pager(links, { previous: "First page", next: "Next page" })}`;
}

const EMPTY = `There is no import yet. Subscriptions of Stripe Billing or of another system can move to Billow.
The operator of the server begins with a report, which changes no billing data.`;

/** The imports of an Organization: the steps with their sums, and the rows. */
export function reportPage(request: DashboardRequest, data: ReportData): Html {
  const { ctx, self } = request;
  const guide = `${basePath(ctx)}/docs/guides/move-from-stripe`;
  if (accountsOf(data).length === 0)
    return dashboardPage(request, {
      section: "imports",
      title: "Imports",
      body: emptyState(EMPTY, { href: guide, label: "Move from Stripe Billing" }),
    });
  const file = (kind: "csv" | "json") => `${self}${IMPORTS}.${kind}${queryOf({ ...data.asked, cursor: null })}`;
  const link = (kind: "csv" | "json", label: string) =>
    html`<a class="button small other" href="${file(kind)}" download>${label}</a>`;
  return dashboardPage(request, {
    section: "imports",
    title: "Imports",
    head: stylesheet(developersStylesPath(ctx)),
    lead: html`Subscriptions that come from another billing system. <a href="${guide}">The way of a move</a>`,
    actions: html`${link("csv", "Download CSV")}\n${link("json", "Download JSON")}`,
    body: html`${sumsPart(request, data)}
${listPart(request, data)}`,
  });
}
