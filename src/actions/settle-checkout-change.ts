import type { Checkout } from "../domain/checkout.ts";
import type { Change } from "../domain/frozen-plan.ts";
import { isCharge, type Payment } from "../domain/payment.ts";
import { changeOfCheckout, changes } from "../store/changes.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { applyChange } from "./apply-change.ts";
import { keepCard } from "./default-card.ts";
import { recordCheckout, recordSubscription } from "./record.ts";
import type { Work } from "./work.ts";

/** The Subscription is free again: what is due on it goes on. */
async function release(work: Work, checkout: Checkout, status: "applied" | "dropped"): Promise<Change> {
  const { tx, organization, now } = work;
  const change = await changeOfCheckout(tx, organization.id, checkout.id);
  const subscription = change && (await subscriptions.lock(tx, organization.id, change.subscriptionId));
  if (!change || !subscription) throw new Error(`checkout ${checkout.id} changes nothing`);
  changes.update(tx, { ...change, status, settledAt: now });
  await recordSubscription(work, { ...subscription, changeId: null }, null, now);
  return change;
}

/** The payment failed: the Subscription is as it was (rule P1). */
export async function dropChange(work: Work, checkout: Checkout): Promise<void> {
  await release(work, checkout, "dropped");
}

/**
 * Applies the change of a paid Checkout as of the instant it was decided (rules C6, P1). The card that paid it is kept, and tried where
 * this very Subscription owes something, too (rule D3).
 */
export async function completeChange(work: Work, checkout: Checkout, payment: Payment | null): Promise<Checkout> {
  const { tx, organization } = work;
  const change = await release(work, checkout, "applied");
  const ownCard = payment && (await keepCard(work, checkout, payment.paymentMethodId));
  const paying = payment && isCharge(payment) ? payment : null;
  const card = payment ? { paymentMethodId: ownCard, cardMissing: false } : {};
  const subscription = (await subscriptions.lock(tx, organization.id, change.subscriptionId))!;
  const { invoiceId } = await applyChange(work, { ...subscription, ...card }, change.plan, paying, change.decidedAt);
  const completed = { status: "completed", completedAt: work.now, dueAt: null, lastPaymentError: null } as const;
  return recordCheckout(work, { ...checkout, ...completed, invoiceId }, "checkout.completed", work.now);
}
