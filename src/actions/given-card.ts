import { dueToday, type Checkout } from "../domain/checkout.ts";
import type { Payment, PaymentMethod } from "../domain/payment.ts";
import { newId } from "../ids.ts";
import type { Card } from "../domain/payment/outcome.ts";
import { paymentMethods } from "../store/payment-methods.ts";
import { recordAttempt } from "./collect-invoice.ts";
import type { Work } from "./work.ts";

/** A card that a provider accepted from a buyer, and the provider's name. */
export type GivenCard = Card & { provider: string };

/** Keeps a card that a buyer has given; nothing is charged to it yet. */
export function keepMethod(work: Work, { ref, ...shown }: GivenCard): PaymentMethod {
  const method: PaymentMethod = {
    ...shown,
    organizationId: work.organization.id,
    id: newId("pm"),
    customerId: work.customer.id,
    providerRef: ref,
    dead: false,
    createdAt: work.now,
  };
  paymentMethods.insert(work.tx, method);
  return method;
}

/** Records what a Checkout charges, or that its card is only saved; whoever submits it goes on to call the provider. */
export function recordCheckoutAttempt(
  work: Work,
  checkout: Checkout,
  method: PaymentMethod,
  subscriptionId: string | null,
): Promise<Payment> {
  const amount = dueToday(checkout);
  const attempt = {
    purpose: amount > 0 ? "checkout" : "setup",
    sourceId: checkout.id,
    checkoutId: checkout.id,
    invoiceId: null,
    subscriptionId,
    amount,
    currency: checkout.currency,
  } as const;
  return recordAttempt(work, attempt, method, work.now, true);
}
