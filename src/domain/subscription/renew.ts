import type { Account } from "../account/account.ts";
import { recordSubscription } from "../account/record.ts";
import { quote } from "../balance/quote.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import { waitingLines, type Bill } from "../invoice/bills.ts";
import { issueInvoice, taxOn } from "../invoice/issue.ts";
import type { InvoiceLine, Totals } from "../invoice.ts";
import { cardOf } from "../payment/card.ts";
import { payOldest } from "../payment/dunning.ts";
import { planRenewal, type RenewalPlan } from "../renewal.ts";
import type { Subscription } from "../subscription.ts";
import { endSubscription } from "./end.ts";
import { isChangePossible } from "./pending-change.ts";
import { findProduct } from "../catalogue/product.ts";

/** The next period of a Subscription: what it sets, and what its invoice comes to. */
export type NextPeriod = { current: Subscription; plan: RenewalPlan; waiting: InvoiceLine[]; totals: Totals };

/**
 * Decides the next period if nothing happens before it begins (rule S): a change that can't be carried out any more is dropped from
 * `current`. Changes no row: the renewal and its previews are the same decision (rule P8).
 */
export function nextPeriodOf(account: Account, subscription: Subscription): NextPeriod {
  const current = isChangePossible(account, subscription) ? subscription : { ...subscription, pendingChange: null };
  const facts = {
    productName: findProduct(account, current.productId)?.name ?? "",
    timeZone: account.organization.timeZone,
    tax: taxOn(account, current.billing),
  };
  const plan = planRenewal(current, facts);
  const waiting = waitingLines(account, current.id);
  return { current, plan, waiting, totals: quote(account, current.currency, [...waiting, plan.line]) };
}

/** A trial without a card has no means to go on when it ends: it is canceled without dunning (rule C2). */
function endsWithoutCard(account: Account, { current, totals }: NextPeriod): boolean {
  return current.status === "trialing" && totals.amountDue > 0 && cardOf(account, current) === null;
}

/** A pending change that is not possible any more is dropped before the period that it was for (rules C4, P6). */
function dropImpossibleChange(account: Account, subscription: Subscription): Subscription {
  if (isChangePossible(account, subscription)) return subscription;
  return recordSubscription(account, { ...subscription, pendingChange: null }, "subscription.updated", subscription.currentPeriodEnd);
}

/**
 * Does the due work of a period's end, as of that instant: the planned end, or the renewal (rule S). Answers the invoice that this makes,
 * if any. The next invoice of a preview comes from here as well (rule P8).
 */
export function finishPeriod(account: Account, subscription: Subscription): Bill | null {
  if (!subscription.cancelAtPeriodEnd) return renewSubscription(account, subscription);
  return endSubscription(account, subscription, "ended", subscription.currentPeriodEnd);
}

/** Begins the next period as of the end of the current one, and invoices it; the charge follows (rules S, S2, S4). */
export function renewSubscription(account: Account, subscription: Subscription): Bill | null {
  const at = subscription.currentPeriodEnd;
  const period = nextPeriodOf(account, dropImpossibleChange(account, subscription));
  if (endsWithoutCard(account, period)) return endSubscription(account, period.current, "ended", at, { reason: "payment_failed" });
  const { plan, waiting, totals } = period;
  const next = recordSubscription(account, plan.subscription, plan.event, at);
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
  const bill = issueInvoice(account, order, at);
  if (next.productId !== subscription.productId) syncSubscriptionGrants(account, next, "product_changed", at);
  // While past due the dunning schedule alone tries the card (rule S).
  if (bill.invoice.status === "open" && next.status !== "past_due") payOldest(account, next, account.now);
  return bill;
}
