import type { Account } from "../account/account.ts";
import { recordSubscription } from "../account/record.ts";
import { quote } from "../balance/quote.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import { formatInstant, LAST_CLOCK, type Instant, type Period } from "../calendar.ts";
import { useTrial } from "../checkout/complete.ts";
import type { NamedProduct, Sale } from "../checkout/sale.ts";
import { minimumCharge } from "../currency.ts";
import { runDueAtRest } from "../due.ts";
import { fullLine } from "../invoice.ts";
import { issueInvoice, taxOn } from "../invoice/issue.ts";
import { beginSubscription, type FirstPeriod } from "../new-subscription.ts";
import { collectInvoice } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import { chargeFailed } from "../payment/dunning.ts";
import { periodAt, startPeriods } from "../period.ts";
import { periodOf, type Metadata, type Product } from "../product.ts";
import type { Subscription } from "../subscription.ts";
import { billedOf } from "../tax.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { requireFreeGroup } from "./group.ts";

/** A Subscription as an operator asks for it. `startedAt` not null: it began elsewhere, and its period in progress is not billed. */
export type AskedSubscription = NamedProduct & {
  amount: number | null;
  startedAt: Instant | null;
  anchorAt: Instant | null;
  trialEnd: Instant | null;
  metadata: Metadata;
};

/** Begins a Subscription that no Checkout sold. @throws AppError 409 `already_subscribed`, `payment_provider_missing`, 422 */
export function createSubscription(account: Account, { product, price }: Sale, asked: AskedSubscription): Subscription {
  const { organization, customer, now } = account;
  const period = requirePeriod(product, asked);
  requireFreeGroup(account, product.groupKey);
  const amount = requireAmount(asked.amount ?? price.amount, price.currency);
  if (amount > 0 && !account.loaded.hasProvider) throw new AppError("payment_provider_missing");
  const tax = taxOn(account, null);
  const draft = beginSubscription({
    organizationId: organization.id,
    id: newId("sub"),
    customerId: customer.id,
    productId: product.id,
    checkoutId: null,
    groupKey: product.groupKey,
    currency: price.currency,
    amount,
    periods: firstPeriod(account, asked, period),
    paidRate: asked.trialEnd === null ? billedOf(amount, tax) : 0,
    paidTax: asked.trialEnd === null ? tax : null,
    discount: null,
    customerNamed: true,
    cardMissing: customer.defaultPaymentMethodId === null,
    paymentMethodId: null,
    billing: null,
    metadata: asked.metadata,
    startedAt: asked.startedAt ?? now,
    simulated: organization.clockAt !== null,
    createdAt: now,
  });
  const subscription = recordSubscription(account, draft, "subscription.created", now);
  if (subscription.trialEnd !== null) useTrial(account, subscription);
  syncSubscriptionGrants(account, subscription, subscription.trialEnd === null ? "purchased" : "trial_started", now);
  if (subscription.trialEnd === null && asked.startedAt === null) billFirstPeriod(account, subscription, product);
  runDueAtRest(account);
  return account.subscriptions.get(subscription.id)!;
}

export function requirePeriod(product: Product, { productId }: NamedProduct): Period {
  const period = periodOf(product);
  if (period) return period;
  const pointer = productId === null ? "/productKey" : "/productId";
  throw invalid(pointer, "product_not_recurring", "The Product is sold once; a Subscription needs a recurring one.");
}

function requireAmount(amount: number, currency: string): number {
  const minimum = minimumCharge(currency);
  if (amount === 0 || amount >= minimum) return amount;
  throw invalid("/amount", "below_minimum", `An amount is 0 or at least ${minimum} in ${currency}.`);
}

/** The trial, the period in progress of one that began elsewhere, or one that begins now. */
function firstPeriod({ now, organization }: Account, { startedAt, anchorAt, trialEnd }: AskedSubscription, period: Period): FirstPeriod {
  const { timeZone } = organization;
  const requirePast = (at: Instant | null, pointer: string) => {
    if (at !== null && at > now) throw invalid(pointer, "in_the_future", `This must not be later than now, ${formatInstant(now)}.`);
  };
  requirePast(startedAt, "/startedAt");
  requirePast(anchorAt, "/anchorAt");
  if (trialEnd === null) {
    return startedAt === null ? startPeriods(now, timeZone, period) : periodAt(anchorAt ?? startedAt, timeZone, period, now);
  }
  if (trialEnd <= now) throw invalid("/trialEnd", "in_the_past", `A trial ends later than now, ${formatInstant(now)}.`);
  if (trialEnd > LAST_CLOCK) throw invalid("/trialEnd", "out_of_range", "A trial ends in the year 9900 at the latest.");
  const trialStart = startedAt ?? now;
  const span = { currentPeriodStart: trialStart, currentPeriodEnd: trialEnd };
  return { ...period, ...span, anchorAt: trialEnd, anchorTimeZone: timeZone, anchorIndex: 0, trialStart, trialEnd };
}

/** As a renewal is: invoice first, then its charge off-session; without a card it is past due at once (rule S). */
function billFirstPeriod(account: Account, subscription: Subscription, { id, name }: Product): void {
  const { now } = account;
  const span = { start: subscription.currentPeriodStart, end: subscription.currentPeriodEnd };
  const product = { id, name, price: subscription.amount };
  const line = fullLine(product, span, { discount: null, tax: subscription.paidTax });
  const order = {
    reason: "renewal",
    subscriptionId: subscription.id,
    checkoutId: null,
    periodNumber: subscription.periodNumber,
    span,
    currency: subscription.currency,
    lines: [line],
    waiting: [],
    totals: quote(account, subscription.currency, [line]),
    metadata: subscription.metadata,
    billing: null,
  } as const;
  const bill = issueInvoice(account, order, now);
  if (bill.invoice.status !== "open") return;
  const method = cardOf(account, subscription);
  if (method) collectInvoice(account, bill.invoice, method, "renewal", now);
  else chargeFailed(account, bill, subscription, { purpose: "renewal" }, now);
}
