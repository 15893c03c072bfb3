import type { Account } from "../billing/customer-billing.ts";
import { quote } from "../balance/quote.ts";
import { findProduct } from "../catalogue/find-product.ts";
import { waitingLines } from "../invoice/bills.ts";
import { taxOn } from "../invoice/order.ts";
import type { InvoiceLine, Totals } from "../model/invoice.ts";
import { cardOf } from "../payment/card.ts";
import { planRenewal, type RenewalPlan } from "../model/renewal.ts";
import type { Subscription } from "../model/subscription.ts";
import { isChangePossible } from "./pending-change.ts";

/** The next period of a Subscription: the columns that it sets, and the lines and totals of its invoice. */
export type NextPeriod = { current: Subscription; plan: RenewalPlan; waiting: InvoiceLine[]; totals: Totals };

/**
 * Decides the next period, assuming no other change before it begins (rule S). A pending change that is no longer
 * possible is dropped from `current`. No row changes: the renewal and its previews are the same decision (rules D8a,
 * P8).
 */
export function nextPeriodOf(
  account: Account,
  subscription: Subscription,
  at = subscription.currentPeriodEnd,
): NextPeriod {
  const current = isChangePossible(account, subscription) ? subscription : { ...subscription, pendingChange: null };
  const facts = {
    productName: findProduct(account, current.productId)?.name ?? "",
    timeZone: account.organization.timeZone,
    tax: taxOn(account, current.billing),
  };
  const plan = planRenewal(current, facts, at);
  const waiting = waitingLines(account, current.id);
  return { current, plan, waiting, totals: quote(account, current.currency, [...waiting, plan.line]) };
}

/**
 * Whether a trial ends with an amount due and without a card: the Subscription is then canceled without dunning (rules
 * C2, D10c).
 */
export function endsWithoutCard(account: Account, { current, totals }: NextPeriod): boolean {
  return current.status === "trialing" && totals.amountDue > 0 && cardOf(account, current) === null;
}
