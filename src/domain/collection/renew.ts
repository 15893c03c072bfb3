import type { Account } from "../billing/customer-billing.ts";
import { recordSubscription } from "./record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import type { Bill } from "../invoice/bills.ts";
import { issueInvoice } from "../invoice/issue.ts";
import { payOldest } from "./failure.ts";
import type { ChangePreview } from "../model/plan-change.ts";
import type { Subscription } from "../model/subscription.ts";
import { endSubscription } from "./end.ts";
import { endsWithoutCard, nextPeriodOf, type NextPeriod } from "./next-period.ts";
import { dropChange } from "./drop-change.ts";
import { isChangePossible } from "./pending-change.ts";

/** Drops a pending change that is no longer possible, before its period begins at `at` (rules C4, P6). */
export function dropImpossibleChange(account: Account, subscription: Subscription, at: Instant): Subscription {
  if (isChangePossible(account, subscription)) return subscription;
  return dropChange(account, subscription, at);
}

/**
 * Does the due work of a period's end, as of that instant: the planned end, or the renewal (rule S). Returns the
 * resulting invoice, if any. The next invoice of a preview is made here as well (rule P8).
 */
export function finishPeriod(account: Account, subscription: Subscription): Bill | null {
  if (!subscription.cancelAtPeriodEnd) return renewSubscription(account, subscription);
  return endSubscription(account, subscription, "ended", subscription.cancelAt ?? subscription.currentPeriodEnd);
}

/** Invoices the period that has just begun at `at`. `next`: the Subscription in that period. */
export function billPeriod(
  account: Account,
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
    metadata: next.metadata,
    billing: next.billing,
    nextAttemptAt: next.nextRetryAt,
  } as const;
  return issueInvoice(account, order, at);
}

/** Begins the next period as of the end of the current one, and invoices it; the charge follows (rules S, S2, S4). */
export function renewSubscription(account: Account, subscription: Subscription): Bill | null {
  const at = subscription.currentPeriodEnd;
  const period = nextPeriodOf(account, dropImpossibleChange(account, subscription, at));
  if (endsWithoutCard(account, period))
    return endSubscription(account, period.current, "ended", at, { reason: "payment_failed" });
  const next = recordSubscription(account, period.plan.subscription, period.plan.event, at);
  const bill = billPeriod(account, next, period, at);
  if (next.productId !== subscription.productId) syncSubscriptionGrants(account, next, "product_changed", at);
  // While the Subscription is past due, only the dunning schedule tries the card (rule S).
  if (bill.invoice.status === "open" && next.status !== "past_due") payOldest(account, next, account.now);
  return bill;
}

/**
 * The invoice at the end of the period, assuming no other change before: the renewal's, or the last invoice. The call
 * ends the period on the Account. While access is suspended, no period begins, so there is no invoice (rule D8).
 */
export function nextInvoiceOf(account: Account, subscription: Subscription): ChangePreview["nextInvoice"] {
  if (subscription.grantsSuspended && !subscription.cancelAtPeriodEnd) return null;
  const bill = finishPeriod(account, subscription);
  return bill && { at: subscription.currentPeriodEnd, lines: bill.lines };
}
