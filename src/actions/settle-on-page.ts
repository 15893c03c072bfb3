import { isNewerCard, type Payment } from "../domain/payment.ts";
import type { Subscription } from "../domain/subscription.ts";
import { paymentMethods } from "../store/payment-methods.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { makeDefaultCard, tryNewCard } from "./default-card.ts";
import { readBill } from "./issue-invoice.ts";
import { recordInvoice, recordSubscription } from "./record.ts";
import { settleInvoice } from "./settle-invoice.ts";
import type { Work } from "./work.ts";

/**
 * Carries an invoice on by what came of its buyer's own attempt to pay it. A success is any other's, and the card is kept; anything else
 * leaves the Subscription, its schedule and its card as they were (rules D2, D3).
 */
export async function settleOnPage(work: Work, payment: Payment): Promise<void> {
  const id = payment.subscriptionId;
  const subscription = id === null ? null : await subscriptions.find(work.tx, work.organization.id, id);
  if (!subscription) throw new Error(`payment ${payment.id} is for no invoice of a subscription`);
  if (subscription.status === "canceled") return settleInvoice(work, payment);
  if (payment.status === "succeeded") return paidOnPage(work, subscription, payment);
  if (payment.status === "requires_action") return;
  if (payment.abandoned) return settleInvoice(work, payment);
  const bill = await readBill(work, payment.sourceId);
  if (!bill) throw new Error(`payment ${payment.id} is for no invoice`);
  await recordInvoice(work, bill.invoice, bill.lines, "invoice.payment_failed", work.now, payment);
}

/** The card is kept first: what else is open is charged to it. Whoever has the link of a Customer's invoice acts for the Customer. */
async function paidOnPage(work: Work, subscription: Subscription, payment: Payment): Promise<void> {
  const { tx, organization, customer, now } = work;
  const { customerNamed } = subscription;
  const paymentMethodId = payment.paymentMethodId;
  const cardById = (id: string) => paymentMethods.find(tx, organization.id, id);
  const paying = (await cardById(paymentMethodId))!;
  // A card that was given while this one's outcome was awaited stays.
  const isLater = async (onFile: string | null) => onFile !== null && isNewerCard((await cardById(onFile))!, paying);
  const isDefault =
    (customerNamed || customer.defaultPaymentMethodId === null) && !(await isLater(customer.defaultPaymentMethodId));
  if (isDefault) await makeDefaultCard(work, paymentMethodId);
  if (!customerNamed && !(await isLater(subscription.paymentMethodId)))
    await recordSubscription(work, { ...subscription, paymentMethodId, cardMissing: false }, null, now);
  await settleInvoice(work, payment);
  if (isDefault && customerNamed) await tryNewCard(work, paymentMethodId, subscription.id);
}
