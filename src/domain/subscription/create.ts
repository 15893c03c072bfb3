import { newId } from "../../ids.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import { requireFreeGroup } from "../collection/group.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import { taxOn } from "../invoice/order.ts";
import type { Sale } from "../model/checkout-sale.ts";
import { runDueAtRest } from "../collection/due.ts";
import { collectOwed } from "../collection/failure.ts";
import { beginSubscription } from "../model/new-subscription.ts";
import { unitAmountOf } from "../model/quantity.ts";
import type { Subscription } from "../model/subscription.ts";
import { cardOf } from "../payment/card.ts";
import { Refusal } from "../refusal.ts";
import { billedOf } from "../tax/tax.ts";
import { type AskedSubscription, firstPeriod, requirePeriod, requireWholeUnits } from "./creation-request.ts";
import { useTrial } from "./used-trial.ts";
import { quote } from "../balance/quote.ts";
import { fullLine } from "../model/invoice.ts";
import { issueInvoice } from "../invoice/issue.ts";
import type { Bill } from "../invoice/bills.ts";
import type { Product } from "../model/product.ts";

/**
 * Drafts a Subscription without a Checkout.
 * @throws Refusal 409 `already_subscribed`, `payment_provider_missing`, 422
 */
function draftSubscription(billing: CustomerBilling, sale: Sale, asked: AskedSubscription): Subscription {
  const { product, quantity, price } = sale;
  const { organization, customer, now } = billing;
  const period = requirePeriod(product, asked);
  requireFreeGroup(billing, product.groupKey);
  const amount = requireWholeUnits(asked.amount ?? price.amount, quantity, price.currency);
  if (amount > 0 && !billing.loaded.hasProvider) throw new Refusal("payment_provider_missing");
  const tax = taxOn(billing, null);
  return beginSubscription({
    organizationId: organization.id,
    id: newId("sub"),
    customerId: customer.id,
    productId: product.id,
    checkoutId: null,
    groupKey: product.groupKey,
    currency: price.currency,
    amount,
    quantity,
    ownPrice: asked.amount === null ? null : { productId: product.id, unitAmount: unitAmountOf({ amount, quantity }) },
    imported: null,
    fieldAnswers: null,
    periods: firstPeriod(billing, asked, period),
    paidRate: asked.trialEnd === null ? billedOf(amount, tax) : 0,
    paidTax: asked.trialEnd === null ? tax : null,
    discount: null,
    claimed: true,
    cardMissing: cardOf(billing, { paymentMethodId: null, claimed: true }) === null,
    paymentMethodId: null,
    billing: null,
    metadata: asked.metadata,
    startedAt: asked.startedAt ?? now,
    simulated: organization.clockAt !== null,
    createdAt: now,
  });
}

/**
 * Bills the first period as a renewal is billed: `collectOwed` charges the invoice off-session. Without a
 * card the Subscription is past due at once (rule S).
 */
function billFirstPeriod(billing: CustomerBilling, subscription: Subscription, product: Product): Bill {
  const { now } = billing;
  const span = { start: subscription.currentPeriodStart, end: subscription.currentPeriodEnd };
  const { id, name, unitName } = product;
  const { amount: price, quantity, currency } = subscription;
  const line = fullLine({ id, name, price, quantity, unitName, currency }, span, {
    discount: null,
    tax: subscription.paidTax,
  });
  const order = {
    reason: "renewal",
    subscriptionId: subscription.id,
    checkoutId: null,
    periodNumber: subscription.periodNumber,
    span,
    currency,
    lines: [line],
    waiting: [],
    totals: quote(billing, currency, [line]),
    fieldAnswers: null,
    metadata: subscription.metadata,
    billing: null,
  } as const;
  return issueInvoice(billing, order, now);
}

/**
 * Begins a Subscription without a Checkout.
 * @throws Refusal 409 `already_subscribed`, `payment_provider_missing`, 422
 */
export function createSubscription(billing: CustomerBilling, sale: Sale, asked: AskedSubscription): Subscription {
  const { now } = billing;
  const draft = draftSubscription(billing, sale, asked);
  const subscription = recordSubscription(billing, draft, "subscription.created", now);
  if (subscription.trialEnd !== null) useTrial(billing, subscription);
  syncSubscriptionGrants(billing, subscription, subscription.trialEnd === null ? "purchased" : "trial_started", now);
  if (subscription.trialEnd === null && asked.startedAt === null)
    collectOwed(billing, billFirstPeriod(billing, subscription, sale.product));
  runDueAtRest(billing);
  return billing.subscriptions.get(subscription.id)!;
}
