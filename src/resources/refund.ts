import * as z from "zod";
import { REFUND_FAILURE_CODES } from "../domain/model/refund-failure.ts";
import type { Refund, RefundOrigin, RefundPurpose, RefundStatus, RefundTarget } from "../domain/model/refund.ts";
import {
  amount,
  amountParam,
  currency,
  currencyCode,
  etag,
  id,
  multiline,
  orNull,
  text,
  time,
  timestamp,
} from "./fields.ts";
import { pageQuery } from "./page.ts";

const STATUSES = ["pending", "succeeded", "failed", "unknown"] as const satisfies readonly RefundStatus[];
const PURPOSES = ["invoice", "balance"] as const satisfies readonly RefundPurpose[];
const ORIGINS = ["billow", "provider"] as const satisfies readonly RefundOrigin[];
const TARGETS = ["card", "balance"] as const satisfies readonly RefundTarget[];

export const RefundResource = z
  .object({
    id: id("rfd"),
    purpose: z.enum(PURPOSES).meta({
      description: "`invoice`: an Invoice is refunded. `balance`: credit of the balance is paid out to its card.",
    }),
    origin: z.enum(ORIGINS).meta({
      description: "`provider`: the refund was made at the payment provider, for example in its dashboard (rule I9).",
    }),
    invoiceId: id("inv").nullable().meta({ description: "Null if credit of the balance is paid out." }),
    paymentId: id("pay")
      .nullable()
      .meta({ description: "The Payment that is refunded. Null: the refund goes to the balance." }),
    customerId: id("cus"),
    status: z.enum(STATUSES).meta({
      description: "`unknown`: the provider's answer was lost. Billow asks the provider until the outcome is known.",
    }),
    amount,
    taxAmount: amount.meta({ description: "The tax in the amount." }),
    fromBalance: amount.meta({
      description: "The part of the amount that was taken off the balance. The credit note does not cover this part.",
    }),
    currency: currencyCode,
    to: z.enum(TARGETS),
    reason: z.string().nullable(),
    creditNoteId: id("crn")
      .nullable()
      .meta({ description: "Set once the refund has succeeded, unless the whole amount was taken off the balance." }),
    failureCode: z.enum(REFUND_FAILURE_CODES).nullable().meta({
      description: "The reason of a failed refund. Null for a refund that failed before Billow kept reasons.",
    }),
    createdAt: timestamp,
    settledAt: timestamp.nullable().meta({ description: "The instant of the first final outcome." }),
    failedAt: timestamp.nullable().meta({
      description:
        "The instant of the failure. A refund to a card can fail weeks after it has succeeded: `creditNoteId` stays, " +
        "and the money is credit on the balance (rule I8).",
    }),
  })
  .meta({ id: "Refund" });
export type RefundResource = z.infer<typeof RefundResource>;

export const CreateRefundParams = z
  .strictObject({
    amount: orNull(amountParam(1)).meta({
      description:
        "In the currency's minor unit (cents for usd). The default is `refundableToCard` or `refundableToBalance` of " +
        "the Invoice. More than `refundableToCard` is taken off the balance: credit from this very Payment that is " +
        "not spent. If the payment provider refunds the currency in multiples, a refund to the card must be one of " +
        "them, and the default is rounded down (rule M5).",
    }),
    to: z
      .enum(TARGETS)
      .default("card")
      .meta({ description: "The refund goes to the charged card or to the Customer's balance." }),
    reason: orNull(multiline(1000)).meta({
      description: "The reason, in your own words. The credit note does not show it.",
    }),
    revokeGrants: z
      .boolean()
      .default(false)
      .meta({ description: "Only for a one-time purchase. Its grants are revoked for good when the refund succeeds." }),
  })
  .meta({ id: "CreateRefundParams" });
export type CreateRefundParams = z.infer<typeof CreateRefundParams>;

/** `POST /sandbox/payments/{id}/refund`. */
export const RefundPaymentParams = z
  .strictObject({
    amount: orNull(amountParam(1)).meta({
      description:
        "In the currency's minor unit (cents for usd). The default is all that the provider can still refund.",
    }),
  })
  .meta({ id: "RefundPaymentParams" });
export type RefundPaymentParams = z.infer<typeof RefundPaymentParams>;

/** `POST /sandbox/refunds/{id}/fail`. */
export const FailRefundParams = z
  .strictObject({ failureCode: z.enum(REFUND_FAILURE_CODES).default("card_gone") })
  .meta({ id: "FailRefundParams" });
export type FailRefundParams = z.infer<typeof FailRefundParams>;

export const PayOutBalanceParams = z
  .strictObject({
    currency,
    amount: orNull(amountParam(1)).meta({
      description:
        "In the currency's minor unit (cents for usd). The default is all credit that can be paid out, each Refund " +
        "rounded down to an amount that the payment provider refunds (rule M5).",
    }),
    reason: orNull(multiline(1000)).meta({ description: "The reason, in your own words." }),
  })
  .meta({ id: "PayOutBalanceParams" });
export type PayOutBalanceParams = z.infer<typeof PayOutBalanceParams>;

/** `data`: one Refund for each Payment that the credit came from, newest Payment first. */
export const BalanceRefundsResource = z.object({ data: z.array(RefundResource) }).meta({ id: "BalanceRefunds" });

export const ListRefundsQuery = z.strictObject({
  ...pageQuery("rfd"),
  customerId: text(64).optional(),
  externalCustomerId: text(255).optional(),
  subscriptionId: text(64).optional(),
  invoiceId: text(64).optional(),
  paymentId: text(64).optional(),
  status: z.enum(STATUSES).optional(),
  to: z.enum(TARGETS).optional(),
  purpose: z.enum(PURPOSES).optional(),
});
export type ListRefundsQuery = z.infer<typeof ListRefundsQuery>;

export function presentRefund(refund: Refund): RefundResource {
  return {
    id: refund.id,
    purpose: refund.purpose,
    origin: refund.origin,
    invoiceId: refund.invoiceId,
    paymentId: refund.paymentId,
    customerId: refund.customerId,
    status: refund.status,
    amount: refund.amount,
    taxAmount: refund.taxAmount,
    fromBalance: refund.fromBalance,
    currency: refund.currency,
    to: refund.to,
    reason: refund.reason,
    creditNoteId: refund.creditNoteId,
    failureCode: refund.failureCode,
    createdAt: time(refund.createdAt),
    settledAt: time(refund.settledAt),
    failedAt: time(refund.failedAt),
  };
}

/** The status can change without an event, and so without a new version. So it is in the ETag. */
export function refundETag(refund: Refund): string {
  return etag(refund.version, refund.status);
}
