import * as z from "zod";
import type { PaymentMethod } from "../domain/model/payment.ts";
import { card, etag, id, presentCard, text, time, timestamp } from "./fields.ts";
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
    detachedAt: timestamp.nullable().meta({
      description: "From then on the card can't be charged any more. A detached card stays detached.",
    }),
    createdAt: timestamp,
  })
  .meta({ id: "PaymentMethod" });
export type PaymentMethodResource = z.infer<typeof PaymentMethodResource>;

export const SetCardParams = z
  .strictObject({ card: text(32).meta({ description: "A card number." }) })
  .meta({ id: "SetCardParams" });
export type SetCardParams = z.infer<typeof SetCardParams>;

export const UpdateCardParams = z
  .strictObject({
    expMonth: z.int().min(1).max(12),
    expYear: z.int().min(2000).max(9999),
    last4: z
      .string()
      .regex(/^[0-9]{4}$/)
      .nullable()
      .default(null)
      .meta({ description: "The last four digits of the new card. Null: the card keeps its number." }),
  })
  .meta({ id: "UpdateCardParams" });
export type UpdateCardParams = z.infer<typeof UpdateCardParams>;

export const ListPaymentMethodsQuery = z.strictObject(pageQuery("pm"));
export type ListPaymentMethodsQuery = z.infer<typeof ListPaymentMethodsQuery>;

/** `isDisputed`: whether a dispute holds the card back (rule D6). */
export type Standing = { isDefault: boolean; isDisputed: boolean };

/** The standing of a card changes without a new version, so the standing is part of the ETag. */
export function paymentMethodETag({ version, isDefault, isDisputed }: PaymentMethod & Standing): string {
  return etag(version, isDefault && "default", isDisputed && "disputed");
}

export function presentPaymentMethod(
  method: PaymentMethod,
  { isDefault, isDisputed: disputed }: Standing,
): PaymentMethodResource {
  const { id: methodId, customerId, detachedAt, createdAt } = method;
  return {
    id: methodId,
    customerId,
    ...presentCard(method),
    isDefault,
    disputed,
    detachedAt: time(detachedAt),
    createdAt: time(createdAt),
  };
}
