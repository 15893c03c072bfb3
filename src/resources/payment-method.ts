import * as z from "zod";
import type { PaymentMethod } from "../domain/payment.ts";
import { card, id, presentCard, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

export const PaymentMethodResource = z
  .object({
    id: id("pm"),
    customerId: id("cus"),
    ...card.shape,
    isDefault: z.boolean().meta({ description: "Charged for whatever has no card of its own." }),
    createdAt: timestamp,
  })
  .meta({ id: "PaymentMethod" });
export type PaymentMethodResource = z.infer<typeof PaymentMethodResource>;

export const SetCardParams = z.strictObject({ card: text(32).meta({ description: "A card number." }) }).meta({ id: "SetCardParams" });
export type SetCardParams = z.infer<typeof SetCardParams>;

export const ListPaymentMethodsQuery = z.strictObject(pageQuery("pm"));
export type ListPaymentMethodsQuery = z.infer<typeof ListPaymentMethodsQuery>;

/** `defaultId`: the card that is the Customer's default. */
export function presentPaymentMethod(method: PaymentMethod, defaultId: string | null): PaymentMethodResource {
  const { id: methodId, customerId, createdAt } = method;
  return { id: methodId, customerId, ...presentCard(method), isDefault: methodId === defaultId, createdAt: time(createdAt) };
}
