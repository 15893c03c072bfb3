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
import { REASON_WORDS } from "../lists/invoices.ts";
import { explainedAmounts } from "./explanation.ts";
import { refundedBadge } from "../refunded-amount.ts";
import { invoiceActions } from "./money/links.ts";
import { listOf, type CustomerPageData } from "./part.ts";
import { refundEntry } from "./refunds.ts";

type InvoiceView = {
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

// The id is within the part that folds: a link to an invoice then also unfolds the invoice.
function entry(
  pageData: CustomerPageData,
  { invoice, lines, back: given, notes, disputes, noticedAt }: InvoiceView,
): Html {
  const { id, number, status, createdAt, totalAmount, amountDue, refundedAmount, currency } = invoice;
  const due = amountDue === totalAmount ? "" : html` <span class="note">${moneyText(amountDue, currency)} due</span>`;
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
  return html`<li><details class="unfold">
<summary><b>${number}</b> ${statusBadge("invoice", status)}${refundedBadge(refundedAmount, totalAmount)}
${time(createdAt, pageData.zone)}
<span class="sum">${money(totalAmount, currency)}${due}</span></summary>
<div class="inside" id="${id}">
${explainedAmounts(invoice, lines, pageData.zone, noticedAt)}
${factsOf(pageData, invoice)}
${back.length === 0 ? "" : html`<ul class="facts">${back}</ul>`}
${invoiceActions(pageData, { invoice, lines, back: given })}
<p>${shownId(id)}</p>
</div>
</details></li>`;
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
    const { stale } = ctx.db;
    const rows = await listInvoices(stale, request.organization.id, { ...wanted, customerId: customer.id });
    const ids = rows.slice(0, wanted.limit).map(({ id }) => id);
    const [lines, back, notes, disputes, notices] = await Promise.all([
      linesOfInvoices(stale, request.organization.id, ids),
      returnsOfInvoices(stale, request.organization.id, ids),
      creditNotesOf(stale, request.organization.id, ...ids),
      disputesOf(stale, request.organization.id, ...ids),
      noticesOf(stale, request.organization.id, ids),
    ]);
    const { data, nextCursor: next } = presentPage(rows, wanted.limit, (invoice) => ({
      invoice,
      lines: lines.get(invoice.id) ?? [],
      back: back.get(invoice.id) ?? NOTHING_BACK,
      notes: notes.filter(({ invoiceId }) => invoiceId === invoice.id),
      disputes: disputes.filter(({ invoiceId }) => invoiceId === invoice.id),
      noticedAt: notices.get(invoice.id) ?? null,
    }));
    return { ids, next, data };
  },
  draw(pageData, invoices) {
    if (invoices.length === 0)
      return emptyState("There is no invoice yet. The first purchase creates the first invoice.");
    return html`<ul class="invoices">${invoices.map((each) => entry(pageData, each))}</ul>`;
  },
});
