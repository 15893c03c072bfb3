import { type CustomerBilling, findSubscription } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import { recordSubscription } from "./record-subscription.ts";
import { readBill } from "../invoice/bills.ts";
import { isProviderRefusal, type FailureCode } from "../model/payment-outcome.ts";
import { isHosted, isNewerCard, type Payment } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";
import { settleInvoice } from "./settle-invoice.ts";
import { becomesDefault, makeDefaultCard, tryNewCard } from "./new-card.ts";

/**
 * Applies the outcome of the buyer's own attempt to pay an invoice. A success counts as the success of any other
 * attempt, and the card is kept. Any other outcome leaves the Subscription, its schedule and its card as they were
 * (rules D2, D3o, D9j).
 */
export function settleOnPage(billing: CustomerBilling, payment: Payment): void {
  const id = payment.subscriptionId;
  const subscription = id === null ? null : findSubscription(billing, id);
  if (!subscription) throw new Error(`payment ${payment.id} is for no invoice of a subscription`);
  if (subscription.status === "canceled") return settleInvoice(billing, payment);
  if (payment.status === "succeeded") return paidOnPage(billing, subscription, payment);
  if (payment.status === "requires_action") return;
  if (payment.abandoned) return settleInvoice(billing, payment);
  // The page says that the seller can't take payments. The card did not fail (rule D9).
  if (isProviderRefusal(payment.failureCode as FailureCode)) return;
  // The buyer went away from the provider's page, and no card was declined.
  if (isHosted(payment) && payment.failureCode === "canceled") return;
  const bill = readBill(billing, payment.sourceId);
  if (!bill) throw new Error(`payment ${payment.id} is for no invoice`);
  recordInvoice(billing, bill.invoice, bill.lines, "invoice.payment_failed", billing.now, payment);
}

/**
 * Keeps the card first, because other open invoices are charged to this card. A person with the link of an invoice pays
 * for the Subscription of the invoice. The card also becomes the Customer's default if the Subscription is charged to
 * the default card (rules D3q, D3r).
 */
function paidOnPage(billing: CustomerBilling, subscription: Subscription, payment: Payment): void {
  const { paymentMethodId } = payment;
  if (paymentMethodId === null) return settleInvoice(billing, payment);
  const own = subscription.paymentMethodId === null ? null : billing.cards.get(subscription.paymentMethodId);
  const isAlone = !subscription.claimed || (own !== null && !own.dead);
  const isDefault = becomesDefault(billing, paymentMethodId, !isAlone);
  if (isDefault) makeDefaultCard(billing, paymentMethodId);
  // A card that was given while this attempt's outcome was awaited stays.
  if (isAlone && !(own && isNewerCard(own, billing.cards.get(paymentMethodId)!))) {
    const current = billing.subscriptions.get(subscription.id)!;
    recordSubscription(billing, { ...current, paymentMethodId, cardMissing: false }, null, billing.now);
  }
  settleInvoice(billing, payment);
  if (isDefault && !isAlone) tryNewCard(billing, paymentMethodId, ({ id }) => id !== subscription.id);
}
