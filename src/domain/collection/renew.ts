import type { CustomerBilling } from "../billing/customer-billing.ts";
import { queueEmail } from "../billing/record.ts";
import { recordSubscription } from "./record-subscription.ts";
import { isSoldOtherwise, syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import type { Bill } from "../invoice/bills.ts";
import { issueInvoice } from "../invoice/issue.ts";
import type { Subscription } from "../model/subscription.ts";
import { endSubscription } from "./end.ts";
import { endsWithoutCard, nextPeriodOf, type NextPeriod } from "./next-period.ts";
import { isChangePossible } from "./pending-change.ts";
import { beginNewPrice } from "./price-change.ts";
import { isRefusedAt } from "../model/scheduled-price.ts";

/** Drops the pending change, which is no longer possible, and tells the buyer (rules C4, P6). */
export function dropChange(billing: CustomerBilling, subscription: Subscription, at: Instant): Subscription {
  const dropped = subscription.pendingChange!;
  const next = recordSubscription(billing, { ...subscription, pendingChange: null }, "subscription.updated", at);
  queueEmail(billing, { type: "subscription.updated", subscription: next, dropped }, at);
  return next;
}

/** Drops a pending change that is no longer possible, before its period begins at `at` (rules C4, P6). */
export function dropImpossibleChange(billing: CustomerBilling, subscription: Subscription, at: Instant): Subscription {
  if (isChangePossible(billing, subscription)) return subscription;
  return dropChange(billing, subscription, at);
}

/**
 * Does the due work of a period's end, as of that instant: the planned end, or the renewal (rule S). Returns the
 * resulting invoice, if any: `collectOwed` charges this invoice. The next invoice of a preview is made here as well
 * (rule P8).
 */
export function finishPeriod(billing: CustomerBilling, subscription: Subscription): Bill | null {
  if (!subscription.cancelAtPeriodEnd) return renewSubscription(billing, subscription);
  return endSubscription(billing, subscription, "ended", subscription.cancelAt ?? subscription.currentPeriodEnd);
}

/** Invoices the period that has just begun at `at`. `next`: the Subscription in that period. */
export function billPeriod(
  billing: CustomerBilling,
  next: Subscription,
  { plan, waiting, totals }: NextPeriod,
  at: Instant,
  restarted = false,
): Bill {
  const order = {
    reason: "renewal",
    subscriptionId: next.id,
    checkoutId: null,
    periodNumber: next.periodNumber,
    restarted,
    span: { start: next.currentPeriodStart, end: next.currentPeriodEnd },
    currency: next.currency,
    lines: [plan.line],
    waiting,
    totals,
    fieldAnswers: next.fieldAnswers,
    metadata: next.metadata,
    billing: next.billing,
    nextAttemptAt: next.nextRetryAt,
  } as const;
  return issueInvoice(billing, order, at);
}

/** Ends a Subscription in place of a period at a price to which its Customer has not agreed (rule N6). */
export const endUnaccepted = (billing: CustomerBilling, subscription: Subscription, at: Instant): Bill | null =>
  endSubscription(billing, subscription, "ended", at, { reason: "price_not_accepted" });

/** Begins the next period as of the end of the current one, and invoices it (rules S, S2, S4). Returns the invoice. */
export function renewSubscription(billing: CustomerBilling, subscription: Subscription): Bill | null {
  const at = subscription.currentPeriodEnd;
  if (isRefusedAt(subscription.priceChange, at)) return endUnaccepted(billing, subscription, at);
  const possible = dropImpossibleChange(billing, subscription, at);
  const planned = nextPeriodOf(billing, possible);
  if (endsWithoutCard(billing, planned))
    return endSubscription(billing, possible, "ended", at, { reason: "payment_failed" });
  const priced = beginNewPrice(billing, possible, at);
  const period = priced === possible ? planned : nextPeriodOf(billing, priced);
  const next = recordSubscription(billing, period.plan.subscription, period.plan.event, at);
  const bill = billPeriod(billing, next, period, at);
  if (isSoldOtherwise(next, subscription)) syncSubscriptionGrants(billing, next, "product_changed", at);
  return bill;
}
