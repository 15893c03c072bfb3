import type { Account } from "../account/account.ts";
import { recordCheckout, recordSubscription } from "../account/record.ts";
import { syncPurchaseGrants, syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { checkoutTotals, type Checkout } from "../checkout.ts";
import { beginAgreedDiscount } from "../discount.ts";
import { fullLine, totalsOf } from "../invoice.ts";
import { issueInvoice } from "../invoice/issue.ts";
import { payInvoice } from "../invoice/pay.ts";
import { beginSubscription } from "../new-subscription.ts";
import { keepCard } from "../payment/new-card.ts";
import type { Payment } from "../payment.ts";
import { startPeriods, trialPeriod } from "../period.ts";
import type { Subscription } from "../subscription.ts";
import { newId } from "../../ids.ts";

/**
 * Turns a Checkout whose payment succeeded (or that needs none) into what was bought: Subscription or one-time purchase, paid invoice,
 * ledger, grants, events (rule C1). No rule can refuse it any more.
 */
export function completeCheckout(account: Account, checkout: Checkout, payment: Payment | null): Checkout {
  const at = account.now;
  const ownCard = payment ? keepCard(account, checkout, payment.paymentMethodId) : null;
  const id = payment?.subscriptionId ?? newId("sub");
  const draft = checkout.interval === null ? null : newSubscription(account, checkout, id, ownCard, at);
  const completed: Checkout = { ...checkout, status: "completed", completedAt: at, dueAt: null, lastPaymentError: null };
  const subscription = draft && recordSubscription(account, draft, "subscription.created", at);
  if (subscription?.trialEnd) useTrial(account, subscription);
  const invoiceId = subscription?.trialEnd ? null : billPurchase(account, checkout, subscription, payment, at);
  if (subscription) syncSubscriptionGrants(account, subscription, subscription.trialEnd ? "trial_started" : "purchased", at);
  else if (invoiceId) syncPurchaseGrants(account, invoiceId, checkout.productId, "purchased", at);
  return recordCheckout(account, { ...completed, subscriptionId: subscription?.id ?? null, invoiceId }, "checkout.completed", at);
}

/** Notes that the Customer has used the trial of a group: there is one for each (rule C2). */
export function useTrial(account: Account, { id, groupKey }: Subscription): void {
  if (groupKey === null) return;
  account.need({ part: "trials" });
  if (!account.trials.get(groupKey)) account.trials.put({ id: groupKey, subscriptionId: id });
}

function newSubscription(
  { organization, customer }: Account,
  checkout: Checkout,
  id: string,
  paymentMethodId: string | null,
  at: Instant,
): Subscription {
  const period = { interval: checkout.interval!, intervalCount: checkout.intervalCount! };
  const trial = checkout.trialDays === null ? null : trialPeriod(at, organization.timeZone, checkout.trialDays, period);
  const periods = trial ?? startPeriods(at, organization.timeZone, period);
  const span = { start: periods.currentPeriodStart, end: periods.currentPeriodEnd };
  const { subtotalAmount, discountAmount } = checkoutTotals(checkout);
  const { productId, groupKey, currency, amount, customerNamed, metadata } = checkout;
  return beginSubscription({
    organizationId: organization.id,
    id,
    customerId: customer.id,
    productId,
    checkoutId: checkout.id,
    groupKey,
    currency,
    amount,
    periods,
    paidRate: subtotalAmount - discountAmount,
    paidTax: trial ? null : (checkout.tax?.rate ?? null),
    discount: trial ? checkout.discount : beginAgreedDiscount(checkout.discount, span, organization.timeZone),
    customerNamed,
    cardMissing: paymentMethodId === null && (!customerNamed || customer.defaultPaymentMethodId === null),
    paymentMethodId,
    billing: customerNamed ? null : checkout.billing,
    metadata,
    startedAt: at,
    simulated: organization.clockAt !== null,
    createdAt: at,
  });
}

/** One line at the price of the Checkout, paid by its payment; the balance is not used (rule M4). Answers the invoice's id. */
function billPurchase(
  account: Account,
  checkout: Checkout,
  subscription: Subscription | null,
  payment: Payment | null,
  at: Instant,
): string {
  const span = subscription && { start: subscription.currentPeriodStart, end: subscription.currentPeriodEnd };
  const product = { id: checkout.productId, name: checkout.productName, price: checkout.amount };
  const line = fullLine(product, span, { discount: checkout.discount, tax: checkout.tax?.rate ?? null });
  const order = {
    id: payment?.invoiceId ?? undefined,
    reason: "checkout",
    subscriptionId: subscription?.id ?? null,
    checkoutId: checkout.id,
    periodNumber: subscription?.periodNumber ?? null,
    span,
    currency: checkout.currency,
    lines: [line],
    waiting: [],
    totals: totalsOf([line], 0, 0),
    metadata: checkout.metadata,
    billing: checkout.customerNamed ? null : checkout.billing,
  } as const;
  const bill = issueInvoice(account, order, at);
  if (bill.invoice.status === "open") payInvoice(account, bill, at);
  return bill.invoice.id;
}
