import { html } from "hono/html";
import { cardName } from "../../../domain/model/card-name.ts";
import { triggerOf, type Payment } from "../../../domain/model/payment.ts";
import { valueInWords } from "../../../domain/words.ts";
import { presentPage } from "../../../resources/page.ts";
import { listPayments } from "../../../store/payments.ts";
import type { Html } from "../../layout.ts";
import { id as shownId, moneyText, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { statusBadge } from "../components/status.ts";
import { invoicePath } from "../invoice/paths.ts";
import { TRIGGER_WORDS } from "../lists/payments.ts";
import { refundedBadge, refundLink, withRefunded, type Refunded } from "../refunded-amount.ts";
import { table } from "../table.ts";
import { listOf, type CustomerPageData } from "./part.ts";

function row({ request, zone }: CustomerPageData, payment: Payment & Refunded): Html {
  const { id, createdAt, amount, currency, method, status, failureCode, invoiceId, refunded } = payment;
  const why = status === "failed" && failureCode !== null ? valueInWords(failureCode) : "";
  return html`<tr id="${id}">
<th scope="row">${moneyText(amount, currency)}</th>
<td>${statusBadge("payment", status)}${refundedBadge(refunded, amount)} <span class="note">${why}</span>
${refundLink(request, payment)}</td>
<td>${time(createdAt, zone)}</td>
<td class="wide">${method === null ? "" : cardName(method)}</td>
<td class="wide">${TRIGGER_WORDS[triggerOf(payment)]}</td>
<td class="wide">${invoiceId === null ? "" : html`<a href="${invoicePath(request.self, invoiceId)}">Invoice</a>`}</td>
<td class="wide">${shownId(id)}</td>
</tr>`;
}

const wide = (label: string) => ({ label, isWide: true });
const HEADINGS = ["Amount", "Outcome", "Time", wide("Card"), wide("Reason"), wide("For"), wide("Id")];

export const paymentTable = (pageData: CustomerPageData, payments: readonly (Payment & Refunded)[]): Html =>
  table(
    "Payments",
    HEADINGS,
    payments.map((payment) => row(pageData, payment)),
  );

/** The charges of a Customer, newest first, failed ones included. */
export const paymentList = listOf<(Payment & Refunded)[]>({
  name: "payments",
  title: "Payments",
  cursor: "pay",
  few: 10,
  older: "Older payments",
  async read(pageData, wanted) {
    const { ctx, request, customer } = pageData;
    const { id } = request.organization;
    const found = await listPayments(ctx.db.stale, id, { ...wanted, customerId: customer.id });
    const rows = await withRefunded(ctx, id, found);
    const { data, nextCursor: next } = presentPage(rows, wanted.limit, (payment) => payment);
    return { ids: data.map((payment) => payment.id), next, data };
  },
  draw(pageData, payments) {
    if (payments.length === 0) return emptyState("There is no charge yet. Each attempt to charge a card appears here.");
    return paymentTable(pageData, payments);
  },
});
