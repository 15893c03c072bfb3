import type { Account } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Sale } from "../model/checkout-sale.ts";
import { runDueAtRest } from "../collection/due.ts";
import type { Subscription } from "../model/subscription.ts";
import type { AskedSubscription } from "./creation-request.ts";
import { draftSubscription } from "./draft.ts";
import { billFirstPeriod } from "./first-invoice.ts";
import { useTrial } from "./used-trial.ts";

/**
 * Begins a Subscription without a Checkout.
 * @throws AppError 409 `already_subscribed`, `payment_provider_missing`, 422
 */
export function createSubscription(account: Account, sale: Sale, asked: AskedSubscription): Subscription {
  const { now } = account;
  const draft = draftSubscription(account, sale, asked);
  const subscription = recordSubscription(account, draft, "subscription.created", now);
  if (subscription.trialEnd !== null) useTrial(account, subscription);
  syncSubscriptionGrants(account, subscription, subscription.trialEnd === null ? "purchased" : "trial_started", now);
  if (subscription.trialEnd === null && asked.startedAt === null) billFirstPeriod(account, subscription, sale.product);
  runDueAtRest(account);
  return account.subscriptions.get(subscription.id)!;
}
