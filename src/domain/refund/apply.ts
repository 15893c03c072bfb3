import type { Account } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import { addCredit } from "../balance/add.ts";
import { revokePurchaseGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { creditNoteNumber } from "../model/customer.ts";
import type { Bill } from "../invoice/bills.ts";
import { returnsOf } from "../invoice/returns.ts";
import { refunded } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { freeCredit } from "./free.ts";
import { creditNoteOf, soldBack, type Refund } from "../model/refund.ts";

/**
 * Applies a successful refund: credit note, refunded amount of the invoice, ledger, balance and grants (rule I3). A
 * payout of credit is posted alone, because no sale is given back (rule I7d).
 */
export function applyRefund(account: Account, bill: Bill | null, refund: Refund, at: Instant): void {
  const { currency, id: refundId, invoiceId } = refund;
  post(account, "refund", refundId, currency, refunded(refund), at);
  if (!bill || invoiceId === null) return;
  const { invoice } = bill;
  const lines = freeCredit(account, bill.lines, refund.freed);
  if (refund.creditNoteId !== null) issueCreditNote(account, bill, refund, refund.creditNoteId, at);
  const movement = { currency, reason: "refund", invoiceId, refundId, createdAt: at } as const;
  addCredit(account, movement, refund.sources);
  const next = { ...invoice, refundedAmount: invoice.refundedAmount + soldBack(refund) };
  recordInvoice(account, next, lines, "invoice.refunded", at, null, returnsOf(account, invoiceId));
  if (refund.revokeGrants) revokePurchaseGrants(account, invoiceId, "refunded", at);
}

/**
 * The credit note takes its number in the transaction of the refund's success, so that no number is missing. Its
 * seller and buyer are the invoice's.
 */
function issueCreditNote(account: Account, { invoice, lines }: Bill, refund: Refund, id: string, at: Instant): void {
  const { organization, customer, numbers } = account;
  numbers.creditNote += 1;
  account.creditNotes.put({
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
