import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordSubscription } from "./record-subscription.ts";
import type { GrantReason } from "../model/benefit.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { billOf, openInvoicesOf, type Bill } from "../invoice/bills.ts";
import { voidInvoice } from "../invoice/pay.ts";
import { abandonAttempt, liveAttempt } from "../payment/attempt.ts";
import { ended, type CancellationWhy } from "../model/cancellation.ts";
import type { Subscription } from "../model/subscription.ts";
import { billWaitingLines, type EndCause } from "./last-invoice.ts";
import { endWithPrice } from "./price-change.ts";

const GRANT_REASONS = {
  ended: "subscription_ended",
  canceled_now: "subscription_ended",
  dunning_exhausted: "payment_failed",
  customer_deleted: "customer_deleted",
  unrecognized: "subscription_ended",
} as const satisfies Record<EndCause, GrantReason>;

/**
 * Ends a Subscription as of `at`: open invoices become void, waiting lines are billed a last time, grants are revoked
 * (rules S4, S5). No charge is made at the deletion of the
 * Customer (rule I5h) and for an unrecognized purchase (rule C13). Returns the last invoice, if any.
 */
export function endSubscription(
  billing: CustomerBilling,
  subscription: Subscription,
  cause: Exclude<EndCause, "canceled_now">,
  at: Instant,
  why: CancellationWhy = {},
): Bill | null {
  return end(billing, subscription, cause, at, why);
}

/**
 * As `endSubscription`, for `cancel-now`: waiting lines count for the part of their span that has passed (rule S4).
 * Returns the last invoice, if any; the invoice is open while its charge is not settled.
 */
export function endNow(billing: CustomerBilling, subscription: Subscription, why: CancellationWhy): Bill | null {
  return end(billing, subscription, "canceled_now", billing.now, why);
}

function end(
  billing: CustomerBilling,
  subscription: Subscription,
  cause: EndCause,
  at: Instant,
  why: CancellationWhy,
): Bill | null {
  const transition = cause === "dunning_exhausted" ? cause : "ended";
  endWithPrice(billing, subscription, why.reason === "price_not_accepted" ? why.reason : "canceled", at);
  const next = recordSubscription(billing, ended(subscription, transition, at, why), "subscription.canceled", at);
  voidOpenInvoices(billing, subscription, at);
  const bill = billWaitingLines(billing, subscription, cause, at);
  syncSubscriptionGrants(billing, next, GRANT_REASONS[cause], at);
  return bill;
}

/** Voids the open invoices. An invoice with an unsettled attempt becomes void once the attempt is settled. */
function voidOpenInvoices(billing: CustomerBilling, subscription: Subscription, at: Instant): void {
  for (const invoice of openInvoicesOf(billing, subscription.id)) {
    const live = liveAttempt(billing, invoice.id);
    if (live) abandonAttempt(billing, live, at);
    else voidInvoice(billing, billOf(billing, invoice), at);
  }
}

/** Voids an invoice of an ended Subscription, once the invoice's attempt is settled (rule S5). */
export function voidAtEnd(billing: CustomerBilling, subscription: Subscription, bill: Bill, at: Instant): void {
  voidInvoice(billing, bill, at);
  billWaitingLines(billing, subscription, "ended", at);
}
