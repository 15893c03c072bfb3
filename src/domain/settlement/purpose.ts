import type { Account } from "../billing/customer-billing.ts";
import { settleCheckout } from "./settle-checkout.ts";
import { leftAtRest, runDueAtRest } from "../collection/due.ts";
import { readBill } from "../invoice/bills.ts";
import { isOfPortal, type Payment, type Purpose } from "../model/payment.ts";
import { settleChange } from "../change/settle-change.ts";
import { settlePortalCard } from "../card/portal-card.ts";
import { settleOnPage } from "../collection/page.ts";
import { settleInvoice } from "../collection/settle-invoice.ts";

const SETTLE: Record<Purpose, (account: Account, payment: Payment) => void> = {
  checkout: settleCheckout,
  setup: (account, payment) => (isOfPortal(payment) ? settlePortalCard : settleCheckout)(account, payment),
  change: settleChange,
  renewal: settleInvoice,
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
export function settlePurpose(account: Account, payment: Payment): void {
  const left = leftAtRest(account);
  SETTLE[payment.purpose](account, payment);
  runDueAtRest(account, left);
}

function settleByHand(account: Account, payment: Payment): void {
  settleInvoice(account, payment);
  answerByHand(account, payment);
}

/**
 * Keeps the answer to an operator's charge together with the settlement: a repeat gets the answer even after a crash.
 */
function answerByHand(account: Account, payment: Payment): void {
  // A request that was answered with a challenge keeps that answer, even after the challenge's outcome is known.
  if (!payment.request || (payment.settledAt !== null && payment.actionUrl !== null)) return;
  const bill = readBill(account, payment.sourceId);
  if (!bill) throw new Error(`payment ${payment.id} is for no invoice`);
  account.answered.push(
    payment.status === "succeeded"
      ? { ...payment.request, outcome: "paid", bill }
      : { ...payment.request, outcome: "not_paid", payment },
  );
}
