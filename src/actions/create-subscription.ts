import type { Context } from "../context.ts";
import { formatInstant, LAST_CLOCK, type Instant, type Period } from "../domain/calendar.ts";
import { minimumCharge } from "../domain/currency.ts";
import { fullLine } from "../domain/invoice.ts";
import { beginSubscription, type FirstPeriod } from "../domain/new-subscription.ts";
import { periodAt, startPeriods } from "../domain/period.ts";
import { periodOf, type Product } from "../domain/product.ts";
import type { Subscription } from "../domain/subscription.ts";
import { billedOf } from "../domain/tax.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import { presentSubscription, subscriptionETag, type CreateSubscriptionParams } from "../resources/subscription.ts";
import { readOrganization } from "../store/organizations.ts";
import { subscriptions, useTrial } from "../store/subscriptions.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { cardOf, collectInvoice } from "./collect-invoice.ts";
import { findProduct, requireSale, workOnNamed } from "./find-sale.ts";
import { requireFreeGroup } from "./group.ts";
import { issueInvoice, quote, taxOn } from "./issue-invoice.ts";
import { recordSubscription } from "./record.ts";
import { runDue, runDueAtRest } from "./run-due.ts";
import { chargeFailed } from "./settle-invoice.ts";
import { syncSubscriptionGrants } from "./sync-grants.ts";
import { providerOf, type Work } from "./work.ts";

/** `POST /subscriptions`: one that no Checkout sold. @throws AppError 409 `already_subscribed`, `payment_provider_missing`, 422 */
export async function createSubscription(ctx: Context, call: Call, params: CreateSubscriptionParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const { organization, now } = await readOrganization(tx, call.organizationId);
    const { product, price } = requireSale(await findProduct(tx, organization.id, params), organization, params);
    const period = requirePeriod(product, params);
    const work = (await workOnNamed(ctx, tx, organization.id, { ...params, customer: null }, now))!;
    await runDue(work);
    await requireFreeGroup(work, product.groupKey);
    const amount = requireAmount(params.amount ?? price.amount, price.currency);
    if (amount > 0 && !providerOf(ctx, organization)) throw new AppError("payment_provider_missing");
    const imported = params.startedAt !== null;
    const tax = taxOn(work, null);
    const draft = beginSubscription({
      organizationId: organization.id,
      id: newId("sub"),
      customerId: work.customer.id,
      productId: product.id,
      checkoutId: null,
      groupKey: product.groupKey,
      currency: price.currency,
      amount,
      periods: firstPeriod(work, params, period),
      paidRate: params.trialEnd === null ? billedOf(amount, tax) : 0,
      paidTax: params.trialEnd === null ? tax : null,
      discount: null,
      customerNamed: true,
      cardMissing: work.customer.defaultPaymentMethodId === null,
      paymentMethodId: null,
      billing: null,
      metadata: params.metadata,
      startedAt: params.startedAt ?? work.now,
      simulated: organization.clockAt !== null,
      createdAt: work.now,
    });
    const subscription = await begin(work, draft, product, imported);
    const { externalId } = work.customer;
    return answer(201, presentSubscription(subscription, externalId), { ETag: subscriptionETag(subscription, externalId) });
  });
}

function requirePeriod(product: Product, { productId }: CreateSubscriptionParams): Period {
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
function firstPeriod(
  { now, organization }: Work,
  { startedAt, anchorAt, trialEnd }: CreateSubscriptionParams,
  period: Period,
): FirstPeriod {
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

async function begin(work: Work, draft: Subscription, product: Product, imported: boolean): Promise<Subscription> {
  const { tx, organization, customer, now } = work;
  const subscription = await recordSubscription(work, draft, "subscription.created", now);
  if (subscription.trialEnd !== null && subscription.groupKey !== null)
    await useTrial(tx, organization.id, customer.id, subscription.groupKey, subscription.id);
  await syncSubscriptionGrants(work, subscription, subscription.trialEnd === null ? "purchased" : "trial_started", now);
  if (subscription.trialEnd === null && !imported) await billFirstPeriod(work, subscription, product);
  await runDueAtRest(work);
  return (await subscriptions.find(tx, organization.id, subscription.id))!;
}

/** As a renewal is: invoice first, then its charge off-session; without a card it is past due at once (rule S). */
async function billFirstPeriod(work: Work, subscription: Subscription, { id, name }: Product): Promise<void> {
  const { now } = work;
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
    totals: await quote(work, subscription.currency, [line]),
    metadata: subscription.metadata,
    billing: null,
  } as const;
  const bill = await issueInvoice(work, order, now);
  if (bill.invoice.status !== "open") return;
  const method = await cardOf(work, subscription);
  if (method) await collectInvoice(work, bill.invoice, method, "renewal", now);
  else await chargeFailed(work, bill, subscription, { purpose: "renewal" }, now);
}
