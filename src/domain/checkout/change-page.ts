import type { Account } from "../account/account.ts";
import { recordCheckout } from "../account/record.ts";
import { instant, type Instant } from "../calendar.ts";
import { cardNeed, type Checkout } from "../checkout.ts";
import type { FrozenPlan } from "../frozen-plan.ts";
import { taxOn } from "../invoice/issue.ts";
import type { Metadata } from "../product.ts";
import { decideChange, freezePlan, type AskedProduct, type DecidedChange } from "../subscription/decide-change.ts";
import { nextPeriodOf } from "../subscription/renew.ts";
import type { Subscription } from "../subscription.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";

const MINUTE_MILLISECONDS = 60_000;
const DEFAULT_MINUTES = 24 * 60;
/** An hour less than a day, so that a reader of a day-old message finds the page closed rather than closing. */
const FINISHING_MINUTES = 23 * 60;

type Wishes = { successUrl: string | null; cancelUrl: string | null; expiresInMinutes: number | null; metadata: Metadata };

/** A Checkout that is not written yet, for the change that `plan` froze; its amounts are what the change came to just now. */
function newChangeCheckout(account: Account, subscription: Subscription, plan: FrozenPlan, wishes: Wishes): Checkout {
  const { organization, now } = account;
  const { target, asked, totals } = plan;
  const expiresAt = instant(now + (wishes.expiresInMinutes ?? DEFAULT_MINUTES) * MINUTE_MILLISECONDS);
  return {
    organizationId: organization.id,
    id: newId("chk"),
    status: "open",
    productId: target.productId,
    customerId: subscription.customerId,
    customerNamed: subscription.customerNamed,
    subscriptionId: subscription.id,
    invoiceId: null,
    productName: target.productName,
    // The change itself reserves its group (rule C4), not the Checkout.
    groupKey: null,
    currency: subscription.currency,
    amount: target.amount,
    interval: target.interval,
    intervalCount: target.intervalCount,
    trialDays: null,
    trialCard: "required",
    discount: subscription.discount,
    billing: null,
    tax: { rate: taxOn(account, subscription.billing) },
    change: { ...asked, totals },
    successUrl: wishes.successUrl,
    cancelUrl: wishes.cancelUrl,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    metadata: wishes.metadata,
    expiresAt,
    completedAt: null,
    dueAt: expiresAt,
    simulated: organization.clockAt !== null,
    version: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The page for a change that could not be paid (rule P1): the buyer authenticates there or gives another card. Only the 402 tells of the
 * page: a change that failed makes no event but that of its payment.
 */
export function openFinishingPage(account: Account, subscription: Subscription, plan: FrozenPlan): Checkout {
  const wishes = { successUrl: null, cancelUrl: null, expiresInMinutes: FINISHING_MINUTES, metadata: {} };
  return recordCheckout(account, newChangeCheckout(account, subscription, plan, wishes), null, account.now);
}

/** Makes a Checkout that changes a Subscription once it is paid, as `invoice_now` does (rule C6). @throws AppError 409, 422 */
export function createChangeCheckout(
  account: Account,
  subscription: Subscription,
  params: AskedProduct & Wishes & { currency: string | null },
): Checkout {
  if (params.currency !== null && params.currency !== subscription.currency)
    throw invalid("/currency", "other_currency", `The Subscription is in ${subscription.currency}, for good.`);
  const asked = { productId: params.productId, productKey: params.productKey, prorationBehavior: "invoice_now" } as const;
  const plan = freezePlan(account, subscription, decideChange(account, subscription, asked, account.now));
  if (!plan) throw new AppError("already_subscribed", { extra: { subscriptionId: subscription.id } });
  const draft = newChangeCheckout(account, subscription, plan, params);
  if (cardNeed(draft) !== "none" && !account.loaded.hasProvider) throw new AppError("payment_provider_missing");
  return recordCheckout(account, draft, "checkout.created", account.now);
}

/** For so long a page may show amounts before they are reckoned anew: they change with every moment of a period. */
const QUOTE_MILLISECONDS = 30 * MINUTE_MILLISECONDS;

/** The change of a Checkout as of `at`. `plan` null: it changes nothing any more. */
export type CheckoutDecision = { at: Instant; decided: DecidedChange; plan: FrozenPlan | null };

/**
 * Decides the change of a Checkout as of the instant at which its page showed the change, if that is not long ago and the Subscription is
 * as it was then; else as of now. @throws AppError 409 when the Subscription can't be changed this way, 422 for its Product
 */
export function decideCheckout(
  account: Account,
  subscription: Subscription,
  checkout: Checkout,
  shownAt: Instant | null,
): CheckoutDecision {
  const { now } = account;
  const fresh = shownAt !== null && shownAt <= now && now - shownAt <= QUOTE_MILLISECONDS && shownAt >= subscription.updatedAt;
  const at = fresh ? shownAt : now;
  const { behavior: prorationBehavior, undo } = checkout.change!;
  const asked = { productId: checkout.productId, prorationBehavior, ...(undo ? { cancelAtPeriodEnd: false } : {}) };
  const agreed = { amount: checkout.amount, interval: checkout.interval!, intervalCount: checkout.intervalCount! };
  const decided = decideChange(account, subscription, asked, at, agreed);
  return { at, decided, plan: freezePlan(account, subscription, decided) };
}

/** The Checkout with the amounts of its change when that was decided, and with the price from the next period on. */
export function reckoned(account: Account, subscription: Subscription, checkout: Checkout, { set, totals }: FrozenPlan): Checkout {
  const after = { ...subscription, ...set };
  const { discount } = after;
  const { amount, interval, intervalCount } = nextPeriodOf(account, after).plan.subscription;
  const tax = { rate: taxOn(account, subscription.billing) };
  return { ...checkout, amount, interval, intervalCount, discount, tax, change: { ...checkout.change!, totals } };
}
