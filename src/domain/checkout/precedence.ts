import type { CustomerBilling } from "../billing/customer-billing.ts";
import { liveAttempt } from "../payment/attempt.ts";
import type { GroupHolder } from "../collection/group.ts";

/**
 * Whether the holder of a group is the purchase of a buyer who only typed the Customer's e-mail address, and whose bank
 * waits for an answer. Such a purchase yields to a purchase of the Customer that the caller named (rule C4).
 */
export function yieldsToCustomer(
  billing: Pick<CustomerBilling, "checkouts" | "payments">,
  { checkoutId }: GroupHolder,
): boolean {
  const checkout = checkoutId === null ? null : billing.checkouts.get(checkoutId);
  if (!checkout || checkout.customerNamed || checkout.change) return false;
  return liveAttempt(billing, checkout.id)?.status === "requires_action";
}
