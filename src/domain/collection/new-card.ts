import { liveSubscriptions, type CustomerBilling, type CardRows } from "../billing/customer-billing.ts";
import { recordSubscription } from "./record-subscription.ts";
import type { Instant } from "../calendar.ts";
import type { Checkout } from "../model/checkout.ts";
import { isNewerCard, type Payment, type PaymentMethod } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";
import { newId } from "../../ids.ts";
import { setCard } from "./claim.ts";
import { cardOf, isOnFile } from "../payment/card.ts";
import { retryInvoices } from "./dunning.ts";
import type { EnteredCard, GivenCard } from "../model/payment-outcome.ts";
import type { PayWith } from "../payment/attempt.ts";

/**
 * Records a card that a buyer has given, without a charge. `id`: set if the id was assigned before. `at`: the instant
 * at which the card counts as given.
 */
export function recordMethod(
  billing: Pick<CustomerBilling, "cards" | "customer" | "now" | "organization">,
  { ref, ...details }: GivenCard,
  id: string = newId("pm"),
  at: Instant = billing.now,
): PaymentMethod {
  const method: PaymentMethod = {
    ...details,
    organizationId: billing.organization.id,
    id,
    customerId: billing.customer.id,
    providerRef: ref,
    dead: false,
    detachedAt: null,
    providerReadAt: null,
    dueAt: null,
    simulated: billing.organization.clockAt !== null,
    expiryAnnounced: false,
    version: 1,
    eventSequence: 0,
    createdAt: at,
    updatedAt: billing.now,
  };
  billing.cards.put(method);
  return method;
}

/** A way to pay that a buyer has just given, or a card that is already on file. */
export type EnteredOrOnFile = EnteredCard | PaymentMethod;

export const isCardOnFile = (entered: EnteredOrOnFile): entered is PaymentMethod => "providerRef" in entered;

/** Records a typed card, without a charge. The card of a hosted entry is recorded after the payment's success. */
export function recordEntered(
  billing: Pick<CustomerBilling, "cards" | "customer" | "now" | "organization">,
  entered: EnteredOrOnFile,
): PayWith {
  return "hosted" in entered || isCardOnFile(entered) ? entered : recordMethod(billing, entered);
}

/**
 * Makes a card the Customer's default. A trial that had no card can then become a paid Subscription at its end
 * (rule C2).
 */
export function makeDefaultCard(billing: CustomerBilling, paymentMethodId: string): void {
  // The Customer's version stays: only the engine uses this column.
  billing.customer = { ...billing.customer, defaultPaymentMethodId: paymentMethodId };
  for (const subscription of liveSubscriptions(billing)) {
    if (subscription.cardMissing && cardOf(billing, subscription))
      recordSubscription(billing, { ...subscription, cardMissing: false }, null, billing.now);
  }
}

/**
 * Whether a card that was charged or saved becomes the Customer's default. A default card that was given while the
 * outcome was awaited stays: otherwise the order in which outcomes are read would choose the card. `isCustomers`: false
 * for the card of an unclaimed purchase, which becomes the default only if there is no default yet.
 */
export function becomesDefault({ customer, cards }: CardRows, paymentMethodId: string, isCustomers: boolean): boolean {
  if (customer.defaultPaymentMethodId === null) return true;
  const onFile = cards.get(customer.defaultPaymentMethodId)!;
  return isCustomers && (onFile.dead || !isNewerCard(onFile, cards.get(paymentMethodId)!));
}

/**
 * Tries a new card at once on the past-due Subscriptions that are charged to it (rule D3g); the worker calls the
 * provider. `isMeant` selects the Subscriptions.
 */
export function tryNewCard(
  billing: CustomerBilling,
  paymentMethodId: string,
  isMeant: (subscription: Subscription) => boolean = () => true,
): void {
  for (const live of liveSubscriptions(billing)) {
    if (live.status !== "past_due" || live.changeId || !isMeant(live)) continue;
    if (cardOf(billing, live)?.id === paymentMethodId) retryInvoices(billing, live, billing.now, "new_card");
  }
}

/**
 * Makes the card that paid for a new purchase the Customer's default, unless another card stays (`becomesDefault`). An
 * unclaimed purchase keeps its card in any case, because the buyer may not be the Customer. Returns the id of the
 * purchase's own card; null: the purchase has no own card, or the provider named none (rule C8).
 */
export function adoptCard(
  billing: CustomerBilling,
  { customerNamed }: Pick<Checkout, "customerNamed">,
  { paymentMethodId }: Pick<Payment, "paymentMethodId">,
): string | null {
  if (paymentMethodId === null) return null;
  if (becomesDefault(billing, paymentMethodId, customerNamed)) {
    makeDefaultCard(billing, paymentMethodId);
    if (customerNamed) tryNewCard(billing, paymentMethodId);
  }
  return customerNamed ? null : paymentMethodId;
}

/**
 * As `adoptCard`, for a card that paid for the change of a Subscription. The Subscription is charged to the card from
 * then on, unless a newer card of its own or a newer default card came meanwhile.
 */
export function adoptCardOfChange(
  billing: CustomerBilling,
  subscription: Subscription,
  { paymentMethodId: id }: Pick<Payment, "paymentMethodId">,
): void {
  // The card on file has paid for a change in the portal (rule P11): there is no new card.
  if (id === null || isOnFile(billing, id)) return;
  const { claimed, paymentMethodId: ownId } = subscription;
  const own = ownId === null ? null : billing.cards.get(ownId);
  const isOwnNewer = claimed && own && !own.dead && isNewerCard(own, billing.cards.get(id)!);
  const isDefault = becomesDefault(billing, id, claimed);
  if (isDefault) makeDefaultCard(billing, id);
  const current = billing.subscriptions.get(subscription.id)!;
  if (!claimed) {
    recordSubscription(billing, { ...current, paymentMethodId: id, cardMissing: false }, null, billing.now);
    return;
  }
  if (!isOwnNewer) setCard(billing, current, null);
  // A card that was given while the change was being paid could not be tried on the Subscription of that change.
  if (isDefault) tryNewCard(billing, id);
  else tryNewCard(billing, billing.customer.defaultPaymentMethodId!, (live) => live.id === subscription.id);
}
