import { type CustomerBilling, findSubscription } from "../billing/customer-billing.ts";
import { recordCheckout } from "../checkout/record.ts";
import { adoptCardOfChange } from "../collection/new-card.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import type { Checkout } from "../model/checkout.ts";
import { openFinishingPage } from "./change-page.ts";
import type { Change } from "../model/frozen-plan.ts";
import { isProviderRefusal, type FailureCode } from "../model/payment-outcome.ts";
import { type Payment, isCharge } from "../model/payment.ts";
import { applyChange } from "./apply-change.ts";

function findChange(billing: Pick<CustomerBilling, "changes" | "need">, id: string): Change | null {
  const change = billing.changes.get(id);
  if (!change) billing.need({ part: "change", id });
  return change;
}

/**
 * Applies a paid change as of the instant at which it was decided, or drops the change (rule P1). Keeps the answer to
 * the change's request, so that a repeat gets the answer even after a crash.
 */
export function settleChange(billing: CustomerBilling, payment: Payment): void {
  const { now } = billing;
  const change = findChange(billing, payment.sourceId);
  const subscription = change && findSubscription(billing, change.subscriptionId);
  if (!change || !subscription || change.status !== "pending")
    throw new Error(`change ${payment.sourceId} is not being paid`);
  if (payment.status === "requires_action") return;
  const released = { ...subscription, changeId: null };
  const settled: Change = { ...change, settledAt: now };
  const request = change.idempotency && { requestId: change.requestId ?? "", idempotency: change.idempotency };
  if (payment.status === "succeeded") {
    billing.changes.put({ ...settled, status: "applied" });
    const applied = applyChange(billing, released, change.plan, payment, change.decidedAt);
    if (request) billing.answered.push({ ...request, outcome: "changed", subscription: applied.subscription });
    return;
  }
  // If the provider refused the charge, the buyer could not pay on a page either (rule D9).
  const failed = payment.failureCode as FailureCode;
  const pageId = isProviderRefusal(failed) ? null : openFinishingPage(billing, released, change.plan, failed).id;
  const dropped: Change = { ...settled, status: "dropped", pageId };
  billing.changes.put(dropped);
  recordSubscription(billing, released, null, now);
  if (request) billing.answered.push({ ...request, outcome: "change_refused", change: dropped, payment });
}

/**
 * Settles the pending change as applied or dropped, and releases its Subscription (rule P1). From now on the
 * Subscription's due work is carried out again.
 */
export function releaseChange(billing: CustomerBilling, checkout: Checkout, status: "applied" | "dropped"): Change {
  const [change] = billing.changes.where((each) => each.checkoutId === checkout.id && each.status === "pending");
  const subscription = change && findSubscription(billing, change.subscriptionId);
  if (!change || !subscription) throw new Error(`checkout ${checkout.id} changes nothing`);
  billing.changes.put({ ...change, status, settledAt: billing.now });
  recordSubscription(billing, { ...subscription, changeId: null }, null, billing.now);
  return change;
}

/**
 * Applies the change of a paid Checkout as of the instant at which it was decided (rules C6, P1). The card that paid is
 * kept.
 */
export function completeChange(billing: CustomerBilling, checkout: Checkout, payment: Payment | null): Checkout {
  const change = releaseChange(billing, checkout, "applied");
  if (payment) adoptCardOfChange(billing, billing.subscriptions.get(change.subscriptionId)!, payment);
  const paying = payment && isCharge(payment) ? payment : null;
  const subscription = billing.subscriptions.get(change.subscriptionId)!;
  const { bill } = applyChange(billing, subscription, change.plan, paying, change.decidedAt);
  const completed = { status: "completed", completedAt: billing.now, dueAt: null, lastPaymentError: null } as const;
  const invoiceId = bill?.invoice.id ?? null;
  return recordCheckout(billing, { ...checkout, ...completed, invoiceId }, "checkout.completed", billing.now);
}
