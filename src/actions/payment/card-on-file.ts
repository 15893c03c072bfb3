import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { unhinderedCardOf } from "../../domain/payment/card.ts";
import type { PaymentMethod } from "../../domain/model/payment.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { readCustomerBilling } from "../customer-billing.ts";

/**
 * The card for an off-session charge of the Subscription now; null if there is no card, or if a dispute blocks
 * off-session charges of the card (rule D6).
 */
export function readCardOnFile(
  ctx: Context,
  { organizationId, id }: Pick<Customer, "organizationId" | "id">,
  subscription: Subscription,
): Promise<PaymentMethod | null> {
  return readCustomerBilling(ctx, { organizationId, id }, (billing) => unhinderedCardOf(billing, subscription), {
    deleted: true,
  });
}
