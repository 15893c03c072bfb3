import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { syncPurchaseGrants, syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Checkout } from "../model/checkout.ts";
import { adoptCard } from "../collection/new-card.ts";
import type { Payment } from "../model/payment.ts";
import { useTrial } from "../subscription/used-trial.ts";
import { newId } from "../../ids.ts";
import { billPurchase, boughtSubscription } from "./purchase.ts";
import { recordCheckout } from "./record.ts";

/**
 * Completes a Checkout: its payment succeeded, or it needs no payment. Makes the Subscription or one-time purchase, the
 * paid invoice, ledger transfers, grants and events (rules C1, C7g). No rule can refuse the purchase any more.
 */
export function completeCheckout(billing: CustomerBilling, checkout: Checkout, payment: Payment | null): Checkout {
  const at = billing.now;
  const ownCard = payment ? adoptCard(billing, checkout, payment) : null;
  const id = payment?.subscriptionId ?? newId("sub");
  const draft = checkout.interval === null ? null : boughtSubscription(billing, checkout, id, ownCard, at);
  const completed: Checkout = {
    ...checkout,
    status: "completed",
    completedAt: at,
    dueAt: null,
    lastPaymentError: null,
  };
  const subscription = draft && recordSubscription(billing, draft, "subscription.created", at);
  if (subscription?.trialEnd) useTrial(billing, subscription);
  const invoiceId = subscription?.trialEnd ? null : billPurchase(billing, checkout, subscription, payment, at);
  if (subscription)
    syncSubscriptionGrants(billing, subscription, subscription.trialEnd ? "trial_started" : "purchased", at);
  else if (invoiceId) {
    const { productId, quantity } = checkout;
    syncPurchaseGrants(billing, { invoiceId, productId, quantity }, "purchased", at);
  }
  return recordCheckout(
    billing,
    { ...completed, subscriptionId: subscription?.id ?? null, invoiceId },
    "checkout.completed",
    at,
  );
}
