import type { GrantReason } from "../domain/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import { ended, type CancellationWhy, type Subscription } from "../domain/subscription.ts";
import { linesOf, waitingLines } from "../store/invoice-lines.ts";
import { openInvoicesOf } from "../store/invoices.ts";
import { liveAttempt } from "../store/payments.ts";
import { abandonAttempt, cardOf, collectInvoice } from "./collect-invoice.ts";
import { issueInvoice, quote, voidInvoice, type Bill } from "./issue-invoice.ts";
import { recordSubscription } from "./record.ts";
import { syncSubscriptionGrants } from "./sync-grants.ts";
import type { Work } from "./work.ts";

type EndCause = "ended" | "dunning_exhausted" | "customer_deleted";

const GRANT_REASONS = {
  ended: "subscription_ended",
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
  cause: EndCause,
  at: Instant,
  why: CancellationWhy = {},
): Promise<void> {
  const transition = cause === "dunning_exhausted" ? cause : "ended";
  const next = await recordSubscription(work, ended(subscription, transition, at, why), "subscription.canceled", at);
  await voidOpenInvoices(work, subscription, at);
  await billWaitingLines(work, subscription, at, cause !== "customer_deleted");
  await syncSubscriptionGrants(work, next, GRANT_REASONS[cause], at);
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
  await billWaitingLines(work, subscription, at, true);
}

/** What waits makes a last invoice: above zero it is charged once, or void without a card; below zero it goes to the balance (rule S4). */
async function billWaitingLines(work: Work, subscription: Subscription, at: Instant, charge: boolean): Promise<void> {
  const { tx, organization } = work;
  const waiting = await waitingLines(tx, organization.id, subscription.id);
  if (waiting.length === 0) return;
  const order = {
    reason: "product_change",
    subscriptionId: subscription.id,
    checkoutId: null,
    periodNumber: null,
    span: { start: subscription.currentPeriodStart, end: at },
    currency: subscription.currency,
    lines: [],
    waiting,
    totals: await quote(work, subscription.currency, waiting),
    metadata: subscription.metadata,
    billing: subscription.billing,
  } as const;
  const bill = await issueInvoice(work, order, at);
  if (bill.invoice.status !== "open") return;
  const method = charge ? await cardOf(work, subscription) : null;
  if (method) await collectInvoice(work, bill.invoice, method, "product_change", work.now);
  else await voidInvoice(work, bill, at);
}
