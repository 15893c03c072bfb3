import { html } from "hono/html";
import type { Invoice, InvoiceLine } from "../../../domain/model/invoice.ts";
import type { Dispute } from "../../../domain/model/dispute.ts";
import type { CreditNote } from "../../../domain/model/refund.ts";
import { valueInWords } from "../../../domain/words.ts";
import { presentPage } from "../../../resources/page.ts";
import { returnsOfInvoices } from "../../../actions/invoice/returns.ts";
import type { Instant } from "../../../domain/calendar.ts";
import { NOTHING_BACK, type Back } from "../../../domain/model/invoice-returns.ts";
import { creditNotesOf } from "../../../store/credit-notes.ts";
import { disputesOf } from "../../../store/disputes.ts";
import { linesOfInvoices } from "../../../store/invoice-lines.ts";
import { listInvoices } from "../../../store/invoices.ts";
import { noticesOf } from "../../../store/repriced-subscriptions.ts";
import type { Html } from "../../layout.ts";
import { id as shownId, money, moneyText, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { statusBadge } from "../components/status.ts";
import { invoicePath } from "../invoice/paths.ts";
import { REASON_WORDS } from "../lists/invoices.ts";
import { ownValueLines } from "../own-values.ts";
import { explainedAmounts } from "./explanation.ts";
import { refundedBadge } from "../refunded-amount.ts";
import { invoiceActions } from "./money/links.ts";
import { listOf, type CustomerPageData } from "./part.ts";
import { refundEntry } from "./refunds.ts";

/** An invoice with all that its part of a page shows. */
export type InvoiceView = {
  invoice: Invoice;
  lines: readonly InvoiceLine[];
  back: Back;
  notes: readonly CreditNote[];
  disputes: readonly Dispute[];
  /** The notice of the new price that begins with the invoice's period; null: no new price begins. */
  noticedAt: Instant | null;
};

/** Facts about the invoice as a whole. */
function factsOf(
  { zone }: CustomerPageData,
  { heldReason, nextAttemptAt, paidOutside, paidAt, refundedAmount, ...rest }: Invoice,
) {
  const { currency, voidReason, paymentNote } = rest;
  return [
    html`Reason: ${REASON_WORDS[rest.reason]}.`,
    ...(paidAt === null ? [] : [html`Paid ${time(paidAt, zone)}${paidOutside ? ", outside of Billow" : ""}.`]),
    ...(heldReason === null ? [] : [`Held: the payment provider refuses the charge (${valueInWords(heldReason)}).`]),
    ...(nextAttemptAt === null ? [] : [html`The next attempt is on ${time(nextAttemptAt, zone)}.`]),
    ...(refundedAmount === 0 ? [] : [`Refunded in total: ${moneyText(refundedAmount, currency)}.`]),
    ...(paymentNote === null ? [] : [html`Reference: <bdi>${paymentNote}</bdi>`]),
    ...ownValueLines(rest.fieldAnswers),
    ...(voidReason === null ? [] : [html`Reason for voiding: <bdi>${voidReason}</bdi>`]),
  ].map((fact) => html`<p>${fact}</p>`);
}

/** Evidence goes to the payment provider, which also takes the acceptance of a dispute. */
function deadlineOf({ status, evidenceDueAt }: Dispute, zone: string): Html | "" {
  if ((status !== "open" && status !== "inquiry") || evidenceDueAt === null) return "";
  return html`Send evidence to the payment provider by ${time(evidenceDueAt, zone)}.`;
}

function disputeEntry({ zone }: CustomerPageData, dispute: Dispute): Html {
  const { id, amount, currency, status, reason, createdAt } = dispute;
  return html`<li id="${id}">Dispute about ${money(amount, currency)} (${valueInWords(reason)}),
${time(createdAt, zone)}: ${statusBadge("dispute", status)} ${deadlineOf(dispute, zone)} ${shownId(id)}</li>`;
}

/** The amounts of an invoice with their explanations, its facts, its refunds and disputes, and its actions. */
export function invoiceContent(pageData: CustomerPageData, view: InvoiceView): Html {
  const { invoice, lines, back: given, notes, disputes, noticedAt } = view;
  const back = [
    ...given.refunds.map((refund) =>
      refundEntry(
        pageData,
        refund,
        lines,
        notes.find(({ refundId }) => refundId === refund.id),
      ),
    ),
    ...disputes.map((dispute) => disputeEntry(pageData, dispute)),
  ];
  return html`${explainedAmounts(invoice, lines, pageData.zone, noticedAt)}
${factsOf(pageData, invoice)}
${back.length === 0 ? "" : html`<ul class="facts">${back}</ul>`}
${invoiceActions(pageData, { invoice, lines, back: given })}`;
}

// The id is within the part that folds: a link to an invoice then also unfolds the invoice.
function entry(pageData: CustomerPageData, view: InvoiceView): Html {
  const { id, number, status, createdAt, totalAmount, amountDue, refundedAmount, currency } = view.invoice;
  const due = amountDue === totalAmount ? "" : html` <span class="note">${moneyText(amountDue, currency)} due</span>`;
  return html`<li><details class="unfold">
<summary><b>${number}</b> ${statusBadge("invoice", status)}${refundedBadge(refundedAmount, totalAmount)}
${time(createdAt, pageData.zone)}
<span class="sum">${money(totalAmount, currency)}${due}</span></summary>
<div class="inside" id="${id}">
${invoiceContent(pageData, view)}
<p><a href="${invoicePath(pageData.request.self, id)}">Document and payments of invoice ${number}</a></p>
<p>${shownId(id)}</p>
</div>
</details></li>`;
}

/** Invoices of a Customer, with all that their parts of a page show. */
export async function viewsOf(
  { ctx, request }: Pick<CustomerPageData, "ctx" | "request">,
  invoices: readonly Invoice[],
): Promise<InvoiceView[]> {
  const { stale } = ctx.db;
  const { id: organizationId } = request.organization;
  const ids = invoices.map(({ id }) => id);
  const [lines, back, notes, disputes, notices] = await Promise.all([
    linesOfInvoices(stale, organizationId, ids),
    returnsOfInvoices(stale, organizationId, ids),
    creditNotesOf(stale, organizationId, ...ids),
    disputesOf(stale, organizationId, ...ids),
    noticesOf(stale, organizationId, ids),
  ]);
  return invoices.map((invoice) => ({
    invoice,
    lines: lines.get(invoice.id) ?? [],
    back: back.get(invoice.id) ?? NOTHING_BACK,
    notes: notes.filter(({ invoiceId }) => invoiceId === invoice.id),
    disputes: disputes.filter(({ invoiceId }) => invoiceId === invoice.id),
    noticedAt: notices.get(invoice.id) ?? null,
  }));
}

/** The invoices of a Customer, newest first, with their refunds and disputes. Every amount unfolds its explanation. */
export const invoiceList = listOf<InvoiceView[]>({
  name: "invoices",
  title: "Invoices",
  cursor: "inv",
  few: 10,
  older: "Older invoices",
  async read(pageData, wanted) {
    const { ctx, request, customer } = pageData;
    const rows = await listInvoices(ctx.db.stale, request.organization.id, { ...wanted, customerId: customer.id });
    const { data: shown, nextCursor: next } = presentPage(rows, wanted.limit, (invoice) => invoice);
    return { ids: shown.map(({ id }) => id), next, data: await viewsOf(pageData, shown) };
  },
  draw(pageData, invoices) {
    if (invoices.length === 0)
      return emptyState("There is no invoice yet. The first purchase creates the first invoice.");
    return html`<ul class="invoices">${invoices.map((each) => entry(pageData, each))}</ul>`;
  },
});
