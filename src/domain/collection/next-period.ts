import type { CustomerBilling, CardRows } from "../billing/customer-billing.ts";
import { quote } from "../balance/quote.ts";
import { findProduct } from "../catalogue/find-product.ts";
import { waitingLines } from "../invoice/bills.ts";
import { taxOn } from "../invoice/order.ts";
import type { InvoiceLine, Totals } from "../model/invoice.ts";
import { cardOf } from "../payment/card.ts";
import { planRenewal, type RenewalPlan } from "../model/renewal.ts";
import { withNewPrice } from "../model/price-change.ts";
import type { Subscription } from "../model/subscription.ts";
import { isChangePossible } from "./pending-change.ts";

/** The next period of a Subscription: the columns that it sets, and the lines and totals of its invoice. */
export type NextPeriod = { current: Subscription; plan: RenewalPlan; waiting: InvoiceLine[]; totals: Totals };

/**
 * Decides the next period, assuming no other change before it begins (rule S). A pending change that is no longer
 * possible is dropped from `current`, and a new price that is due has begun there (rule N5). No row changes: the
 * renewal and its previews are the same decision (rules D8a, P8).
 */
export function nextPeriodOf(
  billing: CustomerBilling,
  subscription: Subscription,
  at = subscription.currentPeriodEnd,
): NextPeriod {
  const possible = isChangePossible(billing, subscription) ? subscription : { ...subscription, pendingChange: null };
  const current = withNewPrice(possible, at);
  const product = findProduct(billing, current.productId);
  const facts = {
    productName: product?.name ?? "",
    unitName: product?.unitName ?? null,
    timeZone: billing.organization.timeZone,
    tax: taxOn(billing, current.billing),
  };
  const plan = planRenewal(current, facts, at);
  const waiting = waitingLines(billing, current.id);
  return { current, plan, waiting, totals: quote(billing, current.currency, [...waiting, plan.line]) };
}

/**
 * Whether a trial ends with an amount due and without a card: the Subscription is then canceled without dunning
 * (rules C2, D10c).
 */
export function endsWithoutCard(billing: CardRows, { current, totals }: NextPeriod): boolean {
  return current.status === "trialing" && totals.amountDue > 0 && cardOf(billing, current) === null;
}
