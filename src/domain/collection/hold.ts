import type { Account } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import { owedInvoicesOf, type Bill } from "../invoice/bills.ts";
import type { Subscription } from "../model/subscription.ts";
import { payNext } from "./dunning.ts";
import { payOldest } from "./failure.ts";
import { isRefusal, type ChargeRefusal, type FailureCode } from "../model/payment-outcome.ts";
import type { Payment } from "../model/payment.ts";
import { nothingOwed } from "./recovery.ts";

/**
 * Returns whether the provider refused the charge of an invoice, so that the buyer is not at fault. If the provider
 * refused this charge alone, the invoice is held for an operator. If the provider refuses all charges, an operator
 * waited for this charge and learns of the refusal by the answer (rules D9f, D9g, E2d).
 */
export function holdIfRefused(
  account: Account,
  bill: Bill,
  subscription: Subscription,
  payment: Payment,
  at: Instant,
): boolean {
  const reason = payment.failureCode as FailureCode;
  if (!isRefusal(reason)) return false;
  if (reason !== "provider_refused") holdInvoice(account, bill, subscription, { payment, reason }, at);
  return true;
}

/** The Subscription of a held invoice goes on with its other invoices, as after a payment (rule D9h). */
function holdInvoice(
  account: Account,
  { invoice, lines }: Bill,
  subscription: Subscription,
  { payment, reason }: { payment: Payment; reason: ChargeRefusal },
  at: Instant,
): void {
  const held = { ...invoice, heldReason: reason, nextAttemptAt: null };
  if (invoice.heldReason !== reason) recordInvoice(account, held, lines, "invoice.held", at, payment);
  if (subscription.status !== "past_due") return payOldest(account, subscription, at);
  if (owedInvoicesOf(account, subscription.id).length > 0) return payNext(account, subscription, payment, at);
  nothingOwed(account, subscription, at, subscription.nextRetryAt === null ? "retry" : "new_card");
}
