import type { CustomerBilling } from "../billing/customer-billing.ts";
import { liveAttempt } from "../payment/attempt.ts";
import type { Checkout } from "../model/checkout.ts";

/** A Checkout that is being paid. `asksBuyer`: the bank or the provider's page waits for the buyer. */
export type Unfinished = { checkout: Checkout; asksBuyer: boolean };

/** The Customer's Checkouts that are being paid, oldest first. */
export function unfinishedOf(billing: Pick<CustomerBilling, "checkouts" | "customer" | "payments">): Unfinished[] {
  const paying = billing.checkouts.where(
    ({ status, customerId }) => status === "processing" && customerId === billing.customer.id,
  );
  return paying.map((checkout) => {
    const attempt = liveAttempt(billing, checkout.id);
    return { checkout, asksBuyer: attempt?.status === "requires_action" && !attempt.abandoned };
  });
}
