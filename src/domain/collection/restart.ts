import type { CustomerBilling } from "../billing/customer-billing.ts";
import { sumOf, type Amount } from "../money.ts";
import { recordSubscription } from "./record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { type Bill, openInvoicesOf } from "../invoice/bills.ts";
import { nextPeriodOf } from "./next-period.ts";
import { beginNewPrice, consent } from "./price-change.ts";
import { isRefusedAt } from "../model/scheduled-price.ts";
import { billPeriod, dropImpossibleChange } from "./renew.ts";
import { isResuming, nextStatus, NO_DUNNING, type Subscription, isStalled } from "../model/subscription.ts";

/** The Subscription after dunning, or after the first charge since a resume, in the period in progress. */
export const recovered = (subscription: Subscription): Subscription => ({
  ...subscription,
  ...NO_DUNNING,
  status: isResuming(subscription) ? subscription.status : nextStatus(subscription.status, "all_paid"),
});

/** The event of a recovery. A resume was reported when it began (rule S8h). */
export const recoveredEvent = (subscription: Subscription) =>
  isResuming(subscription) ? null : ("subscription.recovered" as const);

/** The reason with which revoked grants come back. */
export const recoveredReason = (subscription: Subscription) =>
  isResuming(subscription) ? ("subscription_resumed" as const) : ("payment_recovered" as const);

/**
 * The price of coming back while the former period is over (rule D8). `owed`: the amount due of all owed invoices;
 * `amountDue`: that of the new period, which is `next`. `asksFor`: the price change to which a click on the page of
 * this preview agrees, because the new period has its price; null: no consent is missing (rule N6).
 */
export type RestartPreview = {
  owed: Amount;
  amountDue: Amount;
  next: Subscription;
  productName: string;
  asksFor: string | null;
};

/** A restart as a page showed it: the amount of the new period in minor units, 0 without one, and `asksFor`. */
export type ShownRestart = { forPeriod: number; asksFor: string | null };

/**
 * Previews the restart as if it was paid now; null: the Subscription's period is not over, or access is not suspended.
 * `payingId`: an invoice that is paid, too, even if it is held (rule D9).
 */
export function previewRestart(
  billing: CustomerBilling,
  subscription: Subscription,
  payingId: string | null = null,
): RestartPreview | null {
  if (subscription.status === "paused" || !isStalled(subscription, billing.now)) return null;
  const open = openInvoicesOf(billing, subscription.id);
  const paid = open.filter(({ id, heldReason }) => heldReason === null || id === payingId);
  const owed = sumOf(paid.map(({ amountDue }) => amountDue));
  const { plan, totals } = nextPeriodOf(billing, recovered(subscription), billing.now);
  const { priceChange, cancelAtPeriodEnd } = subscription;
  const isAsking = !cancelAtPeriodEnd && isRefusedAt(priceChange, billing.now);
  const asksFor = isAsking ? priceChange!.priceChangeId : null;
  const { description: productName } = plan.line;
  return { owed, amountDue: totals.amountDue, next: plan.subscription, productName, asksFor };
}

/** Whether a page that showed this restart named the price that the restart has now (rule N6). */
export const namesPrice = (restart: RestartPreview | null, asksFor: string | null): boolean =>
  restart === null || restart.asksFor === null || restart.asksFor === asksFor;

/** The click on a page of the restart agrees to the new price of its period, if the price lacks a consent (rule N6). */
export function agreeToRestart(billing: CustomerBilling, subscription: Subscription, restart: RestartPreview | null) {
  if (restart?.asksFor) consent(billing, subscription);
}

/**
 * Begins a new period at `at`: everything that was owed is paid, and the former period is over (rules D8d, D8g).
 * Returns the invoice of the new period.
 */
export function restartSubscription(billing: CustomerBilling, subscription: Subscription, at: Instant): Bill {
  const possible = dropImpossibleChange(billing, subscription, at);
  const period = nextPeriodOf(billing, recovered(beginNewPrice(billing, possible, at)), at);
  const { plan } = period;
  const back = recordSubscription(billing, plan.subscription, recoveredEvent(subscription), at);
  const next = recordSubscription(billing, back, plan.event, at);
  const bill = billPeriod(billing, next, period, at, true);
  syncSubscriptionGrants(billing, next, recoveredReason(subscription), at);
  return bill;
}
