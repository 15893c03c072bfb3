import type { CustomerBilling } from "../billing/customer-billing.ts";
import { dueToday, type Checkout } from "../model/checkout.ts";
import { recordAttempt, type PayWith } from "../payment/attempt.ts";
import type { Payment } from "../model/payment.ts";

/**
 * A submitted Checkout and the attempt that pays for it. `payment` null: the Checkout needs no payment, and is
 * complete.
 */
export type Submitted = { checkout: Checkout; payment: Payment | null };

/**
 * Records the charge of a Checkout, or the setup that only saves the card. The submitting process then calls the
 * provider.
 */
export function recordCheckoutAttempt(
  billing: CustomerBilling,
  checkout: Checkout,
  payWith: PayWith,
  subscriptionId: string | null,
): Payment {
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
  return recordAttempt(billing, attempt, payWith, billing.now, true);
}
