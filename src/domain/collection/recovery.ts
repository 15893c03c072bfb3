import type { Account } from "../billing/customer-billing.ts";
import { recordSubscription } from "./record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { owedInvoicesOf } from "../invoice/bills.ts";
import { endSubscription } from "./end.ts";
import { recovered, restartSubscription } from "./restart.ts";
import { isStalled, type Subscription } from "../model/subscription.ts";
import type { Payment } from "../model/payment.ts";
import { planFailure } from "../model/retry-schedule.ts";

/**
 * Recovers a past-due Subscription once its last open invoice was paid outside or became void. `isPaid`: false for a
 * void invoice, which restarts no period (rule D8h).
 */
export function recoverIfSettled(account: Account, subscription: Subscription, isPaid: boolean, at: Instant): void {
  if (subscription.status !== "past_due" || owedInvoicesOf(account, subscription.id).length > 0) return;
  if (isPaid || !isStalled(subscription, at)) recover(account, subscription, at, null);
}

/**
 * Ends dunning after all is paid; revoked grants come back (rule S). If the period is over, a new one begins (rules
 * D8c, D8d). `last`: the payment that paid the last open invoice, if a card paid it.
 */
export function recover(account: Account, subscription: Subscription, at: Instant, last: Payment | null): void {
  if (isStalled(subscription, at)) {
    const given = last?.purpose === "page" || last?.purpose === "new_card" ? last.paymentMethodId : null;
    return restartSubscription(account, subscription, given === null ? null : account.cards.get(given), at);
  }
  const next = recordSubscription(account, recovered(subscription), "subscription.recovered", at);
  syncSubscriptionGrants(account, next, "payment_recovered", at);
}

/**
 * Goes on where no invoice is open any more, because all became void. If the period is over, the scheduled retries run
 * out without a charge, since no payment restarts the Subscription (rule D8h).
 */
export function nothingOwed(
  account: Account,
  subscription: Subscription,
  at: Instant,
  purpose: "retry" | "new_card",
): void {
  if (!isStalled(subscription, at)) return recover(account, subscription, at, null);
  if (purpose === "new_card") return;
  const plan = planFailure(subscription, purpose, account.organization, at);
  if ("exhausted" in plan)
    endSubscription(account, subscription, "dunning_exhausted", at, { reason: "payment_failed" });
  else recordSubscription(account, { ...subscription, ...plan.change }, null, at);
}
