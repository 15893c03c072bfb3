import { setDefaultCard } from "../store/customers.ts";
import { liveOfCustomer } from "../store/subscriptions.ts";
import { recordSubscription } from "./record.ts";
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
