import { liveSubscriptions, type Account } from "../billing/customer-billing.ts";
import { runDue } from "../collection/due.ts";
import { claim, setCard } from "../collection/claim.ts";
import type { Subscription } from "../model/subscription.ts";
import { isChargeable } from "../payment/card.ts";
import { recordMethod, makeDefaultCard, tryNewCard } from "../collection/new-card.ts";
import type { GivenCard } from "../model/payment-outcome.ts";
import type { PaymentMethod } from "../model/payment.ts";

/**
 * Makes a card of the Customer the default and charges all plans to it, open invoices at once (rules C12e, D3g). Items
 * that were due before the card came are done without the card.
 */
export function replaceCard(account: Account, card: GivenCard, id: string): PaymentMethod {
  const method = recordMethod(account, card, id);
  runDue(account);
  payAllWith(account, id);
  return method;
}

/**
 * Makes a card of the Customer the default, and clears the Subscriptions' own cards (rule C12e). Open invoices of
 * Subscriptions that are past due are tried at once. `isMeant` selects the unclaimed Subscriptions that the Customer
 * has seen.
 */
export function payAllWith(
  account: Account,
  paymentMethodId: string,
  isMeant: (subscription: Subscription) => boolean = () => true,
): void {
  makeDefaultCard(account, paymentMethodId);
  for (const live of liveSubscriptions(account))
    if (live.claimed || isMeant(live)) setCard(account, claim(account, live), null);
  tryNewCard(account, paymentMethodId);
}

/** Makes a card of the Customer the own card of one Subscription, and pays its open invoices at once (rule C12e). */
export function payOneWith(account: Account, subscription: Subscription, paymentMethodId: string): void {
  const claimed = setCard(account, claim(account, subscription), paymentMethodId);
  tryNewCard(account, paymentMethodId, ({ id }) => id === claimed.id);
}

/**
 * Charges one Subscription to the Customer's default card from now on, open invoices at once (rule C12e). `cardId`: the
 * default card that the Customer has seen. Returns false if that card is no longer the default card, or if the card
 * or the Subscription has ended.
 */
export function payWithDefault(account: Account, subscription: Subscription, cardId: string): boolean {
  if (subscription.status === "canceled") return false;
  if (account.customer.defaultPaymentMethodId !== cardId || !isChargeable(account, cardId)) return false;
  setCard(account, claim(account, subscription), null);
  tryNewCard(account, cardId, ({ id }) => id === subscription.id);
  return true;
}
