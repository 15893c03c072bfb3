import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { recordCard } from "../billing/record.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { cardOf, isCardDisputed } from "../payment/card.ts";
import type { PaymentMethod } from "../model/payment.ts";

/**
 * Ends a card on file for good (rules D3e, D10b). The end has one event, however often and by whichever way the end
 * becomes known. A trial that has no other card is over at its end (rules C2, D10c).
 */
export function detachCard(billing: CustomerBilling, method: PaymentMethod): void {
  if (method.dead) return;
  const { now } = billing;
  const isDisputed = isCardDisputed(billing, method);
  recordCard(billing, { ...method, dead: true, detachedAt: now }, "payment_method.detached", now, isDisputed);
  for (const subscription of liveSubscriptions(billing)) {
    if (subscription.status === "trialing" && !subscription.cardMissing && cardOf(billing, subscription) === null)
      recordSubscription(billing, { ...subscription, cardMissing: true }, null, now);
  }
}
