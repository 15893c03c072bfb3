import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { runDue } from "../collection/due.ts";
import { claim, setCard } from "../collection/claim.ts";
import { isHeldForImport, type Subscription } from "../model/subscription.ts";
import { isChargeable } from "../payment/card.ts";
import { recordMethod, makeDefaultCard, tryNewCard } from "../collection/new-card.ts";
import { agreeToRestart, namesPrice, previewRestart } from "../collection/restart.ts";
import type { GivenCard } from "../model/payment-outcome.ts";
import type { PaymentMethod } from "../model/payment.ts";

/**
 * Makes a card of the Customer the default and charges all plans to it, open invoices at once (rules C12e, D3g). Items
 * that were due before the card came are done without the card.
 */
export function replaceCard(billing: CustomerBilling, card: GivenCard, id: string): PaymentMethod {
  const method = recordMethod(billing, card, id);
  runDue(billing);
  payAllWith(billing, id);
  return method;
}

/**
 * Makes a card of the Customer the default, and clears the Subscriptions' own cards (rule C12e). Open invoices of
 * Subscriptions that are past due are tried at once. `isMeant` selects the unclaimed Subscriptions that the Customer
 * has seen. A held Subscription keeps its card (rule V2).
 */
export function payAllWith(
  billing: CustomerBilling,
  paymentMethodId: string,
  isMeant: (subscription: Subscription) => boolean = () => true,
): void {
  makeDefaultCard(billing, paymentMethodId);
  for (const live of liveSubscriptions(billing))
    if (!isHeldForImport(live) && (live.claimed || isMeant(live))) setCard(billing, claim(billing, live), null);
  tryNewCard(billing, paymentMethodId);
}

/** Makes a card of the Customer the own card of one Subscription, and pays its open invoices at once (rule C12e). */
export function payOneWith(billing: CustomerBilling, subscription: Subscription, paymentMethodId: string): void {
  const claimed = setCard(billing, claim(billing, subscription), paymentMethodId);
  tryNewCard(billing, paymentMethodId, ({ id }) => id === claimed.id);
}

/**
 * Charges one Subscription to the Customer's default card from now on, open invoices at once (rule C12e). `cardId`: the
 * default card that the Customer has seen. `asksFor`: the price change of a new period that the Customer has seen, to
 * which the click agrees (rule N6). Returns false if that card is no longer the default card, if the card or the
 * Subscription has ended, or if a new period has another price that lacks a consent.
 */
export function payWithDefault(
  billing: CustomerBilling,
  subscription: Subscription,
  cardId: string,
  asksFor: string | null,
): boolean {
  if (subscription.status === "canceled") return false;
  if (billing.customer.defaultPaymentMethodId !== cardId || !isChargeable(billing, cardId)) return false;
  const restart = previewRestart(billing, subscription);
  if (!namesPrice(restart, asksFor)) return false;
  const claimed = claim(billing, subscription);
  agreeToRestart(billing, claimed, restart);
  setCard(billing, billing.subscriptions.get(claimed.id)!, null);
  tryNewCard(billing, cardId, ({ id }) => id === subscription.id);
  return true;
}
