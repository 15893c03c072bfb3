import type { CustomerBilling, CreditRows } from "../billing/customer-billing.ts";
import { recordRefund } from "../billing/record.ts";
import type { Lot } from "../model/balance.ts";
import { isHeld, lotsForAdjustment, writeOff } from "../balance/move.ts";
import type { Payment } from "../model/payment.ts";
import { applyRefund } from "./apply.ts";
import type { RefundReport } from "../model/refund-report.ts";
import { lowerPaidRate } from "./lower-rate.ts";
import { draftOutside, findBill } from "./outside-draft.ts";
import type { Refund } from "../model/refund.ts";
import { takeFromBalance } from "./take.ts";

/**
 * Books a refund that was made at the provider (rules I9a, I9c). The money has left, so no rule refuses the refund. The
 * part that can be refunded reverses the sale. The rest is taken off the balance, and can leave a debt there. A refund
 * that has failed gives nothing back.
 */
export function recordOutsideRefund(billing: CustomerBilling, payment: Payment, report: RefundReport): Refund {
  if (report.currency !== payment.currency)
    throw new Error(`refund ${report.ref} has another currency than its charge`);
  if (report.status === "failed") return recordFailed(billing, payment, report);
  const bill = findBill(billing, payment);
  const draft = draftOutside(billing, payment, report, bill);
  const lowered = bill ? lowerPaidRate(billing, bill, draft) : draft;
  const made = takeFromBalance(billing, lowered, excessLots(billing, payment));
  const refund = recordRefund(billing, made, "refund.created", billing.now);
  applyRefund(billing, draft.invoiceId === null ? null : bill, refund, billing.now);
  if (billing.customer.deletedAt !== null) writeOff(billing);
  return refund;
}

/**
 * The lots that a refund at the provider uses up: credit of this charge first, and of that credit the part of failed
 * refunds first. Other credit follows in the order in which an operator takes credit away. Held credit stays
 * (rules D7a, I9c).
 */
function excessLots(billing: CreditRows, { id, currency }: Payment): Lot[] {
  const lots = lotsForAdjustment(billing, currency).filter((lot) => !isHeld(billing, lot));
  const isOwn = ({ paymentId }: Lot) => paymentId === id;
  return [...lots.filter(isOwn), ...lots.filter((lot) => !isOwn(lot))];
}

/**
 * A refund that had failed before Billow heard of it. The record keeps an older report from booking the refund
 * (rule I9e).
 */
function recordFailed(billing: CustomerBilling, payment: Payment, report: RefundReport): Refund {
  const at = billing.now;
  const draft = draftOutside(billing, payment, report, null);
  const bill = findBill(billing, payment);
  const of = bill ? ({ purpose: "invoice", invoiceId: bill.invoice.id } as const) : {};
  const failed = { status: "failed", failureCode: report.failureCode ?? "unknown", failedAt: at } as const;
  const made = recordRefund(billing, { ...draft, ...of, ...failed, fromBalance: 0 }, "refund.created", at);
  return recordRefund(billing, made, "refund.failed", at);
}
