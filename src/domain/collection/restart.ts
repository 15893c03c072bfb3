import type { Account } from "../billing/customer-billing.ts";
import { recordSubscription } from "./record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { collectInvoice } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import { chargeFailed } from "./failure.ts";
import type { InvoicePurpose, PaymentMethod } from "../model/payment.ts";
import { nextPeriodOf } from "./next-period.ts";
import { billPeriod, dropImpossibleChange } from "./renew.ts";
import { nextStatus, NO_DUNNING, type Subscription } from "../model/subscription.ts";

/** The Subscription after dunning, in the period in progress. */
export const recovered = (subscription: Subscription): Subscription => ({
  ...subscription,
  ...NO_DUNNING,
  status: nextStatus(subscription.status, "all_paid"),
});

/**
 * Begins a new period at `at`: everything that was owed is paid, and the former period is over (rules D8d, D8g). The
 * new period is invoiced and charged. `paidWith`: the card that the buyer gave to pay; null: the schedule or an
 * operator paid, so the card on file is charged.
 */
export function restartSubscription(
  account: Account,
  subscription: Subscription,
  paidWith: PaymentMethod | null,
  at: Instant,
): void {
  const period = nextPeriodOf(account, recovered(dropImpossibleChange(account, subscription, at)), at);
  const { plan } = period;
  const back = recordSubscription(account, plan.subscription, "subscription.recovered", at);
  const next = recordSubscription(account, back, plan.event, at);
  const bill = billPeriod(account, next, period, at, true);
  syncSubscriptionGrants(account, next, "payment_recovered", at);
  if (bill.invoice.status !== "open") return;
  const purpose: InvoicePurpose = paidWith ? "new_card" : "renewal";
  const method = paidWith ?? cardOf(account, next);
  if (method) collectInvoice(account, bill.invoice, method, purpose, account.now);
  else chargeFailed(account, bill, next, { purpose }, account.now);
}
