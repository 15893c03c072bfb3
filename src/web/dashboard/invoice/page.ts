import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { invoiceUrl } from "../../../actions/links.ts";
import type { CreditNote } from "../../../domain/model/refund.ts";
import type { Payment } from "../../../domain/model/payment.ts";
import { allows } from "../../../domain/team/role.ts";
import { isId } from "../../../ids.ts";
import { customers } from "../../../store/customers.ts";
import { invoices } from "../../../store/invoices.ts";
import { listPayments } from "../../../store/payments.ts";
import { customerStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { allowFrame } from "../../message-frame.ts";
import { id as shownId, money, moneyText, NONE, time } from "../components/cells.ts";
import { copyableLink } from "../components/copyable.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { emptyState } from "../components/empty-state.ts";
import { statusBadge } from "../components/status.ts";
import { invoiceContent, viewsOf, type InvoiceView } from "../customer/invoices.ts";
import type { CustomerPageData } from "../customer/part.ts";
import { paymentTable } from "../customer/payments.ts";
import type { Pages } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { customerLink, customerPath, nameOf } from "../lists/customer-cell.ts";
import { refundedBadge, withRefunded, type Refunded } from "../refunded-amount.ts";
import type { DashboardRequest } from "../request.ts";
import { table } from "../table.ts";
import { documentFrame, INVOICE_PAGE } from "./document.ts";
import { creditNotePath, invoicePath } from "./paths.ts";

/** The most attempts that the page shows. The list of payments has all. */
const MOST_PAYMENTS = 50;

type PageData = CustomerPageData & { view: InvoiceView; payments: readonly (Payment & Refunded)[] };

/** @throws HTTPException 404 unless the Organization has this invoice */
async function read(request: DashboardRequest, id: string): Promise<PageData> {
  const { ctx, organization, self } = request;
  const invoice = isId("inv", id) ? await invoices.find(ctx.db.read, organization.id, id) : null;
  if (!invoice) throw new HTTPException(404);
  const [customer, [view], found] = await Promise.all([
    customers.find(ctx.db.read, organization.id, invoice.customerId),
    viewsOf({ ctx, request }, [invoice]),
    listPayments(ctx.db.stale, organization.id, { invoiceId: id, limit: MOST_PAYMENTS }),
  ]);
  const payments = await withRefunded(ctx, organization.id, found.slice(0, MOST_PAYMENTS));
  const path = customerPath(self, invoice.customerId);
  return { ctx, request, customer: customer!, self: path, zone: organization.timeZone, view: view!, payments };
}

function factsOf({ request, customer, self, zone, view }: PageData): Definition[] {
  const { ctx, organization, role } = request;
  const { invoice } = view;
  const { id, status, currency, totalAmount, refundedAmount, subscriptionId, periodStart, periodEnd } = invoice;
  const url = invoiceUrl(ctx, { organizationId: organization.id, id });
  const period = periodStart !== null && periodEnd !== null;
  return [
    ["Status", html`${statusBadge("invoice", status)}${refundedBadge(refundedAmount, totalAmount)}`],
    ["Customer", customerLink(customer, request)],
    ["Total", money(totalAmount, currency)],
    ["Of which tax", money(invoice.taxAmount, currency)],
    ["Due", money(status === "open" ? invoice.amountDue : 0, currency)],
    ["Created", time(invoice.createdAt, zone)],
    ["Paid", invoice.paidAt === null ? NONE : time(invoice.paidAt, zone)],
    ...(invoice.voidedAt === null ? [] : [["Void since", time(invoice.voidedAt, zone)] satisfies Definition]),
    ["Period", period ? html`${time(periodStart, zone)} to ${time(periodEnd, zone)}` : NONE],
    ["Subscription", subscriptionId === null ? NONE : subscriptionLink(self, subscriptionId)],
    ...(allows(role, "customers") ? [["Page for the buyer", copyableLink(url, "link")] satisfies Definition] : []),
    ["Id", shownId(id)],
  ];
}

const subscriptionLink = (self: string, id: string): Html => html`<a href="${self}?at=${id}#${id}">${shownId(id)}</a>`;

function noteTable({ request, zone }: PageData, notes: readonly CreditNote[]): Html {
  const row = ({ id, number, createdAt, totalAmount, taxAmount, currency }: CreditNote) => html`<tr>
<th scope="row"><a href="${creditNotePath(request.self, id)}">${number}</a></th>
<td>${time(createdAt, zone)}</td>
<td class="number">${moneyText(taxAmount, currency)}</td>
<td class="number">${moneyText(totalAmount, currency)}</td></tr>`;
  const figure = (label: string) => ({ label, isNumber: true });
  return table("Credit notes", ["Number", "Created", figure("Tax"), figure("Total")], notes.map(row));
}

function draw(pageData: PageData): Html {
  const { ctx, request, self, customer, view, payments } = pageData;
  const { invoice, notes } = view;
  const here = invoicePath(request.self, invoice.id);
  const body = html`<p class="back"><a href="${self}">To <bdi>${nameOf(customer)}</bdi></a></p>
${definitions(factsOf(pageData))}
<h2 id="amounts">Amounts</h2>
<div class="inside">${invoiceContent(pageData, view)}</div>
<h2 id="payments">Payments</h2>
${payments.length === 0 ? emptyState("No card was charged for this invoice.") : paymentTable(pageData, payments)}
${notes.length === 0 ? "" : html`<h2 id="credit-notes">Credit notes</h2>${noteTable(pageData, notes)}`}
${documentFrame(here, `Invoice ${invoice.number}`)}`;
  const actions = html`<a class="button small other" href="${here}/pdf">PDF</a>`;
  const head = stylesheet(customerStylesPath(ctx));
  return dashboardPage(request, { section: "invoices", title: `Invoice ${invoice.number}`, head, body, actions });
}

/** `/dashboard/{organizationId}/invoices/{invoiceId}` */
export const invoicePage: Pages = (_, app, { signedIn }) => {
  app.get(
    INVOICE_PAGE,
    signedIn("read", async (c, request) => {
      const pageData = await read(request, c.req.param("invoiceId") ?? "");
      allowFrame(c);
      return c.html(draw(pageData));
    }),
  );
};
