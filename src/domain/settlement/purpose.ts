import type { CustomerBilling } from "../billing/customer-billing.ts";
import { leftAtRest, runDueAtRest } from "../collection/due.ts";
import { readBill } from "../invoice/bills.ts";
import { isOfPortal, type Payment, type Purpose, isHosted } from "../model/payment.ts";
import { settleChange, completeChange, releaseChange } from "../change/settle-change.ts";
import { settlePortalCard } from "../card/portal-card.ts";
import { settleOnPage } from "../collection/page.ts";
import { settleInvoice } from "../collection/settle-invoice.ts";
import { challengeEndsAt, hostedPageEndsAt, reopened, type Checkout } from "../model/checkout.ts";
import { releaseDiscount } from "../discount/reserve.ts";
import type { FailureCode } from "../model/payment-outcome.ts";
import { completeCheckout } from "../checkout/complete.ts";
import { recordCheckout } from "../checkout/record.ts";

/** Applies the outcome of a payment to its submitted Checkout. */
function settleCheckout(billing: CustomerBilling, payment: Payment): void {
  billing.need({ part: "checkout", id: payment.sourceId });
  const checkout = billing.checkouts.get(payment.sourceId);
  if (!checkout || checkout.status !== "processing") throw new Error(`checkout ${payment.sourceId} is not being paid`);
  if (payment.status === "requires_action") {
    const dueAt = isHosted(payment) ? hostedPageEndsAt(checkout) : challengeEndsAt(checkout);
    recordCheckout(billing, { ...checkout, dueAt }, null, billing.now);
  } else if (payment.status === "failed") failCheckout(billing, checkout, payment.failureCode as FailureCode);
  else (checkout.change ? completeChange : completeCheckout)(billing, checkout, payment);
}

function failCheckout(billing: CustomerBilling, checkout: Checkout, code: FailureCode): void {
  const at = billing.now;
  if (checkout.change) releaseChange(billing, checkout, "dropped");
  else if (checkout.discount) releaseDiscount(billing, checkout.discount.id, checkout.id);
  const next = reopened(checkout, code, at);
  const failed = recordCheckout(billing, { ...next, status: "open" }, "checkout.payment_failed", at);
  if (next.status === "expired") recordCheckout(billing, { ...failed, status: "expired" }, "checkout.expired", at);
}

const SETTLE: Record<Purpose, (billing: CustomerBilling, payment: Payment) => void> = {
  checkout: settleCheckout,
  setup: (billing, payment) => (isOfPortal(payment) ? settlePortalCard : settleCheckout)(billing, payment),
  change: settleChange,
  renewal: settleInvoice,
  resume: settleInvoice,
  retry: settleInvoice,
  new_card: settleInvoice,
  page: settleOnPage,
  hand: settleByHand,
  last_invoice: settleInvoice,
};

/**
 * Applies a payment's outcome to its Checkout, change or invoice. Work that had waited for the payment may now be
 * due.
 */
export function settlePurpose(billing: CustomerBilling, payment: Payment): void {
  const left = leftAtRest(billing);
  SETTLE[payment.purpose](billing, payment);
  runDueAtRest(billing, left);
}

function settleByHand(billing: CustomerBilling, payment: Payment): void {
  settleInvoice(billing, payment);
  answerByHand(billing, payment);
}

/**
 * Keeps the answer to an operator's charge together with the settlement: a repeat gets the answer even after a crash.
 */
function answerByHand(
  billing: Pick<CustomerBilling, "answered" | "invoices" | "lines" | "need">,
  payment: Payment,
): void {
  // A request that was answered with a challenge keeps that answer, even after the challenge's outcome is known.
  if (!payment.request || (payment.settledAt !== null && payment.actionUrl !== null)) return;
  const bill = readBill(billing, payment.sourceId);
  if (!bill) throw new Error(`payment ${payment.id} is for no invoice`);
  billing.answered.push(
    payment.status === "succeeded"
      ? { ...payment.request, outcome: "paid", bill }
      : { ...payment.request, outcome: "not_paid", payment },
  );
}
