import type { Account } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import { addCredit } from "../balance/add.ts";
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
export function payInvoice(account: Account, { invoice, lines }: Bill, at: Instant): Bill {
  post(account, "invoice_paid", invoice.id, invoice.currency, paid(invoice), at);
  return { invoice: recordInvoice(account, settled(invoice, at), lines, "invoice.paid", at), lines };
}

/** Marks an invoice as paid without a payment provider; there is no payment for it. */
export function payInvoiceOutside(account: Account, { invoice, lines }: Bill, note: string | null, at: Instant): Bill {
  post(account, "invoice_paid_outside", invoice.id, invoice.currency, paidOutside(invoice), at);
  const next: Invoice = { ...settled(invoice, at), paidOutside: true, paymentNote: note };
  return { invoice: recordInvoice(account, next, lines, "invoice.paid", at), lines };
}

/** Voids an invoice: it is no longer to be paid, and the part that the balance had settled goes back (rule S5). */
export function voidInvoice(
  account: Account,
  { invoice, lines }: Bill,
  at: Instant,
  reason: string | null = null,
): Bill {
  const { id: invoiceId, currency, subscriptionId } = invoice;
  post(account, "invoice_voided", invoiceId, currency, voided(invoice), at);
  returnBalance(account, invoice, { currency, reason: "invoice_voided", invoiceId, createdAt: at });
  if (subscriptionId !== null) recordWaitingCopies(account, subscriptionId, linesThatWaitAgain(lines));
  const next: Invoice = { ...invoice, status: "void", ...NOT_TRIED, voidedAt: at, voidReason: reason };
  return { invoice: recordInvoice(account, next, lines, "invoice.voided", at), lines };
}

/**
 * Keeps copies of a void invoice's lines for the next invoice. If a credit names another of these lines, the credit's
 * copy names that line's copy.
 */
function recordWaitingCopies(account: Account, subscriptionId: string, lines: readonly InvoiceLine[]): void {
  const kept = new Map<string, string>();
  for (const [position, line] of lines.entries()) {
    const creditedLineId = line.creditedLineId && (kept.get(line.creditedLineId) ?? line.creditedLineId);
    const again = newLine(account, { ...line, creditedLineId }, { subscriptionId, invoiceId: null, position });
    kept.set(line.id, again.id);
    account.lines.put({ ...again, sources: line.sources });
  }
}

/** Money that arrived for a void invoice goes to the balance in full (rule S5). */
export function bankUnapplied(
  account: Account,
  invoice: Invoice,
  paymentId: string,
  amount: number,
  at: Instant,
): void {
  const { id: invoiceId, currency } = invoice;
  post(account, "unapplied_payment", paymentId, currency, unapplied(amount), at);
  const movement = { currency, reason: "unapplied_payment", invoiceId, createdAt: at } as const;
  addCredit(account, movement, [{ ...paidBy(paymentId), creditedLineId: null, amount }]);
}
