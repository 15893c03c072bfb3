import type { GrantReason } from "../domain/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import type { InvoiceLine } from "../domain/invoice.ts";
import { ended, type CancellationWhy, type Subscription } from "../domain/subscription.ts";
import { linesAtCancellation } from "../domain/waiting-line.ts";
import { dropWaitingLine, invoiceLines, linesOf, waitingLines } from "../store/invoice-lines.ts";
import { openInvoicesOf } from "../store/invoices.ts";
import { liveAttempt } from "../store/payments.ts";
import { abandonAttempt, collectInvoice, unhinderedCardOf } from "./collect-invoice.ts";
import { issueInvoice, quoteLast, voidInvoice, type Bill } from "./issue-invoice.ts";
import { recordSubscription } from "./record.ts";
import { syncSubscriptionGrants } from "./sync-grants.ts";
import type { Work } from "./work.ts";

type EndCause = "ended" | "canceled_now" | "dunning_exhausted" | "customer_deleted";

const GRANT_REASONS = {
  ended: "subscription_ended",
  canceled_now: "subscription_ended",
  dunning_exhausted: "payment_failed",
  customer_deleted: "customer_deleted",
} as const satisfies Record<EndCause, GrantReason>;

/**
 * Ends a Subscription as of `at`: open invoices are void, waiting lines are billed a last time, grants are revoked (rules S4, S5). Of a
 * Customer who is deleted nothing is charged any more (rule I5).
 */
export async function endSubscription(
  work: Work,
  subscription: Subscription,
  cause: Exclude<EndCause, "canceled_now">,
  at: Instant,
  why: CancellationWhy = {},
): Promise<void> {
  await end(work, subscription, cause, at, why);
}

/**
 * As `endSubscription`, by `cancel-now`: waiting lines count for the part of their span that has passed (rule S4). The last invoice as it
 * is then: open while it is charged; null where there is none.
 */
export async function endNow(work: Work, subscription: Subscription, why: CancellationWhy): Promise<Bill | null> {
  return end(work, subscription, "canceled_now", work.now, why);
}

async function end(work: Work, subscription: Subscription, cause: EndCause, at: Instant, why: CancellationWhy): Promise<Bill | null> {
  const transition = cause === "dunning_exhausted" ? cause : "ended";
  const next = await recordSubscription(work, ended(subscription, transition, at, why), "subscription.canceled", at);
  await voidOpenInvoices(work, subscription, at);
  const bill = await billWaitingLines(work, subscription, cause, at);
  await syncSubscriptionGrants(work, next, GRANT_REASONS[cause], at);
  return bill;
}

/** One whose attempt is not settled yet is void when it is. */
async function voidOpenInvoices(work: Work, subscription: Subscription, at: Instant): Promise<void> {
  const { tx, organization } = work;
  for (const invoice of await openInvoicesOf(tx, organization.id, subscription.id)) {
    const live = await liveAttempt(tx, organization.id, invoice.id);
    if (live) await abandonAttempt(work, live, at);
    else await voidInvoice(work, { invoice, lines: await linesOf(tx, organization.id, invoice.id) }, at);
  }
}

/** Of a Subscription that has ended, once its attempt is settled (rule S5). */
export async function voidAtEnd(work: Work, subscription: Subscription, bill: Bill, at: Instant): Promise<void> {
  await voidInvoice(work, bill, at);
  await billWaitingLines(work, subscription, "ended", at);
}

/**
 * What waits makes a last invoice (rule S4): above zero it is charged once, or void at once where no card may be charged (rule D6); below
 * zero it goes to the balance.
 */
async function billWaitingLines(work: Work, subscription: Subscription, cause: EndCause, at: Instant): Promise<Bill | null> {
  const waiting = await lastLines(work, subscription, cause, at);
  if (waiting.length === 0) return null;
  const order = {
    reason: "product_change",
    subscriptionId: subscription.id,
    checkoutId: null,
    periodNumber: null,
    span: { start: subscription.currentPeriodStart, end: at },
    currency: subscription.currency,
    lines: [],
    waiting,
    totals: await quoteLast(work, subscription.currency, waiting),
    metadata: subscription.metadata,
    billing: subscription.billing,
  } as const;
  const bill = await issueInvoice(work, order, at);
  if (bill.invoice.status !== "open") return bill;
  const method = cause === "customer_deleted" ? null : await unhinderedCardOf(work, subscription);
  if (!method) return voidInvoice(work, bill, at);
  await collectInvoice(work, bill.invoice, method, "last_invoice", work.now);
  return bill;
}

/** What waits, as it is billed at this end: whole, but by `cancel-now` only the part that has passed (rule S4). */
async function lastLines({ tx, organization }: Work, { id }: Subscription, cause: EndCause, at: Instant): Promise<InvoiceLine[]> {
  const waiting = await waitingLines(tx, organization.id, id);
  if (cause !== "canceled_now") return waiting;
  const { billed, dropped } = linesAtCancellation(waiting, at);
  // A credit is younger than the line that it gives back, and goes first.
  for (const line of dropped.toReversed()) dropWaitingLine(tx, line);
  // Written before the quote, which counts the credit that waits (rule D7).
  for (const line of billed) invoiceLines.update(tx, line);
  return billed;
}
