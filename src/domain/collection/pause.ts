import type { CustomerBilling } from "../billing/customer-billing.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import type { Bill } from "../invoice/bills.ts";
import { begunLately } from "../model/pause.ts";
import { nextStatus, type Subscription } from "../model/subscription.ts";
import { nextPeriodOf, type NextPeriod } from "./next-period.ts";
import { recordSubscription } from "./record-subscription.ts";
import { isRefusedAt } from "../model/scheduled-price.ts";
import { beginNewPrice } from "./price-change.ts";
import { billPeriod, dropImpossibleChange, endUnaccepted } from "./renew.ts";

/** Begins the pause that is scheduled for the end of the period: no period and no invoice follow (rules S8d, S8e). */
export function beginPause(billing: CustomerBilling, subscription: Subscription): void {
  const at = subscription.currentPeriodEnd;
  const paused = {
    ...subscription,
    status: nextStatus(subscription.status, "paused"),
    grantsSuspended: subscription.pause!.access === "revoke",
    pausesBegun: [...begunLately(subscription, at), at],
  };
  const next = recordSubscription(billing, paused, "subscription.paused", at);
  syncSubscriptionGrants(billing, next, "subscription_paused", at);
}

/** The period that begins if the Subscription resumes at `at`. No row changes (rules S8g, P8). */
export const resumedPeriodOf = (billing: CustomerBilling, subscription: Subscription, at: Instant): NextPeriod =>
  nextPeriodOf(billing, { ...subscription, status: "paused" }, at);

/**
 * Ends the pause at its planned resume: by a new period, or by the end of the Subscription if the Customer has not
 * agreed to the price of that period (rules N6, S8g). Returns the resulting invoice, if any.
 */
export function resumeAsPlanned(billing: CustomerBilling, subscription: Subscription, at: Instant): Bill | null {
  return isRefusedAt(subscription.priceChange, at)
    ? endUnaccepted(billing, subscription, at)
    : resumeSubscription(billing, subscription, at);
}

/**
 * Ends the pause at `at`, which is the anchor of the new period. Grants that the pause revoked come back once the
 * period's invoice is settled (rules S8g, S8h). Returns the invoice: `collectOwed` charges it.
 */
export function resumeSubscription(billing: CustomerBilling, subscription: Subscription, at: Instant): Bill {
  const isOff = subscription.grantsSuspended;
  const priced = beginNewPrice(billing, dropImpossibleChange(billing, subscription, at), at);
  const period = resumedPeriodOf(billing, priced, at);
  const resumed = { ...period.plan.subscription, grantsSuspended: isOff && period.totals.amountDue > 0 };
  const next = recordSubscription(billing, resumed, period.plan.event, at);
  const bill = billPeriod(billing, next, period, at, true);
  syncSubscriptionGrants(billing, next, isOff ? "subscription_resumed" : "product_changed", at);
  return bill;
}
