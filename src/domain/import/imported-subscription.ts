import { newId } from "../../ids.ts";
import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { isSoldOtherwise, syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { runDueAtRest } from "../collection/due.ts";
import { alreadySubscribed, requireFreeGroup } from "../collection/group.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { taxOn } from "../invoice/order.ts";
import { requireAmount, requireTotal, type Sale } from "../model/checkout-sale.ts";
import { discountOn, type HeldDiscount } from "../model/discount.ts";
import type { ImportedFrom, ImportSource } from "../model/imported.ts";
import { importedPeriod } from "../model/imported-period.ts";
import { restOfDiscount } from "../model/imported-discount.ts";
import { beginSubscription } from "../model/new-subscription.ts";
import { periodOf, priceIn, type Metadata } from "../model/product.ts";
import { isHeldForImport, nextStatus, NO_CANCELLATION, type Subscription } from "../model/subscription.ts";
import { cardOf } from "../payment/card.ts";
import { Refusal } from "../refusal.ts";
import { useTrial } from "../subscription/used-trial.ts";
import { billedOf } from "../tax/tax.ts";

/**
 * A subscription as another system has it (rule V3). `unitAmount`: minor units. `anchorAt`: the instant from which its
 * periods are counted. `trialEnd` not null: the period in progress is a trial, and ends then. `cancelAt`: a planned
 * end, at the end of the period in progress at the latest.
 */
export type ImportedTerms = {
  source: ImportSource;
  ref: string;
  quantity: number;
  unitAmount: number;
  startedAt: Instant;
  periodStart: Instant;
  periodEnd: Instant;
  anchorAt: Instant;
  trialEnd: Instant | null;
  cancelAt: Instant | null;
  /** `startedAt` and `endsAt`: of the other system. `startedAt` null: the discount begins with the next invoice. */
  discount: HeldDiscount | null;
  /** The Subscription's own card; null: the Customer's default card. */
  paymentMethodId: string | null;
  metadata: Metadata;
};

/** The Product of an import, and the currency. The quantity and the price come from the other system. */
export type ImportedSale = { product: Sale["product"]; price: Pick<Sale["price"], "currency"> };

type Hold = Pick<ImportedFrom, "isHeld">;

/** The columns that the other system decides. */
function columnsOf(
  billing: CustomerBilling,
  { product, price: { currency } }: ImportedSale,
  terms: ImportedTerms,
  { isHeld }: Hold,
) {
  const { organization, now } = billing;
  const { source, ref, quantity, unitAmount, startedAt, trialEnd, cancelAt, paymentMethodId, metadata } = terms;
  const length = periodOf(product);
  if (length === null) throw new Refusal("product_not_recurring", { field: "/productKey" });
  const amount = requireAmount(requireTotal(unitAmount, quantity, currency), currency, "/amount");
  if (amount > 0 && !billing.loaded.hasProvider) throw new Refusal("payment_provider_missing");
  const periods = importedPeriod(endedPeriod(terms), organization.timeZone, length);
  const discount = restOfDiscount(terms.discount, periods);
  const tax = taxOn(billing, null);
  const span = { start: periods.currentPeriodStart, end: periods.currentPeriodEnd };
  const running = discount?.startedAt == null ? null : discount;
  const off = discountOn(running, { productId: product.id, price: amount }, span);
  const isCatalogue = priceIn(product, currency) === unitAmount;
  return {
    productId: product.id,
    groupKey: product.groupKey,
    currency,
    amount,
    quantity,
    ownPrice: isCatalogue ? null : { productId: product.id, unitAmount },
    imported: { source, ref, isHeld },
    ...periods,
    paidRate: trialEnd === null ? billedOf(amount - off, tax) : 0,
    paidTax: trialEnd === null ? tax : null,
    discount,
    ...(cancelAt === null ? NO_CANCELLATION : plannedEnd(terms, cancelAt, now)),
    cardMissing: cardOf(billing, { paymentMethodId, claimed: true }) === null,
    paymentMethodId,
    metadata,
    startedAt,
  };
}

/** A planned end within the period in progress ends the period: a period ends with its Subscription (rule S1). */
function endedPeriod(terms: ImportedTerms): ImportedTerms {
  const { cancelAt, periodEnd, trialEnd } = terms;
  if (cancelAt === null || cancelAt >= (trialEnd ?? periodEnd)) return terms;
  return { ...terms, periodEnd: cancelAt, trialEnd: trialEnd === null ? null : cancelAt };
}

/** @throws RangeError for an end after a later period, which a Subscription can't have (rule S1) */
function plannedEnd({ periodEnd, trialEnd }: ImportedTerms, cancelAt: Instant, now: Instant) {
  if (cancelAt > (trialEnd ?? periodEnd)) throw new RangeError("the end is planned for a later period");
  return { ...NO_CANCELLATION, cancelAtPeriodEnd: true, cancelAt, canceledAt: now };
}

/**
 * Makes a Subscription from one of another system. While it is held, no work is due on it (rule V1). Makes no e-mail
 * and no invoice.
 * @throws Refusal 409 `already_subscribed`, `payment_provider_missing`, 422 for an amount or a Product that can't be
 * sold
 */
export function importSubscription(
  billing: CustomerBilling,
  sale: ImportedSale,
  terms: ImportedTerms,
  hold: Hold,
): Subscription {
  const { organization, customer, now } = billing;
  requireFreeGroup(billing, sale.product.groupKey);
  const { trialStart, trialEnd, cancelAtPeriodEnd, cancelAt, canceledAt, ...columns } = columnsOf(
    billing,
    sale,
    terms,
    hold,
  );
  const draft = beginSubscription({
    organizationId: organization.id,
    id: newId("sub"),
    customerId: customer.id,
    checkoutId: null,
    ...columns,
    periods: { ...columns, trialStart, trialEnd },
    claimed: true,
    billing: null,
    fieldAnswers: null,
    simulated: organization.clockAt !== null,
    createdAt: now,
  });
  const planned = { ...draft, cancelAtPeriodEnd, cancelAt, canceledAt };
  const subscription = recordSubscription(billing, planned, "subscription.created", now);
  if (subscription.trialEnd !== null) useTrial(billing, subscription);
  syncSubscriptionGrants(billing, subscription, subscription.trialEnd === null ? "purchased" : "trial_started", now);
  if (!hold.isHeld) runDueAtRest(billing);
  return billing.subscriptions.get(subscription.id)!;
}

/** The Product that a held Subscription has already. */
function present(billing: CustomerBilling, { productId, currency }: Subscription): ImportedSale {
  billing.need({ part: "product", id: productId });
  return { product: billing.products.get(productId)!, price: { currency } };
}

function take(
  billing: CustomerBilling,
  subscription: Subscription,
  terms: ImportedTerms,
  hold: Hold,
  sale: ImportedSale,
): Subscription {
  if (subscription.status === "canceled" || !isHeldForImport(subscription))
    throw new Error(`the subscription ${subscription.id} is not held for an import`);
  const { groupKey } = sale.product;
  const other = liveSubscriptions(billing).find((each) => each.groupKey === groupKey && each.id !== subscription.id);
  if (other && groupKey !== null) throw alreadySubscribed({ subscriptionId: other.id, checkoutId: null });
  const columns = columnsOf(billing, sale, terms, hold);
  const status = nextStatus(null, columns.trialEnd === null ? "purchased" : "trial_started");
  const planned = { canceledAt: columns.canceledAt && (subscription.canceledAt ?? columns.canceledAt) };
  const taken: Subscription = { ...subscription, ...columns, ...planned, status };
  return isSame(taken, subscription) ? subscription : recordTaken(billing, taken, subscription);
}

function recordTaken(billing: CustomerBilling, taken: Subscription, before: Subscription): Subscription {
  const next = recordSubscription(billing, taken, "subscription.updated", billing.now);
  if (next.trialEnd !== null) useTrial(billing, next);
  if (isSoldOtherwise(next, before)) syncSubscriptionGrants(billing, next, "product_changed", billing.now);
  return next;
}

const isSame = (one: Subscription, other: Subscription): boolean =>
  (Object.keys(one) as (keyof Subscription)[]).every(
    (name) => JSON.stringify(one[name]) === JSON.stringify(other[name]),
  );

/**
 * Brings a held Subscription in line with a later reading of the other system (rule V3). Without a difference no row
 * and no event is written. `sale`: the Product; the default is the present one.
 * @throws Refusal as `importSubscription`; Error for a Subscription that is not held
 */
export const refreshImported = (
  billing: CustomerBilling,
  subscription: Subscription,
  terms: ImportedTerms,
  sale: ImportedSale = present(billing, subscription),
): Subscription => take(billing, subscription, terms, { isHeld: true }, sale);

/**
 * Ends the hold: the other system is stopped, and Billow charges from now on (rule V4). `terms`: the last reading
 * before the stop. A period that has ended since then is renewed at once.
 * @throws as `refreshImported`
 */
export function releaseImported(
  billing: CustomerBilling,
  subscription: Subscription,
  terms: ImportedTerms,
  sale: ImportedSale = present(billing, subscription),
): Subscription {
  const { id } = take(billing, subscription, terms, { isHeld: false }, sale);
  runDueAtRest(billing);
  return billing.subscriptions.get(id)!;
}

/**
 * Holds a Subscription again that was released, and of which no period was billed here: the other system goes on with
 * it (rule V4).
 */
export function holdAgain(billing: CustomerBilling, subscription: Subscription): Subscription {
  const { imported, status, periodNumber } = subscription;
  if (imported === null || status === "canceled" || periodNumber > 1)
    throw new Error(`the subscription ${subscription.id} can't be held again`);
  const held = { ...subscription, imported: { ...imported, isHeld: true } };
  return recordSubscription(billing, held, "subscription.updated", billing.now);
}
