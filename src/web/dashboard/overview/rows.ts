import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import { netOf, type Revenue } from "../../../domain/metrics/series.ts";
import type {
  ListedMovement,
  ProductRevenue,
  RecoveredInvoice,
  RevenueSource,
  SubscriptionMrr,
} from "../../../store/metric-reads.ts";
import { allows } from "../../../domain/team/role.ts";
import { metricsStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { moneyCell, moneyText, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { pager } from "../components/pager.ts";
import { tabs } from "../components/tabs.ts";
import { dashboardPage } from "../frame.ts";
import { customerLink, customerPath, type OfCustomer } from "../lists/customer-cell.ts";
import { table } from "../table.ts";
import type { DashboardRequest } from "../request.ts";
import { COUNTED_STATUSES, type CountedStatus } from "../../../domain/metrics/day.ts";
import { MOVEMENT_KINDS, type MovementKind } from "../../../domain/metrics/movement.ts";
import { queryOf, type AskedFigures } from "./query.ts";
import { countingHint } from "./count-progress.ts";
import { dateText, KIND_NAMES, spanText, STATUS_NAMES } from "./names.ts";

/** `next`: the address of the next page. */
type Rows<Row> = { request: DashboardRequest; asked: AskedFigures; rows: readonly Row[]; next: string | null };
/** Rows that follow from counted events. `isComplete`: whether all events are counted. */
type CountedRows<Row> = Rows<Row> & { isComplete: boolean };

const back = ({ request: { self } }: Rows<unknown>) => html`<p><a href="${self}">Back to the overview</a></p>`;

/** The Customer of a row, and the id of the row's resource. Both lead to the resource on the page of the Customer. */
const ofCustomer = (
  request: DashboardRequest,
  { customer, customerId }: OfCustomer & { customerId: string },
  part: string,
) => html`
<td>${customerLink(customer, request, part)}</td>
<td class="wide"><a href="${customerPath(request.self, customerId, part)}"><code class="id">${part}</code></a></td>`;
const RESOURCE = { label: "Id", isWide: true };

function page<Row>(
  ctx: Context,
  shown: Rows<Row>,
  { title, lead, body }: Record<"title" | "lead", string> & { body: Html },
) {
  const head = stylesheet(metricsStylesPath(ctx));
  const whole = html`${body}
${pager({ previous: null, next: shown.next })}
${back(shown)}`;
  return dashboardPage(shown.request, { section: "overview", title, body: whole, head, lead });
}

/** Changes of MRR, by day. */
export function movementsPage(
  ctx: Context,
  shown: CountedRows<ListedMovement & OfCustomer> & { kind: MovementKind | null },
): Html {
  const { request, asked, rows, kind } = shown;
  const { from, to, currency } = asked;
  const address = (each: MovementKind | null) =>
    `${request.self}/metrics/movements${queryOf({ currency, from, to, kind: each })}`;
  const choice = tabs("Kind of change", [
    { href: address(null), label: "All", isCurrent: kind === null },
    ...MOVEMENT_KINDS.map((each) => ({ href: address(each), label: KIND_NAMES[each], isCurrent: each === kind })),
  ]);
  const row = (each: ListedMovement & OfCustomer) => html`<tr>
<th scope="row">${dateText(each.day)}</th>
<td>${KIND_NAMES[each.kind]}</td>
${ofCustomer(request, each, each.subscriptionId)}
${moneyCell(each.amount, currency)}
</tr>`;
  const headings = ["Day", "Change", "Customer", RESOURCE, { label: "MRR", isNumber: true }];
  const list =
    rows.length === 0
      ? emptyState("No MRR changed in this period. Purchases, ends and changes of plans appear here.")
      : table("Changes of MRR", headings, rows.map(row));
  return page(ctx, shown, {
    title: "Changes of MRR",
    lead: `${spanText(from, to)}, in ${currency.toUpperCase()}.`,
    body: html`${countingHint(shown.isComplete)}${choice}${list}`,
  });
}

/** Subscriptions with their MRR. */
function mrrTable<Row extends SubscriptionMrr & OfCustomer>(
  caption: string,
  { request, asked, rows }: Rows<Row>,
): Html {
  const row = (each: Row) => html`<tr>
${ofCustomer(request, each, each.subscriptionId)}
${moneyCell(each.mrr, asked.currency)}
</tr>`;
  return table(caption, ["Customer", RESOURCE, { label: "MRR", isNumber: true }], rows.map(row));
}

/** The Subscriptions that make the MRR at the end of a day. */
export function mrrPage(ctx: Context, shown: CountedRows<SubscriptionMrr & OfCustomer>): Html {
  const { asked, rows } = shown;
  const list =
    rows.length === 0
      ? emptyState("No Subscription had MRR at the end of this day.")
      : mrrTable("MRR by Subscription", shown);
  return page(ctx, shown, {
    title: "MRR by Subscription",
    lead: `At the end of ${dateText(asked.to)}, in ${asked.currency.toUpperCase()}.`,
    body: html`${countingHint(shown.isComplete)}${list}`,
  });
}

const LEADS: Record<CountedStatus, string> = {
  active: "Active at the end of",
  trialing: "Trialing at the end of",
  past_due: "Past due at the end of",
  paused: "Paused at the end of",
};

/** The Subscriptions with a status at the end of a day, and their MRR then. */
export function subscriptionsPage(
  ctx: Context,
  shown: CountedRows<SubscriptionMrr & OfCustomer> & { status: CountedStatus },
): Html {
  const { request, asked, rows, status } = shown;
  const { to, currency } = asked;
  const address = (each: CountedStatus) =>
    `${request.self}/metrics/subscriptions${queryOf({ currency, to, status: each })}`;
  const choice = tabs(
    "Status",
    COUNTED_STATUSES.map((each) => ({ href: address(each), label: STATUS_NAMES[each], isCurrent: each === status })),
  );
  const list =
    rows.length === 0
      ? emptyState("No Subscription had this status at the end of this day.")
      : mrrTable("Subscriptions", shown);
  return page(ctx, shown, {
    title: "Subscriptions by status",
    lead: `${LEADS[status]} ${dateText(to)}, in ${currency.toUpperCase()}.`,
    body: html`${countingHint(shown.isComplete)}${choice}${list}`,
  });
}

const SOURCE_NAMES: Record<RevenueSource["kind"], string> = {
  invoice_issued: "Invoice",
  invoice_voided: "Void invoice",
  refund: "Refund",
};

const MONEY_HEADINGS = ["Sales", "Refunds", "Tax", "Net revenue"].map((label) => ({ label, isNumber: true }));

const revenueCells = (of: Pick<Revenue, "sales" | "refunds" | "tax">, currency: string) => {
  const net = netOf({ ...of, recovered: 0, recoveredPayments: 0 });
  return [of.sales, of.refunds, of.tax, net].map((amount) => moneyCell(amount, currency));
};

/** The revenue by Product, and the invoices and refunds behind it. */
export function revenuePage(
  ctx: Context,
  shown: Rows<RevenueSource & OfCustomer> & { products: readonly ProductRevenue[] },
): Html {
  const { request, asked, rows, products } = shown;
  const { from, to, currency } = asked;
  const product = (each: ProductRevenue) => html`<tr>
<th scope="row"><bdi>${each.productName}</bdi></th>
${revenueCells(each, currency)}
</tr>`;
  const source = (each: RevenueSource & OfCustomer) => html`<tr>
<th scope="row">${time(each.at, request.organization.timeZone)}</th>
<td>${SOURCE_NAMES[each.kind]}</td>
${ofCustomer(request, each, each.sourceId)}
${revenueCells(each, currency)}
</tr>`;
  const csv = `${request.self}/metrics/revenue.csv${queryOf({ currency, from, to })}`;
  const download = allows(request.role, "exports")
    ? html`<p><a href="${csv}" download>Download the revenue by Product as CSV</a></p>`
    : "";
  const body =
    rows.length === 0
      ? emptyState("No invoice was created and no refund succeeded in this period.")
      : html`<h2>By Product</h2>
${table("Revenue by Product", ["Product", ...MONEY_HEADINGS], products.map(product))}
${download}
<h2>Invoices and refunds</h2>
${table("Invoices and refunds", ["Time", "Kind", "Customer", RESOURCE, ...MONEY_HEADINGS], rows.map(source))}`;
  return page(ctx, shown, {
    title: "Revenue",
    lead:
      `${spanText(from, to)}, in ${currency.toUpperCase()}, by the ledger. Sales and refunds are with tax. ` +
      "Net revenue is sales less refunds and tax. An unpaid invoice counts, too.",
    body,
  });
}

/** Payments of invoices of which an earlier charge had failed. */
export function recoveredPage(ctx: Context, shown: Rows<RecoveredInvoice & OfCustomer>): Html {
  const { request, asked, rows } = shown;
  const { from, to, currency } = asked;
  const row = ({ at, invoiceId, number, customer, customerId, amount }: RecoveredInvoice & OfCustomer) => html`<tr>
<th scope="row">${time(at, request.organization.timeZone)}</th>
<td>${customerLink(customer, request, invoiceId)}</td>
<td class="wide"><a href="${customerPath(request.self, customerId, invoiceId)}">${number}</a></td>
${moneyCell(amount, currency)}
</tr>`;
  const list =
    rows.length === 0
      ? emptyState(
          "No failed payment was recovered in this period. A retry or a new card can recover a failed payment.",
        )
      : table(
          "Recovered payments",
          ["Time", "Customer", { label: "Invoice", isWide: true }, { label: "Paid", isNumber: true }],
          rows.map(row),
        );
  return page(ctx, shown, {
    title: "Recovered payments",
    lead: `${spanText(from, to)}: invoices that were paid after a failed charge, ${moneyText(
      rows.reduce((sum, { amount }) => sum + amount, 0),
      currency,
    )} on this page.`,
    body: list,
  });
}
