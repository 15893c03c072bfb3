import type { CustomerBilling } from "../billing/customer-billing.ts";
import { abandonAttempt, liveAttempt } from "../payment/attempt.ts";
import { recordCheckout } from "./record.ts";

/**
 * Expires a Checkout at the end of its time, once (rule C5). For a Checkout that waits for a challenge or for a buyer
 * on the provider's page, the attempt is given up instead (rule C). Returns the number of handled Checkouts: 0 if the
 * Checkout is not due.
 */
export function expireCheckout(billing: CustomerBilling, id: string): number {
  billing.need({ part: "checkout", id });
  const checkout = billing.checkouts.get(id);
  if (!checkout || checkout.dueAt === null || checkout.dueAt > billing.now) return 0;
  if (checkout.status === "open") {
    recordCheckout(billing, { ...checkout, status: "expired", dueAt: null }, "checkout.expired", checkout.expiresAt);
    return 1;
  }
  const live = liveAttempt(billing, checkout.id);
  recordCheckout(billing, { ...checkout, dueAt: null }, null, checkout.dueAt);
  if (live) abandonAttempt(billing, live, billing.now);
  return 1;
}
