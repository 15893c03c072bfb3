import { liveSubscriptions, type Account } from "../account/account.ts";
import { recordSubscription } from "../account/record.ts";
import type { Instant } from "../calendar.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { runDue } from "../due.ts";
import { isNewerCard, type Payment, type PaymentMethod } from "./payment.ts";
import type { Subscription } from "../subscription/subscription.ts";
import { newId } from "../../ids.ts";
import { isOnFile } from "./card.ts";
import { retryInvoices } from "./dunning.ts";
import type { EnteredCard, GivenCard } from "./outcome.ts";
import type { PayWith } from "./attempt.ts";

/**
 * Keeps a card that a buyer has given, without a charge. `id`: set if the id was assigned before. `at`: the instant at
 * which the card counts as given.
 */
export function keepMethod(
  account: Account,
  { ref, ...details }: GivenCard,
  id: string = newId("pm"),
  at: Instant = account.now,
): PaymentMethod {
  const method: PaymentMethod = {
    ...details,
    organizationId: account.organization.id,
    id,
    customerId: account.customer.id,
    providerRef: ref,
    dead: false,
    detachedAt: null,
    providerReadAt: null,
    dueAt: null,
    simulated: account.organization.clockAt !== null,
    expiryAnnounced: false,
    version: 1,
    eventSequence: 0,
    createdAt: at,
    updatedAt: account.now,
  };
  account.cards.put(method);
  return method;
}

/** A way to pay that a buyer has just given, or a card that is already on file. */
export type EnteredOrKept = EnteredCard | PaymentMethod;

export const isKept = (entered: EnteredOrKept): entered is PaymentMethod => "providerRef" in entered;

/** Keeps a typed card, without a charge. The card of a hosted entry is kept after the payment's success. */
export function keepEntered(account: Account, entered: EnteredOrKept): PayWith {
  return "hosted" in entered || isKept(entered) ? entered : keepMethod(account, entered);
}

/**
 * Makes a card the default, and pays open invoices with the card at once (rule D3g). Items that were due before the
 * card came are done without the card.
 */
export function replaceCard(account: Account, card: GivenCard, id: string): PaymentMethod {
  const method = keepMethod(account, card, id);
  runDue(account);
  makeDefaultCard(account, id);
  tryNewCard(account, id);
  return method;
}

/**
 * Makes a card the Customer's default. A trial that had no card can then become a paid Subscription at its end
 * (rule C2).
 */
export function makeDefaultCard(account: Account, paymentMethodId: string): void {
  // The Customer's version stays: only the engine uses this column.
  account.customer = { ...account.customer, defaultPaymentMethodId: paymentMethodId };
  for (const subscription of liveSubscriptions(account)) {
    if (subscription.cardMissing && subscription.customerNamed) {
      recordSubscription(account, { ...subscription, cardMissing: false }, null, account.now);
    }
  }
}

/**
 * Whether a card that was charged or saved becomes the Customer's default. A default card that was given while the
 * outcome was awaited stays: otherwise the order in which outcomes are read would choose the card. The card of a
 * buyer that only typed an e-mail becomes the default only if there is no default yet.
 */
export function becomesDefault({ customer, cards }: Account, paymentMethodId: string, customerNamed: boolean): boolean {
  if (customer.defaultPaymentMethodId === null) return true;
  const onFile = cards.get(customer.defaultPaymentMethodId)!;
  return customerNamed && (onFile.dead || !isNewerCard(onFile, cards.get(paymentMethodId)!));
}

/**
 * Tries a new default card at once on Subscriptions that are past due (rule D3g); the worker calls the provider.
 * `isMeant` selects the Subscriptions.
 */
export function tryNewCard(
  account: Account,
  paymentMethodId: string,
  isMeant: (subscription: Subscription) => boolean = () => true,
): void {
  for (const live of liveSubscriptions(account)) {
    if (live.status !== "past_due" || live.changeId || !isMeant(live)) continue;
    // The giver of the card acts for the Customer. So the card also pays for purchases of buyers that only typed the
    // Customer's e-mail address.
    const subscription = { ...live, paymentMethodId: live.customerNamed ? null : paymentMethodId };
    account.subscriptions.put(subscription);
    retryInvoices(account, subscription, account.now, "new_card");
  }
}

/**
 * Makes the card that paid the Customer's default, unless another card stays (`becomesDefault`). A purchase of a buyer
 * that only typed an e-mail keeps its card in any case, because the buyer may not be the Customer. Returns the id of
 * the purchase's own card; null: the purchase has no own card, or the provider named none (rule C8).
 */
export function keepCard(
  account: Account,
  { customerNamed, subscriptionId }: Pick<Checkout, "customerNamed" | "subscriptionId">,
  { paymentMethodId }: Pick<Payment, "paymentMethodId">,
): string | null {
  if (paymentMethodId === null) return null;
  // The card on file has paid for a change in the portal (rule P11): there is no new card.
  if (isOnFile(account, paymentMethodId)) return customerNamed ? null : paymentMethodId;
  const isDefault = becomesDefault(account, paymentMethodId, customerNamed);
  if (isDefault) makeDefaultCard(account, paymentMethodId);
  if (!customerNamed) return paymentMethodId;
  // A card that was given while a change was being paid could not be tried on the Subscription of that change.
  if (isDefault) tryNewCard(account, paymentMethodId);
  else tryNewCard(account, account.customer.defaultPaymentMethodId!, ({ id }) => id === subscriptionId);
  return null;
}
