import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import { addCredit } from "../balance/move.ts";
import { revokePurchaseGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { creditNoteNumber } from "../model/customer.ts";
import { type Bill, readBill } from "../invoice/bills.ts";
import { returnsOf } from "../invoice/returns.ts";
import { refunded } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { creditNoteOf, soldBack, type Refund, type FreedPart } from "../model/refund.ts";
import { without } from "../model/credit-source.ts";
import type { InvoiceLine } from "../model/invoice.ts";
import { freedLateBy } from "../model/refund-share.ts";

/**
 * Frees credit of an invoice: the lines that this credit came from get it back (rule I3g). If the invoice of such a
 * line was refunded itself, its own credit is freed in turn. Returns the changed lines.
 */
function freeCredit(
  billing: CustomerBilling,
  lines: readonly InvoiceLine[],
  freed: readonly FreedPart[],
): InvoiceLine[] {
  const changed = lines.map((line) => {
    const own = freed.filter(({ lineId }) => lineId === line.id);
    if (own.length === 0) return line;
    const next = { ...line, sources: without(line.sources ?? [], own) };
    billing.lines.put(next);
    return next;
  });
  const credited = changed.filter(
    ({ id, creditedLineId }) => creditedLineId && freed.some(({ lineId }) => lineId === id),
  );
  for (const { creditedLineId } of credited) freeLate(billing, creditedLineId!);
  return changed;
}

/** Frees the credit that earlier refunds of a line's invoice could not free yet. */
function freeLate(billing: CustomerBilling, lineId: string): void {
  billing.need({ part: "credited", lineId });
  const invoiceId = billing.lines.get(lineId)?.invoiceId;
  const bill = invoiceId ? readBill(billing, invoiceId) : null;
  if (!bill || bill.invoice.status !== "paid") return;
  const late = freedLateBy({ ...bill, back: returnsOf(billing, bill.invoice.id) });
  if (late.length > 0) freeCredit(billing, bill.lines, late);
}

/**
 * Applies a successful refund: credit note, refunded amount of the invoice, ledger, balance and grants (rule I3). A
 * payout of credit is posted alone, because no sale is given back (rule I7d).
 */
export function applyRefund(billing: CustomerBilling, bill: Bill | null, refund: Refund, at: Instant): void {
  const { currency, id: refundId, invoiceId } = refund;
  post(billing, "refund", refundId, currency, refunded(refund), at);
  if (!bill || invoiceId === null) return;
  const { invoice } = bill;
  const lines = freeCredit(billing, bill.lines, refund.freed);
  if (refund.creditNoteId !== null) issueCreditNote(billing, bill, refund, refund.creditNoteId, at);
  const movement = { currency, reason: "refund", invoiceId, refundId, createdAt: at } as const;
  addCredit(billing, movement, refund.sources);
  const next = { ...invoice, refundedAmount: invoice.refundedAmount + soldBack(refund) };
  recordInvoice(billing, next, lines, "invoice.refunded", at, null, returnsOf(billing, invoiceId));
  if (refund.revokeGrants) revokePurchaseGrants(billing, invoiceId, "refunded", at);
}

/**
 * The credit note takes its number in the transaction of the refund's success, so that no number is missing. Its
 * seller and buyer are the invoice's.
 */
function issueCreditNote(
  billing: Pick<CustomerBilling, "creditNotes" | "customer" | "numbers" | "organization">,
  { invoice, lines }: Bill,
  refund: Refund,
  id: string,
  at: Instant,
): void {
  const { organization, customer, numbers } = billing;
  numbers.creditNote += 1;
  billing.creditNotes.put({
    organizationId: organization.id,
    id,
    number: creditNoteNumber(organization.invoicePrefix, customer.id, numbers.creditNote),
    customerId: customer.id,
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    refundId: refund.id,
    currency: refund.currency,
    locale: invoice.locale,
    ...creditNoteOf(refund.lines, lines),
    seller: invoice.seller,
    buyer: invoice.buyer,
    createdAt: at,
  });
}
