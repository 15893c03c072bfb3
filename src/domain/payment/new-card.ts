import type { Account } from "../account/account.ts";
import { recordSubscription } from "../account/record.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { runDue } from "../due.ts";
import { isNewerCard, type PaymentMethod } from "./payment.ts";
import type { Subscription } from "../subscription/subscription.ts";
import { newId } from "../../ids.ts";
import { retryInvoices } from "./dunning.ts";
import type { GivenCard } from "./outcome.ts";

/** Keeps a card that a buyer has given; no charge goes to it yet. `id`: where it was named before. */
export function keepMethod(account: Account, { ref, ...shown }: GivenCard, id: string = newId("pm")): PaymentMethod {
  const method: PaymentMethod = {
    ...shown,
    organizationId: account.organization.id,
    id,
    customerId: account.customer.id,
    providerRef: ref,
    dead: false,
    createdAt: account.now,
  };
  account.cards.put(method);
  return method;
}

/** A new default card, which pays open invoices at once (rule D3g). Items that were due before the card came are done without it. */
export function replaceCard(account: Account, card: GivenCard, id: string): PaymentMethod {
  const method = keepMethod(account, card, id);
  runDue(account);
  makeDefaultCard(account, id);
  tryNewCard(account, id);
  return method;
}

const liveOf = (account: Account): Subscription[] => account.subscriptions.where(({ status }) => status !== "canceled");

/** From now on the Customer's charges go to this card; trials that had none will go on when they end (rule C2). */
export function makeDefaultCard(account: Account, paymentMethodId: string): void {
  // The Customer's version stays: only the engine uses this column.
  account.customer = { ...account.customer, defaultPaymentMethodId: paymentMethodId };
  for (const subscription of liveOf(account)) {
    if (subscription.cardMissing && subscription.customerNamed) {
      recordSubscription(account, { ...subscription, cardMissing: false }, null, account.now);
    }
  }
}

/**
 * Whether a card that has been paid with, or was saved, becomes the Customer's default. A card that was given while the outcome was awaited
 * stays the default: otherwise the order in which outcomes are read would choose the card. The card of a buyer who only typed an e-mail is
 * the default only where there is none.
 */
export function becomesDefault({ customer, cards }: Account, paymentMethodId: string, customerNamed: boolean): boolean {
  if (customer.defaultPaymentMethodId === null) return true;
  const onFile = cards.get(customer.defaultPaymentMethodId)!;
  return customerNamed && (onFile.dead || !isNewerCard(onFile, cards.get(paymentMethodId)!));
}

/**
 * A new default card is tried at once where an amount is owed (rule D3g); the worker calls the provider. `isMeant` says for which
 * Subscriptions, if not for all.
 */
export function tryNewCard(account: Account, paymentMethodId: string, isMeant: (subscription: Subscription) => boolean = () => true): void {
  for (const live of liveOf(account)) {
    if (live.status !== "past_due" || live.changeId || !isMeant(live)) continue;
    // The buyer who gives it acts for the Customer: it pays for purchases of others in the Customer's name, too.
    const subscription = { ...live, paymentMethodId: live.customerNamed ? null : paymentMethodId };
    account.subscriptions.put(subscription);
    retryInvoices(account, subscription, account.now, "new_card");
  }
}

/**
 * The card that paid becomes the Customer's default, unless another one stays (`becomesDefault`). A purchase of a buyer who only typed an
 * e-mail keeps their card in any case: they may not be the person that they claim to be. The answer is the id of that own card.
 */
export function keepCard(
  account: Account,
  { customerNamed, subscriptionId }: Pick<Checkout, "customerNamed" | "subscriptionId">,
  paymentMethodId: string,
): string | null {
  const isDefault = becomesDefault(account, paymentMethodId, customerNamed);
  if (isDefault) makeDefaultCard(account, paymentMethodId);
  if (!customerNamed) return paymentMethodId;
  // A card that was given while a change was being paid could not be tried on the Subscription of that change.
  if (isDefault) tryNewCard(account, paymentMethodId);
  else tryNewCard(account, account.customer.defaultPaymentMethodId!, ({ id }) => id === subscriptionId);
  return null;
}
