import type { Account } from "../account/account.ts";
import { dueToday, type Checkout } from "./checkout.ts";
import { recordAttempt } from "../payment/attempt.ts";
import type { Payment, PaymentMethod } from "../payment/payment.ts";

/** A submitted Checkout, and the attempt that pays for it; null: it needs none, and is complete. */
export type Submitted = { checkout: Checkout; payment: Payment | null };

/** Records the charge of a Checkout, or that its card is only saved; the process that submits it goes on to call the provider. */
export function recordCheckoutAttempt(
  account: Account,
  checkout: Checkout,
  method: PaymentMethod,
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
  return recordAttempt(account, attempt, method, account.now, true);
}
