import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordRefund } from "../billing/record.ts";
import { isHeld, writeOff, addCredit } from "../balance/move.ts";
import { refundFailed, totalOfParts, type LotPart } from "../model/credit-source.ts";
import { refundReturned } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import type { RefundFailureCode } from "../model/refund-failure.ts";
import type { Refund } from "../model/refund.ts";

/**
 * A refund to a card fails after it has succeeded (rule I8). The credit note and the paid rate stay. The money becomes
 * credit that can't go to that card. The balance of a deleted Customer is written off (rules I5j, I8a, I8b, I8d, I8e,
 * I8f). A refund that has not succeeded stays as it is.
 */
export function failLate(billing: CustomerBilling, id: string, failureCode: RefundFailureCode): Refund {
  billing.need({ part: "refund", id });
  const refund = billing.refunds.get(id);
  if (!refund) throw new Error(`no refund ${id}`);
  if (refund.status !== "succeeded" || refund.to !== "card") return refund;
  const { amount, currency, invoiceId } = refund;
  const at = billing.now;
  const failed = { ...refund, status: "failed", failureCode, failedAt: at, failedLate: true } as const;
  const next = recordRefund(billing, failed, "refund.failed", at);
  post(billing, "refund_failed", id, currency, refundReturned(amount), at);
  const movement = { currency, reason: "refund_failed", invoiceId, refundId: id, createdAt: at } as const;
  addCredit(billing, movement, creditOf(billing, refund));
  if (billing.customer.deletedAt !== null) writeOff(billing);
  return next;
}

/**
 * The credit of a refund that failed late. Credit that the refund took off the balance keeps its billed line. A bank
 * took back only the part of the charge that was not refunded, so a standing dispute does not concern this credit: it
 * then names no charge (rule I8d). A refund at the provider may have used other credit or left a debt. That part names
 * no charge either, because the money of the charge may have paid another invoice as credit (rule I9d).
 */
function creditOf(
  billing: Pick<CustomerBilling, "disputes">,
  { amount, fromBalance, paymentId, taken }: Refund,
): LotPart[] {
  const alone = refundFailed(null);
  const source = isHeld(billing, { paymentId }) ? alone : refundFailed(paymentId);
  const returned = taken.map(({ creditedLineId, amount: part, ...from }) => {
    return { ...(from.paymentId === paymentId ? source : alone), creditedLineId, amount: part };
  });
  return [
    ...returned,
    { ...source, creditedLineId: null, amount: amount - fromBalance },
    { ...alone, creditedLineId: null, amount: fromBalance - totalOfParts(taken) },
  ];
}
