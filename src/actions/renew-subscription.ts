import { planRenewal } from "../domain/renewal.ts";
import type { Subscription } from "../domain/subscription.ts";
import { waitingLines } from "../store/invoice-lines.ts";
import { products } from "../store/products.ts";
import { cardOf } from "./collect-invoice.ts";
import { endSubscription } from "./end-subscription.ts";
import { groupHolder } from "./group.ts";
import { issueInvoice, quote, taxOn } from "./issue-invoice.ts";
import { recordSubscription } from "./record.ts";
import { payOldest } from "./settle-invoice.ts";
import { syncSubscriptionGrants } from "./sync-grants.ts";
import type { Work } from "./work.ts";

/** A pending change whose Product was archived, or whose group was taken meanwhile, is dropped (rules C4, P6). */
async function dropImpossibleChange(work: Work, subscription: Subscription): Promise<Subscription> {
  const pending = subscription.pendingChange;
  if (!pending) return subscription;
  const target = await products.find(work.tx, work.organization.id, pending.productId);
  const movesGroup = pending.groupKey !== null && pending.groupKey !== subscription.groupKey;
  const taken = movesGroup && (await groupHolder(work, pending.groupKey!)) !== null;
  if (target && !target.archived && !taken) return subscription;
  return recordSubscription(work, { ...subscription, pendingChange: null }, "subscription.updated", subscription.currentPeriodEnd);
}

/** A trial without a card has nothing to go on with when it ends: it is canceled without dunning (rule C2). */
async function endsWithoutCard(work: Work, subscription: Subscription, amountDue: number): Promise<boolean> {
  return subscription.status === "trialing" && amountDue > 0 && (await cardOf(work, subscription)) === null;
}

/** Begins the next period as of the end of this one, and invoices it; the charge follows (rules S, S2, S4). */
export async function renewSubscription(work: Work, current: Subscription): Promise<void> {
  const { tx, organization } = work;
  const at = current.currentPeriodEnd;
  const subscription = await dropImpossibleChange(work, current);
  const product = await products.find(tx, organization.id, subscription.productId);
  const tax = taxOn(work, subscription.billing);
  const plan = planRenewal(subscription, { productName: product?.name ?? "", timeZone: organization.timeZone, tax });
  const waiting = await waitingLines(tx, organization.id, subscription.id);
  const totals = await quote(work, subscription.currency, [...waiting, plan.line]);
  if (await endsWithoutCard(work, subscription, totals.amountDue)) {
    return endSubscription(work, subscription, "ended", at, { reason: "payment_failed" });
  }
  const next = await recordSubscription(work, plan.subscription, plan.event, at);
  const order = {
    reason: "renewal",
    subscriptionId: next.id,
    checkoutId: null,
    periodNumber: next.periodNumber,
    span: { start: next.currentPeriodStart, end: next.currentPeriodEnd },
    currency: next.currency,
    lines: [plan.line],
    waiting,
    totals,
    metadata: next.metadata,
    billing: next.billing,
    nextAttemptAt: next.nextRetryAt,
  } as const;
  const bill = await issueInvoice(work, order, at);
  if (next.productId !== subscription.productId) await syncSubscriptionGrants(work, next, "product_changed", at);
  // While past due the dunning schedule alone tries the card (rule S).
  if (bill.invoice.status !== "open" || next.status === "past_due") return;
  await payOldest(work, next, work.now);
}
