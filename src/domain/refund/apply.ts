import type { Account } from "../account/account.ts";
import { recordInvoice } from "../account/record.ts";
import { moveBalance } from "../balance/move.ts";
import { revokePurchaseGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { creditNoteNumber } from "../customer/customer.ts";
import type { Bill } from "../invoice/bills.ts";
import { givenBackOf } from "../invoice/given-back.ts";
import { refunded } from "../ledger/ledger.ts";
import { post } from "../ledger/post.ts";
import { creditNoteOf, type Refund } from "./refund.ts";

/** Applies a successful refund: credit note, refunded amount of the invoice, ledger, balance and grants (rule I3). */
export function applyRefund(account: Account, { invoice, lines }: Bill, refund: Refund, at: Instant): void {
  issueCreditNote(account, { invoice, lines }, refund, at);
  const { currency, amount, invoiceId } = refund;
  post(account, "refund", refund.id, currency, refunded(refund), at);
  if (refund.to === "balance") moveBalance(account, { currency, amount, reason: "refund", invoiceId, createdAt: at });
  const next = { ...invoice, refundedAmount: invoice.refundedAmount + amount };
  recordInvoice(account, next, lines, "invoice.refunded", at, null, givenBackOf(account, invoiceId));
  if (refund.revokeGrants) revokePurchaseGrants(account, invoiceId, "refunded", at);
}

/**
 * The credit note takes its number in the transaction of the refund's success, so that no number is missing. Its
 * seller and buyer are the invoice's.
 */
function issueCreditNote(account: Account, { invoice, lines }: Bill, refund: Refund, at: Instant): void {
  const { organization, customer, numbers } = account;
  if (refund.creditNoteId === null) throw new Error(`refund ${refund.id} has not succeeded`);
  numbers.creditNote += 1;
  account.creditNotes.put({
    organizationId: organization.id,
    id: refund.creditNoteId,
    number: creditNoteNumber(organization.invoicePrefix, customer.id, numbers.creditNote),
    customerId: customer.id,
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    refundId: refund.id,
    currency: refund.currency,
    ...creditNoteOf(refund.lines, lines),
    seller: invoice.seller,
    buyer: invoice.buyer,
    createdAt: at,
  });
}
