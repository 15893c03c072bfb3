import type { Instant } from "../domain/calendar.ts";
import { ended, type CancellationWhy, type Subscription } from "../domain/subscription.ts";
import { dropLine, linesOf, waitingLines } from "../store/invoice-lines.ts";
import { openInvoicesOf } from "../store/invoices.ts";
import { liveAttempt } from "../store/payments.ts";
import { abandonAttempt, cardOf, collectInvoice } from "./collect-invoice.ts";
import { issueInvoice, quote, voidInvoice } from "./issue-invoice.ts";
import { recordSubscription } from "./record.ts";
import { syncSubscriptionGrants } from "./sync-grants.ts";
import type { Work } from "./work.ts";

/** Ends a Subscription as of `at`: open invoices are void, waiting lines are billed a last time, grants are revoked (rules S4, S5). */
export async function endSubscription(
  work: Work,
  subscription: Subscription,
  cause: "ended" | "dunning_exhausted",
  at: Instant,
  why: CancellationWhy = {},
): Promise<void> {
  const next = await recordSubscription(work, ended(subscription, cause, at, why), "subscription.canceled", at);
  await voidOpenInvoices(work, subscription, at);
  await billWaitingLines(work, subscription, cause === "dunning_exhausted", at);
  const reason = cause === "dunning_exhausted" ? "payment_failed" : "subscription_ended";
  await syncSubscriptionGrants(work, next, reason, at);
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

/** Above zero charged once, below zero to the balance; at dunning's end debits are dropped and credits kept (rule S4). */
async function billWaitingLines(work: Work, subscription: Subscription, dropDebits: boolean, at: Instant): Promise<void> {
  const { tx, organization } = work;
  const all = await waitingLines(tx, organization.id, subscription.id);
  const waiting = dropDebits ? all.filter((line) => line.amount < 0) : all;
  for (const line of all) if (!waiting.includes(line)) await dropLine(tx, organization.id, line.id);
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
  } as const;
  const bill = await issueInvoice(work, order, at);
  if (bill.invoice.status !== "open") return;
  const method = await cardOf(work, subscription);
  if (method) await collectInvoice(work, bill.invoice, method, "product_change", at);
  else await voidInvoice(work, bill, at);
}
