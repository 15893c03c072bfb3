import { html } from "hono/html";
import type { Back } from "../../../../domain/model/invoice-returns.ts";
import type { Invoice, InvoiceLine } from "../../../../domain/model/invoice.ts";
import { refundableOf } from "../../../../domain/model/refundable-amount.ts";
import { isStanding } from "../../../../domain/model/refund.ts";
import { allows, refundLimitOf } from "../../../../domain/team/role.ts";
import type { Html } from "../../../layout.ts";
import type { CustomerPageData } from "../part.ts";

type Billed = { invoice: Invoice; lines: readonly InvoiceLine[]; back: Back };

/** Whether a part of a paid invoice can be given back, also credit of it that is on the balance. */
function hasRefundable({ invoice, lines, back }: Billed): boolean {
  const { toCard, toBalance } = refundableOf({ invoice, lines, back });
  const toCards = back.refunds.filter((refund) => refund.paymentId !== null && isStanding(refund));
  const given = toCards.reduce((sum, { amount }) => sum + amount, back.disputed);
  const hasCredit = back.credits.length > 0 || back.refunds.length > toCards.length;
  return toCard > 0 || toBalance > 0 || (back.paymentId !== null && hasCredit && given < invoice.amountPaid);
}

function mayRefund({ request }: CustomerPageData, billed: Billed): boolean {
  const { role, organization } = request;
  const { status, currency } = billed.invoice;
  if (status !== "paid" || !allows(role, "refunds")) return false;
  return refundLimitOf(role, organization, currency) !== 0 && hasRefundable(billed);
}

/** Links to the operations that the person may do on an invoice in its present state. */
export function invoiceActions(pageData: CustomerPageData, billed: Billed): Html | "" {
  const { id, number, status } = billed.invoice;
  const link = (
    name: string,
    label: string,
  ) => html`<a class="button small other" href="${pageData.self}/invoices/${id}/${name}">
${label}<span class="hidden"> invoice ${number}</span></a>`;
  const links = [
    ...(mayRefund(pageData, billed) ? [link("refund", "Refund")] : []),
    ...(status === "open" && allows(pageData.request.role, "money")
      ? [link("charge", "Charge now"), link("mark-paid", "Mark as paid"), link("void", "Void")]
      : []),
  ];
  return links.length === 0 ? "" : html`<p class="actions">${links}</p>`;
}
