import { type Account, findSubscription } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import type { Change } from "../model/frozen-plan.ts";
import { adoptCardOfChange } from "../collection/new-card.ts";
import { isCharge, type Payment } from "../model/payment.ts";
import { applyChange } from "./apply-change.ts";
import type { Checkout } from "../model/checkout.ts";
import { recordCheckout } from "../checkout/record.ts";

/**
 * Settles the pending change as applied or dropped, and releases its Subscription (rule P1). From now on the
 * Subscription's due work is carried out again.
 */
export function releaseChange(account: Account, checkout: Checkout, status: "applied" | "dropped"): Change {
  const [change] = account.changes.where((each) => each.checkoutId === checkout.id && each.status === "pending");
  const subscription = change && findSubscription(account, change.subscriptionId);
  if (!change || !subscription) throw new Error(`checkout ${checkout.id} changes nothing`);
  account.changes.put({ ...change, status, settledAt: account.now });
  recordSubscription(account, { ...subscription, changeId: null }, null, account.now);
  return change;
}

/**
 * Applies the change of a paid Checkout as of the instant at which it was decided (rules C6, P1). The card that paid is
 * kept.
 */
export function completeChange(account: Account, checkout: Checkout, payment: Payment | null): Checkout {
  const change = releaseChange(account, checkout, "applied");
  if (payment) adoptCardOfChange(account, account.subscriptions.get(change.subscriptionId)!, payment);
  const paying = payment && isCharge(payment) ? payment : null;
  const subscription = account.subscriptions.get(change.subscriptionId)!;
  const { bill } = applyChange(account, subscription, change.plan, paying, change.decidedAt);
  const completed = { status: "completed", completedAt: account.now, dueAt: null, lastPaymentError: null } as const;
  const invoiceId = bill?.invoice.id ?? null;
  return recordCheckout(account, { ...checkout, ...completed, invoiceId }, "checkout.completed", account.now);
}
