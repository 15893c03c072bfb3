import type { CustomerBilling, InvoiceRows } from "../billing/customer-billing.ts";
import { totalOfParts } from "../model/credit-source.ts";
import { readBill, type Bill } from "../invoice/bills.ts";
import { returnsOf, pendingCreditsOf } from "../invoice/returns.ts";
import { sumOf } from "../money.ts";
import type { Payment } from "../model/payment.ts";
import { newId } from "../../ids.ts";
import type { RefundReport } from "../model/refund-report.ts";
import { allocateRefund, NOT_FAILED, refundedLines, type Refund } from "../model/refund.ts";
import { refundableOf, type RefundedBill } from "../model/refundable-amount.ts";
import { shareOf } from "../model/refund-share.ts";

/** The invoice that the charge has paid; null if the money of the charge went to the balance (rule S5). */
export function findBill(billing: InvoiceRows, { invoiceId }: Payment): Bill | null {
  if (invoiceId === null) return null;
  billing.need({ part: "invoice", id: invoiceId }, { part: "given_back", invoiceId });
  const bill = readBill(billing, invoiceId);
  return bill?.invoice.status === "paid" && !bill.invoice.paidOutside ? bill : null;
}

/** A pending change has fixed its credit already, so this credit counts as given. */
function refundedBill(billing: CustomerBilling, { invoice, lines }: Bill): RefundedBill {
  const back = returnsOf(billing, invoice.id);
  return { invoice, lines, back: { ...back, credits: [...back.credits, ...pendingCreditsOf(billing, invoice)] } };
}

/**
 * Drafts a refund that was made at the provider. The part that can be refunded reverses the sale (rule I9b). The rest
 * is `fromBalance`, which still has to be taken off the balance.
 */
export function draftOutside(
  billing: CustomerBilling,
  payment: Payment,
  { ref, amount }: RefundReport,
  bill: Bill | null,
): Refund {
  const { organization, now } = billing;
  const refunded = bill && refundedBill(billing, bill);
  const sale = refunded ? Math.min(amount, refundableOf(refunded).toCard) : 0;
  const share = refunded && sale > 0 ? shareOf(refunded, sale, "card") : { freed: [], sources: [] };
  const lines =
    refunded && sale > 0
      ? allocateRefund(
          refunded.lines,
          refundedLines(refunded.back.refunds),
          refunded.back.credits,
          sale,
          totalOfParts(share.freed),
        )
      : [];
  return {
    organizationId: organization.id,
    id: newId("rfd"),
    purpose: sale > 0 ? "invoice" : "balance",
    origin: "provider",
    invoiceId: sale > 0 ? payment.invoiceId : null,
    customerId: payment.customerId,
    paymentId: payment.id,
    status: "succeeded",
    amount,
    taxAmount: sumOf(lines.map((line) => line.taxAmount)),
    currency: payment.currency,
    to: "card",
    reason: null,
    revokeGrants: false,
    lines,
    fromBalance: amount - sale,
    taken: [],
    ...share,
    rateLowered: 0,
    periodNumber: null,
    creditNoteId: sale > 0 ? newId("crn") : null,
    ...NOT_FAILED,
    providerRef: ref,
    checkAt: null,
    checks: 0,
    settledAt: now,
    version: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}
