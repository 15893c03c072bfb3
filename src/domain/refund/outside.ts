import type { Account } from "../billing/customer-billing.ts";
import { recordRefund } from "../billing/record.ts";
import type { Lot } from "../model/balance.ts";
import { isHeld, lotsForAdjustment } from "../balance/move.ts";
import { writeOff } from "../balance/write-off.ts";
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
export function recordOutsideRefund(account: Account, payment: Payment, fact: RefundReport): Refund {
  if (fact.currency !== payment.currency) throw new Error(`refund ${fact.ref} has another currency than its charge`);
  if (fact.status === "failed") return recordFailed(account, payment, fact);
  const bill = findBill(account, payment);
  const draft = draftOutside(account, payment, fact, bill);
  const lowered = bill ? lowerPaidRate(account, bill, draft) : draft;
  const made = takeFromBalance(account, lowered, excessLots(account, payment));
  const refund = recordRefund(account, made, "refund.created", account.now);
  applyRefund(account, draft.invoiceId === null ? null : bill, refund, account.now);
  if (account.customer.deletedAt !== null) writeOff(account);
  return refund;
}

/**
 * The lots that a refund at the provider uses up: credit of this charge first, and of that credit the part of failed
 * refunds first. Other credit follows in the order in which an operator takes credit away. Held credit stays
 * (rules D7a, I9c).
 */
function excessLots(account: Account, { id, currency }: Payment): Lot[] {
  const lots = lotsForAdjustment(account, currency).filter((lot) => !isHeld(account, lot));
  const isOwn = ({ paymentId }: Lot) => paymentId === id;
  return [...lots.filter(isOwn), ...lots.filter((lot) => !isOwn(lot))];
}

/**
 * A refund that had failed before Billow heard of it. The record keeps an older report from booking the refund (rule
 * I9e).
 */
function recordFailed(account: Account, payment: Payment, fact: RefundReport): Refund {
  const at = account.now;
  const draft = draftOutside(account, payment, fact, null);
  const bill = findBill(account, payment);
  const of = bill ? ({ purpose: "invoice", invoiceId: bill.invoice.id } as const) : {};
  const failed = { status: "failed", failureCode: fact.failureCode ?? "unknown", failedAt: at } as const;
  const made = recordRefund(account, { ...draft, ...of, ...failed, fromBalance: 0 }, "refund.created", at);
  return recordRefund(account, made, "refund.failed", at);
}
