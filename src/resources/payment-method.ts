import * as z from "zod";
import type { PaymentMethod } from "../domain/payment.ts";
import { card, id, presentCard, text, time, timestamp } from "./fields.ts";

export const PaymentMethodResource = z
  .object({ id: id("pm"), customerId: id("cus"), ...card.shape, createdAt: timestamp })
  .meta({ id: "PaymentMethod" });
export type PaymentMethodResource = z.infer<typeof PaymentMethodResource>;

export const SetCardParams = z.strictObject({ card: text(32).meta({ description: "A card number." }) }).meta({ id: "SetCardParams" });
export type SetCardParams = z.infer<typeof SetCardParams>;

export function presentPaymentMethod(method: PaymentMethod): PaymentMethodResource {
  return { id: method.id, customerId: method.customerId, ...presentCard(method), createdAt: time(method.createdAt) };
}
