import type { PaymentMethod } from "../domain/payment.ts";
import { defineTable } from "./table.ts";

export const paymentMethods = defineTable<PaymentMethod>("payment_methods", {
  type: "plain",
  brand: "plain",
  last4: "plain",
  expMonth: "plain",
  expYear: "plain",
  organizationId: "plain",
  id: "plain",
  customerId: "plain",
  provider: "plain",
  providerRef: "plain",
  dead: "plain",
  createdAt: "instant",
});
