import { type Account, findSubscription } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { readBill, type Bill } from "../invoice/bills.ts";
import { bankUnapplied, payInvoice } from "../invoice/pay.ts";
import type { Payment } from "../model/payment.ts";
import { voidAtEnd } from "./end.ts";
import type { Subscription } from "../model/subscription.ts";
import { abandonAttempt } from "../payment/attempt.ts";
import { goOn, payNext } from "./dunning.ts";
import { chargeFailed, payOldest } from "./failure.ts";
import { holdIfRefused } from "./hold.ts";

/** Applies the outcome of a charge to an invoice and its Subscription (rules D3, S5). */
export function settleInvoice(account: Account, payment: Payment): void {
  const bill = readBill(account, payment.sourceId);
  const subscriptionId = bill?.invoice.subscriptionId ?? null;
  const subscription = subscriptionId === null ? null : findSubscription(account, subscriptionId);
  if (!bill || !subscription) throw new Error(`payment ${payment.id} is for no invoice of a subscription`);
  const at = account.now;
  if (payment.status === "requires_action") return requireAction(account, bill, subscription, payment, at);
  if (payment.status === "succeeded") return invoicePaid(account, bill, subscription, payment, at);
  if (subscription.status === "canceled") return voidAtEnd(account, subscription, bill, at);
  if (payment.abandoned) return goOn(account, subscription, payment, at);
  // The challenge already counted as a failure (rule D2), so its own failure does not count again.
  if (payment.actionUrl !== null) return;
  if (holdIfRefused(account, bill, subscription, payment, at)) return;
  chargeFailed(account, bill, subscription, payment, at);
}

/**
 * Counts a challenge at a renewal as a failure; the buyer gets the link, and a passed challenge still pays (rule D2).
 */
function requireAction(account: Account, bill: Bill, subscription: Subscription, payment: Payment, at: Instant): void {
  // If the charge of a last invoice needs the buyer, the attempt is given up: the buyer has no reason to come
  // (rule S4).
  if (subscription.status === "canceled") return abandonAttempt(account, payment, at);
  chargeFailed(account, bill, subscription, payment, at);
}

function invoicePaid(account: Account, bill: Bill, subscription: Subscription, payment: Payment, at: Instant): void {
  // If the Subscription's end gave the attempt up, the invoice becomes void, and the money goes to the balance.
  // Exception: the last invoice is still due after the end, so the money pays that invoice (rules S4, S5).
  if (subscription.status === "canceled" && payment.abandoned && payment.purpose !== "last_invoice") {
    voidAtEnd(account, subscription, bill, at);
    return bankUnapplied(account, bill.invoice, payment.id, payment.amount, at);
  }
  payInvoice(account, bill, at);
  if (subscription.status === "past_due") payNext(account, subscription, payment, at);
  if (subscription.status === "active") payOldest(account, subscription, at);
}
