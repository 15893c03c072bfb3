import type { Account } from "../billing/customer-billing.ts";
import { recordRefund } from "../billing/record.ts";
import { runDue } from "../collection/due.ts";
import { readBill, type Bill } from "../invoice/bills.ts";
import { liveAttempt } from "../payment/attempt.ts";
import type { Refund } from "../model/refund.ts";
import { AppError } from "../../errors.ts";
import { applyRefund } from "./apply.ts";
import { newRefund, type AskedRefund } from "./draft.ts";
import { lowerPaidRate } from "./lower-rate.ts";
import { takeFromBalance } from "./take.ts";

/**
 * Refunds a paid invoice (rules I3h, I3m). A refund to the balance is done at once. A refund to a card is recorded, and
 * the worker calls the provider.
 * @throws AppError 404, 409 `invoice_not_paid`, `payment_unknown`, `nothing_to_refund`, `credited`, `credit_spent`,
 * `change_in_progress`, 422
 */
export function refundInvoice(account: Account, invoiceId: string, asked: AskedRefund): Refund {
  account.need({ part: "invoice", id: invoiceId }, { part: "given_back", invoiceId });
  const bill = findPaid(account, invoiceId);
  const draft = newRefund(account, bill, asked);
  const lowered = lowerPaidRate(account, bill, draft);
  const refund = recordRefund(account, takeFromBalance(account, lowered), "refund.created", account.now);
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
