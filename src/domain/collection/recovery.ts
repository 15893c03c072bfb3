import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordSubscription } from "./record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { owedInvoicesOf } from "../invoice/bills.ts";
import { endSubscription } from "./end.ts";
import { isRefusedAt } from "../model/scheduled-price.ts";
import { endUnaccepted } from "./renew.ts";
import { chargeInvoice } from "./failure.ts";
import type { Invoice } from "../model/invoice.ts";
import { recovered, recoveredEvent, recoveredReason, restartSubscription } from "./restart.ts";
import { isResuming, isStalled, type Subscription } from "../model/subscription.ts";
import { cardOf } from "../payment/card.ts";
import type { Payment } from "../model/payment.ts";
import { planFailure } from "../model/retry-schedule.ts";

/**
 * Recovers a past-due or resuming Subscription once its last open invoice was paid, held or made void. `restarts`:
 * whether a new period begins if the last one is over (rules D8d, D8h, S8h).
 */
export function recoverIfSettled(
  billing: CustomerBilling,
  subscription: Subscription,
  restarts: boolean,
  at: Instant,
  last: Payment | null = null,
): void {
  if (subscription.status !== "past_due" && !isResuming(subscription)) return;
  if (owedInvoicesOf(billing, subscription.id).length > 0) return;
  if (restarts || !isStalled(subscription, at)) recover(billing, subscription, at, last);
}

/**
 * Ends dunning after all is paid; revoked grants come back (rule S). If the period is over, a new one begins
 * (rules D8c, D8d). `last`: the payment that paid the last open invoice, if a card paid it.
 */
export function recover(billing: CustomerBilling, subscription: Subscription, at: Instant, last: Payment | null): void {
  if (isStalled(subscription, at)) {
    if (isRefusedAt(subscription.priceChange, at)) return void endUnaccepted(billing, subscription, at);
    const { invoice } = restartSubscription(billing, subscription, at);
    return chargeRestart(billing, invoice, billing.subscriptions.get(subscription.id)!, last);
  }
  const next = recordSubscription(billing, recovered(subscription), recoveredEvent(subscription), at);
  syncSubscriptionGrants(billing, next, recoveredReason(subscription), at);
}

/**
 * Charges the restarted period to the card that the buyer gave to pay. If the schedule or an operator paid, the card on
 * file is charged.
 */
function chargeRestart(billing: CustomerBilling, invoice: Invoice, next: Subscription, last: Payment | null): void {
  if (invoice.status !== "open") return;
  const isGiven = last?.purpose === "page" || last?.purpose === "new_card";
  const given = isGiven && last.paymentMethodId !== null ? billing.cards.get(last.paymentMethodId) : null;
  const charge = { method: given ?? cardOf(billing, next), purpose: given ? "new_card" : "renewal" } as const;
  chargeInvoice(billing, invoice, next, charge, billing.now);
}

/**
 * Goes on where no invoice is open any more, because all became void. If the period is over, the scheduled retries run
 * out without a charge, since no payment restarts the Subscription (rule D8h).
 */
export function nothingOwed(
  billing: CustomerBilling,
  subscription: Subscription,
  at: Instant,
  purpose: "retry" | "new_card",
): void {
  if (!isStalled(subscription, at)) return recover(billing, subscription, at, null);
  if (purpose === "new_card") return;
  const plan = planFailure(subscription, purpose, billing.organization, at);
  if ("exhausted" in plan)
    endSubscription(billing, subscription, "dunning_exhausted", at, { reason: "payment_failed" });
  else recordSubscription(billing, { ...subscription, ...plan.change }, null, at);
}
