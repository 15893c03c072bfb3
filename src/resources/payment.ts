import * as z from "zod";
import { triggerOf, type Payment, type PaymentStatus, type PaymentTrigger } from "../domain/model/payment.ts";
import { amount, card, currencyCode, etag, id, presentCard, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

const STATUSES = [
  "pending",
  "requires_action",
  "succeeded",
  "failed",
  "unknown",
] as const satisfies readonly PaymentStatus[];
const TRIGGERS = [
  "checkout",
  "renewal",
  "product_change",
  "retry",
  "manual",
  "new_card",
] as const satisfies readonly PaymentTrigger[];

export const nextAction = z
  .object({ type: z.literal("challenge"), url: z.string() })
  .nullable()
  .meta({
    description:
      "The next step of the buyer: to authenticate the payment at this address of their bank, or to pay on this page " +
      "of the provider.",
  });

export const PaymentResource = z
  .object({
    id: id("pay"),
    invoiceId: id("inv").nullable(),
    checkoutId: id("chk").nullable(),
    subscriptionId: id("sub").nullable(),
    customerId: id("cus").nullable(),
    status: z.enum(STATUSES).meta({
      description: "`unknown`: the provider has no outcome yet, or could not be asked. Billow asks until it has one.",
    }),
    amount,
    currency: currencyCode,
    trigger: z.enum(TRIGGERS),
    method: card.nullable().meta({
      description:
        "Null until the success, if the buyer gives the card on the provider's page. Then null only if the provider " +
        "took the money and named no card.",
    }),
    processing: z.boolean().meta({
      description:
        "True if the provider has accepted the payment and has no outcome yet, and false if the outcome is unknown. " +
        "Always false unless the status is `unknown`.",
    }),
    failureCode: z
      .string()
      .nullable()
      .meta({
        description:
          "The reason of the failure, from the provider. " +
          "Billow gives `card_disputed` itself, without a call to the provider.",
      }),
    nextAction,
    createdAt: timestamp,
    settledAt: timestamp.nullable(),
  })
  .meta({ id: "Payment" });
export type PaymentResource = z.infer<typeof PaymentResource>;

export const ListPaymentsQuery = z.strictObject({
  ...pageQuery("pay"),
  customerId: text(64).optional(),
  externalCustomerId: text(255).optional(),
  subscriptionId: text(64).optional(),
  invoiceId: text(64).optional(),
  checkoutId: text(64).optional(),
  status: z.enum(STATUSES).optional(),
  trigger: z.enum(TRIGGERS).optional(),
});
export type ListPaymentsQuery = z.infer<typeof ListPaymentsQuery>;

/** The challenge that waits for the buyer. Null once the challenge is passed, failed or abandoned. */
export function nextActionOf({ status, actionUrl, abandoned }: Payment): PaymentResource["nextAction"] {
  return status === "requires_action" && actionUrl !== null && !abandoned
    ? { type: "challenge", url: actionUrl }
    : null;
}

export function presentPayment(payment: Payment): PaymentResource {
  return {
    id: payment.id,
    invoiceId: payment.invoiceId,
    checkoutId: payment.checkoutId,
    subscriptionId: payment.subscriptionId,
    customerId: payment.customerId,
    status: payment.status,
    amount: payment.amount,
    currency: payment.currency,
    trigger: triggerOf(payment),
    method: payment.method && presentCard(payment.method),
    processing: payment.status === "unknown" && payment.processing,
    failureCode: payment.status === "failed" ? payment.failureCode : null,
    nextAction: nextActionOf(payment),
    createdAt: time(payment.createdAt),
    settledAt: time(payment.settledAt),
  };
}

/** The status, `abandoned` and `processing` can change without an event, and so without a new version. */
export function paymentETag(payment: Payment): string {
  const { version, status, abandoned, processing } = payment;
  return etag(version, status, abandoned && "abandoned", processing && "processing");
}
