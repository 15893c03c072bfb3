import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordRefund } from "../billing/record.ts";
import { runDue } from "../collection/due.ts";
import { readBill, type Bill } from "../invoice/bills.ts";
import { liveAttempt } from "../payment/attempt.ts";
import type { Refund } from "../model/refund.ts";
import { applyRefund } from "./apply.ts";
import { newRefund, type AskedRefund } from "./draft.ts";
import { lowerPaidRate } from "./lower-rate.ts";
import { takeFromBalance } from "./take.ts";
import { Refusal } from "../refusal.ts";

/**
 * Refunds a paid invoice (rules I3h, I3m). A refund to the balance is done at once. A refund to a card is recorded, and
 * the worker calls the provider.
 * @throws Refusal 404, 409 `invoice_not_paid`, `payment_unknown`, `nothing_to_refund`, `credited`, `credit_spent`,
 * `change_in_progress`, 422
 */
export function refundInvoice(billing: CustomerBilling, invoiceId: string, asked: AskedRefund): Refund {
  billing.need({ part: "invoice", id: invoiceId }, { part: "given_back", invoiceId });
  const bill = findPaid(billing, invoiceId);
  const draft = newRefund(billing, bill, asked);
  const lowered = lowerPaidRate(billing, bill, draft);
  const refund = recordRefund(billing, takeFromBalance(billing, lowered), "refund.created", billing.now);
  if (refund.status === "succeeded") applyRefund(billing, bill, refund, billing.now);
  return refund;
}

function findPaid(billing: CustomerBilling, invoiceId: string): Bill {
  if (!billing.invoices.get(invoiceId)) throw new Refusal("not_found");
  runDue(billing);
  const bill = readBill(billing, invoiceId)!;
  if (bill.invoice.status === "paid") return bill;
  const live = liveAttempt(billing, invoiceId);
  throw new Refusal(live && live.status !== "requires_action" ? "payment_unknown" : "invoice_not_paid");
}
