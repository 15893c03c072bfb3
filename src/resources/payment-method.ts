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

/** `defaultId`: the Customer's default card. `disputed`: the fingerprints of cards that are held back (rule D6). */
export function presentPaymentMethod(
  method: PaymentMethod,
  defaultId: string | null,
  disputed: ReadonlySet<string>,
): PaymentMethodResource {
  const { id: methodId, customerId, fingerprint, createdAt } = method;
  return {
    id: methodId,
    customerId,
    ...presentCard(method),
    isDefault: methodId === defaultId,
    disputed: disputed.has(fingerprint),
    createdAt: time(createdAt),
  };
}
