import type { Instant } from "../domain/calendar.ts";
import type { Payment } from "../domain/payment.ts";
import { NO_CANCELLATION, type Subscription } from "../domain/subscription.ts";
import type { FrozenPlan } from "../domain/frozen-plan.ts";
import { waitingLines } from "../store/invoice-lines.ts";
import { issueInvoice, keepLines, payInvoice } from "./issue-invoice.ts";
import { recordSubscription } from "./record.ts";
import { syncSubscriptionGrants } from "./sync-grants.ts";
import type { Work } from "./work.ts";

/** What became of a change: the Subscription after it, and the invoice that it made, if any. */
export type AppliedChange = { subscription: Subscription; invoiceId: string | null };

/** Applies a decided change as of `at`: the Subscription, its invoice (paid by `payment`) or waiting lines, its grants. */
export async function applyChange(
  work: Work,
  subscription: Subscription,
  plan: FrozenPlan,
  payment: Payment | null,
  at: Instant,
): Promise<AppliedChange> {
  const next = await setColumns(work, subscription, plan.set, at);
  if (plan.bill === "wait") keepLines(work, next.id, plan.lines);
  const invoiceId = plan.bill === "now" ? await billChange(work, next, plan, payment, at) : null;
  if (next.productId !== subscription.productId) await syncSubscriptionGrants(work, next, "product_changed", at);
  return { subscription: next, invoiceId };
}

/** Undoing a cancellation on the way is a change of its own, with its own event. */
async function setColumns(work: Work, subscription: Subscription, set: Partial<Subscription>, at: Instant): Promise<Subscription> {
  let current = subscription;
  if (current.cancelAtPeriodEnd && set.cancelAtPeriodEnd === false) {
    current = await recordSubscription(work, { ...current, ...NO_CANCELLATION }, "subscription.cancellation_undone", at);
  }
  const rest = Object.keys(set).some((column) => !(column in NO_CANCELLATION));
  return rest ? recordSubscription(work, { ...current, ...set }, "subscription.updated", at) : current;
}

async function billChange(
  work: Work,
  subscription: Subscription,
  plan: FrozenPlan,
  payment: Payment | null,
  at: Instant,
): Promise<string | null> {
  const waiting = await waitingLines(work.tx, work.organization.id, subscription.id);
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
    metadata: subscription.metadata,
    billing: subscription.billing,
  } as const;
  const bill = await issueInvoice(work, order, at);
  if (payment) await payInvoice(work, bill, at);
  return bill.invoice.id;
}
