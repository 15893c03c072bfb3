import type { Account } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import { recordSubscription } from "./record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { billOf, owedInvoicesOf, type Bill } from "../invoice/bills.ts";
import { endSubscription } from "./end.ts";
import { isImported, type Subscription } from "../model/subscription.ts";
import { collectInvoice, liveAttempt } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import type { InvoicePurpose, Payment } from "../model/payment.ts";
import { planFailure } from "../model/retry-schedule.ts";

/**
 * Charges the oldest open invoice of a Subscription that is not past due. The later periods wait for the outcome, so
 * that a declining card is charged once, not once for each missed period (rule T4f).
 */
export function payOldest(account: Account, subscription: Subscription, at: Instant): void {
  const [oldest] = owedInvoicesOf(account, subscription.id);
  if (!oldest || liveAttempt(account, oldest.id)) return;
  const method = cardOf(account, subscription);
  if (method) collectInvoice(account, oldest, method, "renewal", at);
  else chargeFailed(account, billOf(account, oldest), subscription, { purpose: "renewal" }, at);
}

/**
 * Applies a failed charge, or a charge that needs the buyer. `attempt`: the payment, or only the purpose of the charge
 * if there was no card to charge (rule D6c).
 */
export function chargeFailed(
  account: Account,
  bill: Bill,
  subscription: Subscription,
  attempt: Payment | { purpose: InvoicePurpose },
  at: Instant,
): void {
  const plan = planFailure(subscription, attempt.purpose, account.organization, at);
  const exhausted = "exhausted" in plan;
  const suspends = !exhausted && !subscription.grantsSuspended && hasNoGrace(account, bill, subscription, attempt);
  const suspended = suspends ? { graceEndsAt: at, grantsSuspended: true } : {};
  const next = exhausted ? subscription : { ...subscription, ...plan.change, ...suspended };
  const failed = { ...bill.invoice, heldReason: null, nextAttemptAt: exhausted ? null : next.nextRetryAt };
  recordInvoice(account, failed, bill.lines, "invoice.payment_failed", at, "id" in attempt ? attempt : null);
  if (exhausted) {
    endSubscription(account, next, "dunning_exhausted", at, { reason: "payment_failed" });
    return;
  }
  const recorded = recordSubscription(account, next, plan.event, at);
  planAttempt(account, subscription.id, next.nextRetryAt);
  if (suspends) syncSubscriptionGrants(account, recorded, "payment_failed", at);
}

/**
 * Whether a failure suspends the access at once: the first charge of a restarted period failed (rule D8), or a card was
 * declined and no invoice of the Subscription was ever settled (rules D4b, D8g). For the second, a challenge, a missing
 * card or an unknown outcome keeps the grace.
 */
function hasNoGrace(
  account: Account,
  { invoice }: Bill,
  subscription: Subscription,
  attempt: Payment | { purpose: InvoicePurpose },
): boolean {
  if (invoice.restarted && subscription.status === "active") return true;
  const isDeclined = "status" in attempt && attempt.status === "failed";
  return isDeclined && !isImported(subscription) && !hasPaid(account, subscription.id);
}

/** Whether an invoice above zero of the Subscription was ever settled: by a card, by the balance, or outside. */
function hasPaid(account: Account, subscriptionId: string): boolean {
  const settled = account.invoices.where(
    (invoice) => invoice.subscriptionId === subscriptionId && invoice.status === "paid" && invoice.totalAmount > 0,
  );
  if (settled.length > 0) return true;
  account.need({ part: "first_paid", subscriptionId });
  return false;
}

/** Sets the next attempt on all owed invoices of a Subscription, which share one schedule (rule D3a). */
function planAttempt(account: Account, subscriptionId: string, nextAttemptAt: Instant | null): void {
  for (const invoice of owedInvoicesOf(account, subscriptionId)) {
    if (invoice.nextAttemptAt !== nextAttemptAt)
      account.invoices.put({ ...invoice, nextAttemptAt, version: invoice.version + 1 });
  }
}
