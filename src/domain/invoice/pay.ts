import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import { addCredit } from "../balance/move.ts";
import { paidBy } from "../model/credit-source.ts";
import { returnBalance } from "../balance/use.ts";
import type { Instant } from "../calendar.ts";
import { linesThatWaitAgain, type Invoice, type InvoiceLine } from "../model/invoice.ts";
import { paid, paidOutside, unapplied, voided } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { newLine, type Bill } from "./bills.ts";

/** A settled invoice is neither tried again nor held. */
const NOT_TRIED = { nextAttemptAt: null, heldReason: null } as const;

function settled(invoice: Invoice, at: Instant): Invoice {
  return { ...invoice, status: "paid", amountPaid: invoice.amountDue, ...NOT_TRIED, paidAt: at };
}

/** Marks an invoice as paid: its amount due was taken, or is 0 (rule S3). */
export function payInvoice(billing: CustomerBilling, { invoice, lines }: Bill, at: Instant): Bill {
  post(billing, "invoice_paid", invoice.id, invoice.currency, paid(invoice), at);
  return { invoice: recordInvoice(billing, settled(invoice, at), lines, "invoice.paid", at), lines };
}

/** Marks an invoice as paid without a payment provider; there is no payment for it. */
export function payInvoiceOutside(
  billing: CustomerBilling,
  { invoice, lines }: Bill,
  note: string | null,
  at: Instant,
): Bill {
  post(billing, "invoice_paid_outside", invoice.id, invoice.currency, paidOutside(invoice), at);
  const next: Invoice = { ...settled(invoice, at), paidOutside: true, paymentNote: note };
  return { invoice: recordInvoice(billing, next, lines, "invoice.paid", at), lines };
}

/** Voids an invoice: it is no longer to be paid, and the part that the balance had settled goes back (rule S5). */
export function voidInvoice(
  billing: CustomerBilling,
  { invoice, lines }: Bill,
  at: Instant,
  reason: string | null = null,
): Bill {
  const { id: invoiceId, currency, subscriptionId } = invoice;
  post(billing, "invoice_voided", invoiceId, currency, voided(invoice), at);
  returnBalance(billing, invoice, { currency, reason: "invoice_voided", invoiceId, createdAt: at });
  if (subscriptionId !== null) recordWaitingCopies(billing, subscriptionId, linesThatWaitAgain(lines));
  const next: Invoice = { ...invoice, status: "void", ...NOT_TRIED, voidedAt: at, voidReason: reason };
  return { invoice: recordInvoice(billing, next, lines, "invoice.voided", at), lines };
}

/**
 * Records copies of a void invoice's lines for the next invoice. If a credit names another of these lines, the credit's
 * copy names that line's copy.
 */
function recordWaitingCopies(
  billing: Pick<CustomerBilling, "lines" | "organization">,
  subscriptionId: string,
  lines: readonly InvoiceLine[],
): void {
  const copies = new Map<string, string>();
  for (const [position, line] of lines.entries()) {
    const creditedLineId = line.creditedLineId && (copies.get(line.creditedLineId) ?? line.creditedLineId);
    const again = newLine(billing, { ...line, creditedLineId }, { subscriptionId, invoiceId: null, position });
    copies.set(line.id, again.id);
    billing.lines.put({ ...again, sources: line.sources });
  }
}

/** Money that arrived for a void invoice goes to the balance in full (rule S5). */
export function bankUnapplied(
  billing: CustomerBilling,
  invoice: Invoice,
  paymentId: string,
  amount: number,
  at: Instant,
): void {
  const { id: invoiceId, currency } = invoice;
  post(billing, "unapplied_payment", paymentId, currency, unapplied(amount), at);
  const movement = { currency, reason: "unapplied_payment", invoiceId, createdAt: at } as const;
  addCredit(billing, movement, [{ ...paidBy(paymentId), creditedLineId: null, amount }]);
}
