import type { CustomerBilling } from "../billing/customer-billing.ts";
import { withdrawPrice } from "../collection/price-change.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { isSoldOtherwise, syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import { waitingLines, type Bill } from "../invoice/bills.ts";
import { issueInvoice, recordWaitingLines } from "../invoice/issue.ts";
import { payInvoice } from "../invoice/pay.ts";
import { turnedNow } from "../model/discount-change.ts";
import type { Payment } from "../model/payment.ts";
import { NO_CANCELLATION, type Subscription } from "../model/subscription.ts";

/** The Subscription after a change, and the invoice that the change made, if any. */
export type AppliedChange = { subscription: Subscription; bill: Bill | null };

/** Applies a decided change as of `at`: Subscription, invoice (paid by `payment`) or waiting lines, and grants. */
export function applyChange(
  billing: CustomerBilling,
  subscription: Subscription,
  plan: FrozenPlan,
  payment: Payment | null,
  at: Instant,
): AppliedChange {
  // The lock keeps the Product from being archived before the commit: its round would miss this Subscription.
  const waitsFor = plan.set.pendingChange?.productId;
  if (waitsFor) billing.need({ part: "product_benefits", productId: waitsFor });
  const next = setColumns(billing, subscription, plan.set, at);
  if (plan.bill === "wait") recordWaitingLines(billing, next.id, plan.lines);
  const bill = plan.bill === "now" ? billChange(billing, next, plan, payment, at) : null;
  if (isSoldOtherwise(next, subscription)) syncSubscriptionGrants(billing, next, "product_changed", at);
  return { subscription: next, bill };
}

/** The undoing of a cancellation and the withdrawal of a new price are changes of their own, with their own events. */
function setColumns(
  billing: CustomerBilling,
  subscription: Subscription,
  set: Partial<Subscription>,
  at: Instant,
): Subscription {
  let current = subscription;
  if (current.cancelAtPeriodEnd && set.cancelAtPeriodEnd === false) {
    current = recordSubscription(billing, { ...current, ...NO_CANCELLATION }, "subscription.cancellation_undone", at);
  }
  if (set.priceChange === null) current = withdrawPrice(billing, current, "changed", at);
  const rest = Object.keys(set).some((column) => !(column in NO_CANCELLATION) && column !== "priceChange");
  return rest
    ? recordSubscription(billing, { ...current, ...turnedNow(set, current) }, "subscription.updated", at)
    : current;
}

function billChange(
  billing: CustomerBilling,
  subscription: Subscription,
  plan: FrozenPlan,
  payment: Payment | null,
  at: Instant,
): Bill | null {
  const waiting = waitingLines(billing, subscription.id);
  if (plan.lines.length + waiting.length === 0) return null;
  const order = {
    id: payment?.invoiceId ?? undefined,
    reason: "product_change",
    subscriptionId: subscription.id,
    checkoutId: payment?.checkoutId ?? null,
    periodNumber: plan.restarted ? subscription.periodNumber : null,
    span: { start: at, end: subscription.currentPeriodEnd },
    currency: subscription.currency,
    lines: plan.lines,
    waiting,
    totals: plan.totals,
    fieldAnswers: subscription.fieldAnswers,
    metadata: subscription.metadata,
    billing: subscription.billing,
  } as const;
  const bill = issueInvoice(billing, order, at);
  return payment ? payInvoice(billing, bill, at) : bill;
}
