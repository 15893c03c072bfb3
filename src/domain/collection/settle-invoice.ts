import { type CustomerBilling, findSubscription } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import { readBill, type Bill, owedInvoicesOf } from "../invoice/bills.ts";
import { bankUnapplied, payInvoice } from "../invoice/pay.ts";
import { isProviderRefusal, type ChargeRefusal, type FailureCode } from "../model/payment-outcome.ts";
import type { Payment } from "../model/payment.ts";
import { voidAtEnd } from "./end.ts";
import { isResuming, type Subscription } from "../model/subscription.ts";
import { abandonAttempt } from "../payment/attempt.ts";
import { goOn, payNext } from "./dunning.ts";
import { chargeFailed, payOldest } from "./failure.ts";
import { nothingOwed, recoverIfSettled } from "./recovery.ts";

/** Applies the outcome of a charge to an invoice and its Subscription (rules D3, S5). */
export function settleInvoice(billing: CustomerBilling, payment: Payment): void {
  const bill = readBill(billing, payment.sourceId);
  const subscriptionId = bill?.invoice.subscriptionId ?? null;
  const subscription = subscriptionId === null ? null : findSubscription(billing, subscriptionId);
  if (!bill || !subscription) throw new Error(`payment ${payment.id} is for no invoice of a subscription`);
  const at = billing.now;
  if (payment.status === "requires_action") return requireAction(billing, bill, subscription, payment, at);
  if (payment.status === "succeeded") return invoicePaid(billing, bill, subscription, payment, at);
  if (subscription.status === "canceled") return voidAtEnd(billing, subscription, bill, at);
  if (payment.abandoned) return goOn(billing, subscription, payment, at);
  // The challenge already counted as a failure (rule D2), so its own failure does not count again.
  if (payment.actionUrl !== null) return;
  if (holdIfRefused(billing, bill, subscription, payment, at)) return;
  chargeFailed(billing, bill, subscription, payment, at);
}

/**
 * Counts a challenge at a renewal as a failure; the buyer gets the link, and a passed challenge still pays (rule D2).
 */
function requireAction(
  billing: CustomerBilling,
  bill: Bill,
  subscription: Subscription,
  payment: Payment,
  at: Instant,
): void {
  // If the charge of a last invoice needs the buyer, the attempt is given up: the buyer has no reason to come
  // (rule S4).
  if (subscription.status === "canceled") return abandonAttempt(billing, payment, at);
  chargeFailed(billing, bill, subscription, payment, at);
}

/**
 * Returns whether the provider refused the charge of an invoice, so that the buyer is not at fault. If the provider
 * refused this charge alone, the invoice is held for an operator. If the provider refuses all charges, an operator
 * waited for this charge and learns of the refusal by the answer (rules D9f, D9g, E2d).
 */
function holdIfRefused(
  billing: CustomerBilling,
  bill: Bill,
  subscription: Subscription,
  payment: Payment,
  at: Instant,
): boolean {
  const reason = payment.failureCode as FailureCode;
  if (!isProviderRefusal(reason)) return false;
  if (reason !== "provider_refused") holdInvoice(billing, bill, subscription, { payment, reason }, at);
  return true;
}

/** The Subscription of a held invoice goes on with its other invoices, as after a payment (rule D9h). */
function holdInvoice(
  billing: CustomerBilling,
  { invoice, lines }: Bill,
  subscription: Subscription,
  { payment, reason }: { payment: Payment; reason: ChargeRefusal },
  at: Instant,
): void {
  const held = { ...invoice, heldReason: reason, nextAttemptAt: null };
  if (invoice.heldReason !== reason) recordInvoice(billing, held, lines, "invoice.held", at, payment);
  if (isResuming(subscription)) return recoverIfSettled(billing, subscription, false, at);
  if (subscription.status !== "past_due") return payOldest(billing, subscription, at);
  if (owedInvoicesOf(billing, subscription.id).length > 0) return payNext(billing, subscription, payment, at);
  nothingOwed(billing, subscription, at, subscription.nextRetryAt === null ? "retry" : "new_card");
}

function invoicePaid(
  billing: CustomerBilling,
  bill: Bill,
  subscription: Subscription,
  payment: Payment,
  at: Instant,
): void {
  // If the Subscription's end gave the attempt up, the invoice becomes void, and the money goes to the balance.
  // Exception: the last invoice is still due after the end, so the money pays that invoice (rules S4, S5).
  if (subscription.status === "canceled" && payment.abandoned && payment.purpose !== "last_invoice") {
    voidAtEnd(billing, subscription, bill, at);
    return bankUnapplied(billing, bill.invoice, payment.id, payment.amount, at);
  }
  payInvoice(billing, bill, at);
  if (subscription.status === "past_due") payNext(billing, subscription, payment, at);
  if (isResuming(subscription)) return recoverIfSettled(billing, subscription, true, at, payment);
  if (subscription.status === "active") payOldest(billing, subscription, at);
}
