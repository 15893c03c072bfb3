import type { Checkout } from "../domain/checkout.ts";
import { setDefaultCard } from "../store/customers.ts";
import { liveOfCustomer, subscriptions } from "../store/subscriptions.ts";
import { recordSubscription } from "./record.ts";
import { retryInvoices } from "./settle-invoice.ts";
import type { Work } from "./work.ts";

/** From now on the Customer's charges go to this card; trials that had none will go on when they end (rule C2). */
export async function makeDefaultCard(work: Work, paymentMethodId: string): Promise<void> {
  const { tx, organization, customer, now } = work;
  setDefaultCard(tx, organization.id, customer.id, paymentMethodId);
  customer.defaultPaymentMethodId = paymentMethodId;
  for (const subscription of await liveOfCustomer(tx, organization.id, customer.id)) {
    if (subscription.cardMissing && subscription.customerNamed)
      await recordSubscription(work, { ...subscription, cardMissing: false }, null, now);
  }
}

/**
 * A new default card is tried at once where something is owed (rule D3); the worker calls the provider. `butFor`: the Subscription that
 * it has just paid for.
 */
export async function tryNewCard(work: Work, paymentMethodId: string, butFor: string | null = null): Promise<void> {
  const { tx, organization, customer, now } = work;
  for (const live of await liveOfCustomer(tx, organization.id, customer.id)) {
    if (live.status !== "past_due" || live.changeId || live.id === butFor) continue;
    // Who gives it acts for the Customer: it pays for what others bought in their name, too.
    const subscription = { ...live, paymentMethodId: live.customerNamed ? null : paymentMethodId };
    subscriptions.update(tx, subscription);
    await retryInvoices(work, subscription, now, "new_card");
  }
}

/**
 * The card that paid becomes the Customer's default, unless a buyer who only typed an e-mail would replace the one on file. What such a
 * buyer bought keeps their card in any case: they may not be who they say. Answers that own card's id.
 */
export async function keepCard(work: Work, checkout: Checkout, paymentMethodId: string): Promise<string | null> {
  if (checkout.customerNamed || work.customer.defaultPaymentMethodId === null) await makeDefaultCard(work, paymentMethodId);
  if (checkout.customerNamed) await tryNewCard(work, paymentMethodId);
  return checkout.customerNamed ? null : paymentMethodId;
}
