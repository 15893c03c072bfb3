import type { Account } from "../account/account.ts";
import { recordRefund, recordSubscription } from "../account/record.ts";
import { runDue } from "../due.ts";
import { readBill, type Bill } from "../invoice/bills.ts";
import { findRateLine } from "../invoice/given-back.ts";
import { liveAttempt } from "../payment/attempt.ts";
import { rateLoweredBy, type Refund } from "./refund.ts";
import { requireNoChange } from "../subscription/change-refused.ts";
import { findSubscription } from "../subscription/find.ts";
import { AppError } from "../../errors.ts";
import { applyRefund } from "./apply.ts";
import { newRefund, type AskedRefund } from "./draft.ts";

/**
 * Refunds a paid invoice (rule I3). A refund to the balance is done at once. A refund to a card is recorded, and the
 * worker calls the provider.
 * @throws AppError 404, 409 `invoice_not_paid`, `payment_unknown`, `nothing_to_refund`, `credited`,
 * `change_in_progress`, 422
 */
export function refundInvoice(account: Account, invoiceId: string, asked: AskedRefund): Refund {
  account.need({ part: "invoice", id: invoiceId }, { part: "given_back", invoiceId }, { part: "captured", invoiceId });
  const bill = findPaid(account, invoiceId);
  const draft = newRefund(account, bill, asked);
  const refund = recordRefund(account, lowerPaidRate(account, bill, draft), "refund.created", account.now);
  if (refund.status === "succeeded") applyRefund(account, bill, refund, account.now);
  return refund;
}

function findPaid(account: Account, invoiceId: string): Bill {
  if (!account.invoices.get(invoiceId)) throw new AppError("not_found");
  runDue(account);
  const bill = readBill(account, invoiceId)!;
  if (bill.invoice.status === "paid") return bill;
  const live = liveAttempt(account, invoiceId);
  throw new AppError(live && live.status !== "requires_action" ? "payment_unknown" : "invoice_not_paid");
}

/**
 * Lowers the paid rate: the refunded part is no longer credited when the period is left early (rule P). Like the
 * refundable amount, the rate is lower from the request on, not only from the success on.
 */
function lowerPaidRate(account: Account, { invoice }: Bill, refund: Refund): Refund {
  if (invoice.subscriptionId === null) return refund;
  const subscription = findSubscription(account, invoice.subscriptionId);
  if (!subscription || subscription.status === "canceled") return refund;
  const rateLine = findRateLine(account, subscription);
  // A change in progress has fixed its credit already, so the rate can't be lowered now.
  if (refund.lines.some(({ invoiceLineId }) => invoiceLineId === rateLine?.id)) requireNoChange(subscription);
  const rateLowered = rateLoweredBy(refund.lines, rateLine, subscription);
  if (rateLowered === 0) return refund;
  recordSubscription(account, { ...subscription, paidRate: subscription.paidRate - rateLowered }, null, account.now);
  return { ...refund, rateLowered, periodNumber: subscription.periodNumber };
}
