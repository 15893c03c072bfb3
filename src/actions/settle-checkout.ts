import type { Instant } from "../domain/calendar.ts";
import { challengeEndsAt, checkoutTotals, reopened, type Checkout } from "../domain/checkout.ts";
import { beginAgreedDiscount } from "../domain/discount.ts";
import { fullLine, totalsOf } from "../domain/invoice.ts";
import { beginSubscription } from "../domain/new-subscription.ts";
import type { Payment } from "../domain/payment.ts";
import { startPeriods, trialPeriod } from "../domain/period.ts";
import type { Subscription } from "../domain/subscription.ts";
import { newId } from "../ids.ts";
import { DECLINE_MESSAGES, type FailureCode } from "../domain/payment/outcome.ts";
import { checkouts } from "../store/checkouts.ts";
import { releaseDiscount } from "../store/discounts.ts";
import { useTrial } from "../store/subscriptions.ts";
import { keepCard } from "./default-card.ts";
import { issueInvoice, payInvoice } from "./issue-invoice.ts";
import { recordCheckout, recordSubscription } from "./record.ts";
import { completeChange, dropChange } from "./settle-checkout-change.ts";
import { syncPurchaseGrants, syncSubscriptionGrants } from "./sync-grants.ts";
import type { Work } from "./work.ts";

/** Carries a submitted Checkout on by the outcome of its payment. */
export async function settleCheckout(work: Work, payment: Payment): Promise<void> {
  const checkout = await checkouts.lock(work.tx, work.organization.id, payment.sourceId);
  if (!checkout || checkout.status !== "processing") throw new Error(`checkout ${payment.sourceId} is not being paid`);
  const at = work.now;
  if (payment.status === "requires_action") {
    await recordCheckout(work, { ...checkout, dueAt: challengeEndsAt(checkout) }, null, at);
  } else if (payment.status === "failed") {
    const code = payment.failureCode as FailureCode;
    if (checkout.change) await dropChange(work, checkout);
    else if (checkout.discount) await releaseDiscount(work.tx, checkout.organizationId, checkout.discount.id, checkout.id);
    const next = reopened(checkout, { code, message: DECLINE_MESSAGES[code] }, at);
    const failed = await recordCheckout(work, { ...next, status: "open" }, "checkout.payment_failed", at);
    if (next.status === "expired") await recordCheckout(work, { ...failed, status: "expired" }, "checkout.expired", at);
  } else {
    await (checkout.change ? completeChange : completeCheckout)(work, checkout, payment);
  }
}

/**
 * Turns a Checkout whose payment succeeded (or that needs none) into what was bought, in one transaction: Subscription or one-time
 * purchase, paid invoice, ledger, grants, events (rule C1). Nothing can refuse it any more.
 */
export async function completeCheckout(work: Work, checkout: Checkout, payment: Payment | null): Promise<Checkout> {
  const at = work.now;
  const ownCard = payment ? await keepCard(work, checkout, payment.paymentMethodId) : null;
  const draft = checkout.interval === null ? null : newSubscription(work, checkout, payment?.subscriptionId ?? newId("sub"), ownCard, at);
  const completed: Checkout = { ...checkout, status: "completed", completedAt: at, dueAt: null, lastPaymentError: null };
  // The Subscription's row comes before the invoice's, which refers to it.
  const subscription = draft && (await recordSubscription(work, draft, "subscription.created", at));
  if (subscription?.trialEnd && checkout.groupKey !== null) {
    await useTrial(work.tx, work.organization.id, work.customer.id, checkout.groupKey, subscription.id);
  }
  const invoiceId = subscription?.trialEnd ? null : await billPurchase(work, checkout, subscription, payment, at);
  if (subscription) await syncSubscriptionGrants(work, subscription, subscription.trialEnd ? "trial_started" : "purchased", at);
  else if (invoiceId) await syncPurchaseGrants(work, invoiceId, checkout.productId, "purchased", at);
  return recordCheckout(work, { ...completed, subscriptionId: subscription?.id ?? null, invoiceId }, "checkout.completed", at);
}

function newSubscription(work: Work, checkout: Checkout, id: string, paymentMethodId: string | null, at: Instant): Subscription {
  const { organization, customer } = work;
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

/** One line at the price of the Checkout, paid by its payment; the balance is not used (rule M4). */
async function billPurchase(
  work: Work,
  checkout: Checkout,
  subscription: Subscription | null,
  payment: Payment | null,
  at: Instant,
): Promise<string> {
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
  const bill = await issueInvoice(work, order, at);
  if (bill.invoice.status === "open") await payInvoice(work, bill, at);
  return bill.invoice.id;
}
