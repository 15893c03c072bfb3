import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { checkoutTotals, type Checkout } from "../model/checkout.ts";
import { beginAgreedDiscount } from "../model/discount.ts";
import { fullLine, NO_LIMITS, totalsOf, type LineDraft, type Totals } from "../model/invoice.ts";
import { issueInvoice } from "../invoice/issue.ts";
import { payInvoice } from "../invoice/pay.ts";
import { cardOf } from "../payment/card.ts";
import { beginSubscription } from "../model/new-subscription.ts";
import type { Payment } from "../model/payment.ts";
import { startPeriods, trialPeriod } from "../model/period.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * Drafts the Subscription that a Checkout sells, with its trial or with a paid first period. The Subscription keeps the
 * values of own fields (rule C14d).
 */
export function boughtSubscription(
  billing: Pick<CustomerBilling, "cards" | "customer" | "organization">,
  checkout: Checkout,
  id: string,
  paymentMethodId: string | null,
  at: Instant,
): Subscription {
  const { organization, customer } = billing;
  const period = { interval: checkout.interval!, intervalCount: checkout.intervalCount! };
  const trial = checkout.trialDays === null ? null : trialPeriod(at, organization.timeZone, checkout.trialDays, period);
  const periods = trial ?? startPeriods(at, organization.timeZone, period);
  const span = { start: periods.currentPeriodStart, end: periods.currentPeriodEnd };
  const { subtotalAmount, discountAmount } = checkoutTotals(checkout);
  const { productId, groupKey, currency, amount, quantity, customerNamed, metadata } = checkout;
  return beginSubscription({
    organizationId: organization.id,
    id,
    customerId: customer.id,
    productId,
    checkoutId: checkout.id,
    groupKey,
    currency,
    amount,
    quantity,
    ownPrice: null,
    imported: null,
    fieldAnswers: checkout.fieldAnswers,
    periods,
    paidRate: subtotalAmount - discountAmount,
    paidTax: trial ? null : (checkout.tax?.rate ?? null),
    discount: trial ? checkout.discount : beginAgreedDiscount(checkout.discount, span, organization.timeZone),
    claimed: customerNamed,
    cardMissing: cardOf(billing, { paymentMethodId, claimed: customerNamed }) === null,
    paymentMethodId,
    billing: customerNamed ? null : checkout.billing,
    metadata,
    startedAt: at,
    simulated: organization.clockAt !== null,
    createdAt: at,
  });
}

/**
 * Issues the invoice of a purchase: one line at the Checkout's price. The balance settles the part that was reserved,
 * and the Checkout's payment pays the rest (rule C7). Returns the invoice's id.
 */
export function billPurchase(
  billing: CustomerBilling,
  checkout: Checkout,
  subscription: Subscription | null,
  payment: Payment | null,
  at: Instant,
): string {
  const span = subscription && { start: subscription.currentPeriodStart, end: subscription.currentPeriodEnd };
  const { productId, productName, amount: price, quantity, unitName, currency } = checkout;
  const product = { id: productId, name: productName, price, quantity, unitName, currency };
  const line = fullLine(product, span, { discount: checkout.discount, tax: checkout.tax?.rate ?? null });
  const order = {
    id: payment?.invoiceId ?? undefined,
    reason: "checkout",
    subscriptionId: subscription?.id ?? null,
    checkoutId: checkout.id,
    periodNumber: subscription?.periodNumber ?? null,
    span,
    currency,
    lines: [line],
    waiting: [],
    totals: settledTotals(checkout, line),
    fieldAnswers: checkout.fieldAnswers,
    metadata: checkout.metadata,
    billing: checkout.customerNamed ? null : checkout.billing,
  } as const;
  const bill = issueInvoice(billing, order, at);
  if (bill.invoice.status === "open") payInvoice(billing, bill, at);
  return bill.invoice.id;
}

/**
 * The totals of a purchase as its submission fixed them. If an operator has lowered the balance since, the balance
 * becomes a debt.
 */
function settledTotals({ settlement }: Checkout, line: LineDraft): Totals {
  const totals = totalsOf([line], 0, NO_LIMITS);
  if (!settlement) return totals;
  const { balanceApplied, basis: balanceBasis } = settlement;
  return { ...totals, balanceApplied, balanceBasis, amountDue: totals.totalAmount - balanceApplied };
}
