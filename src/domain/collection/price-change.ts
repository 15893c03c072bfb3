import { findSubscription, type CustomerBilling } from "../billing/customer-billing.ts";
import { queueEmail } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import {
  candidateOf,
  leftOutReason,
  newPriceOf,
  schedulePrice,
  withNewPrice,
  type EndedReason,
  type PriceChange,
  type RepricedSubscription,
  type WithdrawnReason,
} from "../model/price-change.ts";
import { unitAmountOf } from "../model/quantity.ts";
import { lacksConsent } from "../model/scheduled-price.ts";
import type { Subscription } from "../model/subscription.ts";
import { recordSubscription } from "./record-subscription.ts";

type Settled = { status: "applied"; reason: null } | { status: "withdrawn"; reason: WithdrawnReason };

function settle(
  { repriced }: Pick<CustomerBilling, "repriced">,
  { organizationId, id: subscriptionId, priceChange }: Subscription,
  settled: Settled | { status: "ended"; reason: EndedReason },
  settledAt: Instant,
): void {
  const { priceChangeId, consentedAt } = priceChange!;
  repriced.settled.push({ organizationId, priceChangeId, subscriptionId, ...settled, consentedAt, settledAt });
}

/** Takes back a new price before its first period (rules N5, N8). A Subscription without one stays as it is. */
export function withdrawPrice(
  billing: CustomerBilling,
  subscription: Subscription,
  reason: WithdrawnReason,
  at: Instant,
): Subscription {
  if (subscription.priceChange === null) return subscription;
  settle(billing, subscription, { status: "withdrawn", reason }, at);
  const kept = { ...subscription, priceChange: null };
  return recordSubscription(billing, kept, "subscription.price_change_withdrawn", at);
}

/** Begins the new price with the period that begins at `at`, if the price is due then (rule N5). */
export function beginNewPrice(billing: CustomerBilling, subscription: Subscription, at: Instant): Subscription {
  const moved = withNewPrice(subscription, at);
  if (moved === subscription) return subscription;
  settle(billing, subscription, { status: "applied", reason: null }, at);
  return recordSubscription(billing, moved, "subscription.price_change_applied", at);
}

/** Notes in its round that a Subscription with a new price has ended. The event of the end reports the rest. */
export function endWithPrice(
  billing: Pick<CustomerBilling, "repriced">,
  subscription: Subscription,
  reason: EndedReason,
  at: Instant,
): void {
  if (subscription.priceChange !== null) settle(billing, subscription, { status: "ended", reason }, at);
}

/**
 * Gives notice of a new price to a Subscription that a round has found, or notes why the price stays
 * (rules N2, N3, N4). A price of an earlier round that still waits is replaced.
 */
export function bringPrice(billing: CustomerBilling, id: string, change: PriceChange): void {
  const { now, organization } = billing;
  const subscription = findSubscription(billing, id);
  const unitAmount = subscription && newPriceOf(subscription, change);
  if (subscription === null || unitAmount === null) return;
  const reason = leftOutReason(candidateOf(subscription), unitAmount);
  const { organizationId, customerId, currency, quantity } = subscription;
  const row: RepricedSubscription = {
    organizationId,
    priceChangeId: change.id,
    subscriptionId: id,
    customerId,
    status: "left_out",
    reason,
    currency,
    quantity,
    unitAmountBefore: unitAmountOf(subscription),
    unitAmount,
    effectiveAt: null,
    consentedAt: null,
    createdAt: now,
    settledAt: null,
  };
  if (reason !== null) return void billing.repriced.found.push(row);
  const kept = withdrawPrice(billing, subscription, "replaced", now);
  const priceChange = schedulePrice(kept, change, unitAmount, { now, timeZone: organization.timeZone });
  billing.repriced.found.push({ ...row, status: "scheduled", effectiveAt: priceChange.effectiveAt });
  recordSubscription(billing, { ...kept, priceChange }, "subscription.price_change_scheduled", now);
}

/** Takes back the price of a withdrawn round, unless the price has begun (rule N8). */
export function takeBackPrice(billing: CustomerBilling, id: string, priceChangeId: string): void {
  const subscription = findSubscription(billing, id);
  if (subscription?.priceChange?.priceChangeId === priceChangeId)
    withdrawPrice(billing, subscription, "seller", billing.now);
}

/** Gives the reminder of a price that lacks the consent of its Customer, once (rule N7). */
export function remindOfPrice(billing: CustomerBilling, subscription: Subscription, at: Instant): void {
  const missing = { ...subscription.priceChange!, remindAt: null };
  const reminded = recordSubscription(billing, { ...subscription, priceChange: missing }, null, at);
  queueEmail(billing, { type: "subscription.updated", subscription: reminded, missing }, at);
}

/** Records the consent of the Customer to the new price that waits, if the price lacks it (rule N6). */
export function consent(billing: CustomerBilling, subscription: Subscription): Subscription {
  const { organizationId, id: subscriptionId, priceChange } = subscription;
  if (priceChange === null || !lacksConsent(priceChange)) return subscription;
  const { now } = billing;
  const { priceChangeId } = priceChange;
  const step = { status: "scheduled", reason: null, consentedAt: now, settledAt: null } as const;
  billing.repriced.settled.push({ organizationId, priceChangeId, subscriptionId, ...step });
  const agreed = { ...subscription, priceChange: { ...priceChange, consentedAt: now, remindAt: null } };
  return recordSubscription(billing, agreed, "subscription.updated", now);
}
