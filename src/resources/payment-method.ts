import * as z from "zod";
import type { PaymentMethod } from "../domain/payment/payment.ts";
import { card, id, presentCard, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

export const PaymentMethodResource = z
  .object({
    id: id("pm"),
    customerId: id("cus"),
    ...card.shape,
    isDefault: z.boolean().meta({ description: "Charged for every Subscription without a card of its own." }),
    disputed: z.boolean().meta({
      description:
        "A payment with this card is disputed or lost. The card is charged only when the buyer pays with it.",
    }),
    createdAt: timestamp,
  })
  .meta({ id: "PaymentMethod" });
export type PaymentMethodResource = z.infer<typeof PaymentMethodResource>;

export const SetCardParams = z
  .strictObject({ card: text(32).meta({ description: "A card number." }) })
  .meta({ id: "SetCardParams" });
export type SetCardParams = z.infer<typeof SetCardParams>;

export const ListPaymentMethodsQuery = z.strictObject(pageQuery("pm"));
export type ListPaymentMethodsQuery = z.infer<typeof ListPaymentMethodsQuery>;

/** `isDisputed`: whether a dispute holds the card back (rule D6). */
type Standing = { isDefault: boolean; isDisputed: boolean };

export function presentPaymentMethod(
  method: PaymentMethod,
  { isDefault, isDisputed: disputed }: Standing,
): PaymentMethodResource {
  const { id: methodId, customerId, createdAt } = method;
  return {
    id: methodId,
    customerId,
    ...presentCard(method),
    isDefault,
    disputed,
    createdAt: time(createdAt),
  };
}
