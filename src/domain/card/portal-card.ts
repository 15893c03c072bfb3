import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { recordAttempt } from "../payment/attempt.ts";
import { payAllWith, payOneWith } from "./given-card.ts";
import { becomesDefault, recordEntered } from "../collection/new-card.ts";
import { agreeToRestart, namesPrice, previewRestart } from "../collection/restart.ts";
import type { EnteredCard } from "../model/payment-outcome.ts";
import { isHosted, isNewerCard, type Payment } from "../model/payment.ts";
import { isHeldForImport } from "../model/subscription.ts";
import { HOUR, type Instant } from "../calendar.ts";

/**
 * The plans of a card. `subscriptionId`: the one Subscription that the card is for; null: the card is for all plans
 * (rule C12e). `seen`: the ids of the unclaimed Subscriptions that the card's page has named. `prices`: the price
 * changes by Subscription to which the click agrees, because the page has shown a restart at their price (rule N6).
 */
export type PlansOfCard = {
  subscriptionId: string | null;
  seen: readonly string[];
  prices: ReadonlyMap<string, string>;
};

/**
 * Whether the plans are still those of the card's page: the chosen plan goes on and is not held for an import
 * (rule V2), and no purchase was added.
 */
function areCurrent(billing: Pick<CustomerBilling, "subscriptions">, { subscriptionId, seen }: PlansOfCard): boolean {
  const live = liveSubscriptions(billing);
  if (subscriptionId !== null) return live.some((each) => each.id === subscriptionId && !isHeldForImport(each));
  return live.every(({ claimed, id }) => claimed || seen.includes(id));
}

/**
 * Agrees to the prices of the new periods that the card's page has shown, and that the card pays (rules D8g, N6).
 * Returns false if the page has not shown the price of such a period.
 */
function agreeToRestarts(billing: CustomerBilling, { subscriptionId, prices }: PlansOfCard): boolean {
  const meant = liveSubscriptions(billing).filter(
    ({ id, status }) => status === "past_due" && (subscriptionId === null || id === subscriptionId),
  );
  const restarts = meant.map((subscription) => ({ subscription, restart: previewRestart(billing, subscription) }));
  if (!restarts.every(({ subscription: { id }, restart }) => namesPrice(restart, prices.get(id) ?? null))) return false;
  for (const { subscription, restart } of restarts) agreeToRestart(billing, subscription, restart);
  return true;
}

/**
 * Records the attempt to save a card that the buyer gives in the portal (rule D3t). The request calls the provider.
 * Returns null if the plans or the price of a new period have changed since the card's page was shown: a stranger may
 * buy at any time.
 */
export function recordPortalCard(billing: CustomerBilling, entered: EnteredCard, plans: PlansOfCard): Payment | null {
  if (!areCurrent(billing, plans) || !agreeToRestarts(billing, plans)) return null;
  const attempt = {
    purpose: "setup",
    sourceId: null,
    checkoutId: null,
    invoiceId: null,
    subscriptionId: plans.subscriptionId,
    amount: 0,
    currency: billing.organization.defaultCurrency,
  } as const;
  return recordAttempt(billing, attempt, recordEntered(billing, entered), billing.now, true);
}

/**
 * The end of the wait for the buyer: as for a Checkout, an hour after the submission at the bank, and half an hour on
 * the provider's page (rule D3t).
 */
export function portalCardEndsAt(payment: Payment): Instant {
  return (payment.createdAt + (isHosted(payment) ? HOUR / 2 : HOUR)) as Instant;
}

/**
 * Charges the plans that the Customer chose to the saved card, open invoices at once, unless a newer card came
 * meanwhile (rules C12e, D3g). A purchase that was made after the card's page is not claimed: the page did not name the
 * purchase.
 */
export function settlePortalCard(billing: CustomerBilling, payment: Payment): void {
  const { status, paymentMethodId, subscriptionId, createdAt } = payment;
  if (status !== "succeeded" || paymentMethodId === null || billing.customer.deletedAt !== null) return;
  if (subscriptionId === null) {
    if (becomesDefault(billing, paymentMethodId, true))
      payAllWith(billing, paymentMethodId, (subscription) => subscription.createdAt <= createdAt);
    return;
  }
  const subscription = liveSubscriptions(billing).find(({ id }) => id === subscriptionId);
  if (!subscription || isHeldForImport(subscription)) return;
  const own = subscription.paymentMethodId === null ? null : billing.cards.get(subscription.paymentMethodId);
  if (own && !own.dead && isNewerCard(own, billing.cards.get(paymentMethodId)!)) return;
  payOneWith(billing, subscription, paymentMethodId);
}
