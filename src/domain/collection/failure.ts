import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import { recordSubscription } from "./record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { billOf, owedInvoicesOf, type Bill } from "../invoice/bills.ts";
import { endSubscription } from "./end.ts";
import type { Invoice } from "../model/invoice.ts";
import { isImported, isResuming, type Subscription } from "../model/subscription.ts";
import { collectInvoice, liveAttempt } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import type { InvoicePurpose, Payment, PaymentMethod } from "../model/payment.ts";
import { planFailure } from "../model/retry-schedule.ts";

/**
 * Charges an open invoice to a card. Without a card that may be charged, the charge counts as failed at once
 * (rule D6c).
 */
export function chargeInvoice(
  billing: CustomerBilling,
  invoice: Invoice,
  subscription: Subscription,
  { method, purpose }: { method: PaymentMethod | null; purpose: Exclude<InvoicePurpose, "page"> },
  at: Instant,
): void {
  if (method) collectInvoice(billing, invoice, method, purpose, at);
  else chargeFailed(billing, billOf(billing, invoice), subscription, { purpose }, at);
}

/**
 * Charges the invoice of a period that a decision has begun or ended. While the Subscription is past due, only the
 * dunning schedule tries the card (rule S). The last invoice of an ended Subscription is charged by the end itself.
 */
export function collectOwed(billing: CustomerBilling, bill: Bill | null): void {
  if (bill?.invoice.status !== "open" || bill.invoice.subscriptionId === null) return;
  const subscription = billing.subscriptions.get(bill.invoice.subscriptionId)!;
  if (subscription.status === "active") payOldest(billing, subscription, billing.now);
}

/**
 * Charges the oldest open invoice of a Subscription that is not past due. The later periods wait for the outcome, so
 * that a declining card is charged once, not once for each missed period (rule T4f).
 */
export function payOldest(billing: CustomerBilling, subscription: Subscription, at: Instant): void {
  const [oldest] = owedInvoicesOf(billing, subscription.id);
  if (!oldest || liveAttempt(billing, oldest.id)) return;
  chargeInvoice(billing, oldest, subscription, { method: cardOf(billing, subscription), purpose: "renewal" }, at);
}

/**
 * Applies a failed charge, or a charge that needs the buyer. `attempt`: the payment, or only the purpose of the charge
 * if there was no card to charge (rule D6c).
 */
export function chargeFailed(
  billing: CustomerBilling,
  bill: Bill,
  subscription: Subscription,
  attempt: Payment | { purpose: InvoicePurpose },
  at: Instant,
): void {
  const plan = planFailure(subscription, attempt.purpose, billing.organization, at);
  const exhausted = "exhausted" in plan;
  const hasAccess = isResuming(subscription) || !subscription.grantsSuspended;
  const suspends = !exhausted && hasAccess && hasNoGrace(billing, bill, subscription, attempt);
  const suspended = suspends ? { graceEndsAt: at, grantsSuspended: true } : {};
  const next = exhausted ? subscription : { ...subscription, ...plan.change, ...suspended };
  const failed = { ...bill.invoice, heldReason: null, nextAttemptAt: exhausted ? null : next.nextRetryAt };
  recordInvoice(billing, failed, bill.lines, "invoice.payment_failed", at, "id" in attempt ? attempt : null);
  if (exhausted) {
    endSubscription(billing, next, "dunning_exhausted", at, { reason: "payment_failed" });
    return;
  }
  const recorded = recordSubscription(billing, next, plan.event, at);
  planAttempt(billing, subscription.id, next.nextRetryAt);
  if (suspends) syncSubscriptionGrants(billing, recorded, "payment_failed", at);
}

/**
 * Whether a failure suspends the access at once: the first charge of a restarted or resumed period failed (rules D8,
 * S8h), or a card was declined and no invoice of the Subscription was ever settled (rules D4b, D8g). For the second, a
 * challenge, a missing card or an unknown outcome keeps the grace.
 */
function hasNoGrace(
  billing: Pick<CustomerBilling, "invoices" | "need">,
  { invoice }: Bill,
  subscription: Subscription,
  attempt: Payment | { purpose: InvoicePurpose },
): boolean {
  if (invoice.restarted && subscription.status === "active") return true;
  const isDeclined = "status" in attempt && attempt.status === "failed";
  return isDeclined && !isImported(subscription) && !hasPaid(billing, subscription.id);
}

/** Whether an invoice above zero of the Subscription was ever settled: by a card, by the balance, or outside. */
function hasPaid(billing: Pick<CustomerBilling, "invoices" | "need">, subscriptionId: string): boolean {
  const settled = billing.invoices.where(
    (invoice) => invoice.subscriptionId === subscriptionId && invoice.status === "paid" && invoice.totalAmount > 0,
  );
  if (settled.length > 0) return true;
  billing.need({ part: "first_paid", subscriptionId });
  return false;
}

/** Sets the next attempt on all owed invoices of a Subscription, which share one schedule (rule D3a). */
function planAttempt(
  billing: Pick<CustomerBilling, "invoices">,
  subscriptionId: string,
  nextAttemptAt: Instant | null,
): void {
  for (const invoice of owedInvoicesOf(billing, subscriptionId)) {
    if (invoice.nextAttemptAt !== nextAttemptAt)
      billing.invoices.put({ ...invoice, nextAttemptAt, version: invoice.version + 1 });
  }
}
