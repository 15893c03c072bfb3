import * as z from "zod";
import type { Dispute, DisputeOutcome, DisputeReason, DisputeStatus } from "../domain/model/dispute.ts";
import { amount, amountParam, currencyCode, etag, id, orNull, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

const STATUSES = ["inquiry", "open", "won", "lost", "closed"] as const satisfies readonly DisputeStatus[];
const OUTCOMES = ["won", "lost", "closed"] as const satisfies readonly DisputeOutcome[];
const REASONS = [
  "fraudulent",
  "duplicate",
  "not_received",
  "not_as_described",
  "subscription_canceled",
  "refund_not_received",
  "unrecognized",
  "other",
] as const satisfies readonly DisputeReason[];

export const DisputeResource = z
  .object({
    id: id("dsp"),
    paymentId: id("pay"),
    invoiceId: id("inv").nullable(),
    subscriptionId: id("sub").nullable(),
    customerId: id("cus"),
    status: z.enum(STATUSES).meta({
      description:
        "`inquiry`: the bank only asks. `open`: the bank has taken the money until it decides. `won`: the bank gave " +
        "the money back. `closed`: an inquiry ended, and no money has moved.",
    }),
    reason: z.enum(REASONS).meta({ description: "The reason that the buyer gave to their bank." }),
    amount: amount.meta({
      description:
        "The amount that the bank took, or asks about: at most the part of the payment that was not refunded to the " +
        "card.",
    }),
    currency: currencyCode,
    evidenceDueAt: timestamp.nullable().meta({ description: "The seller may send evidence until this instant." }),
    fee: amount.nullable().meta({ description: "The payment provider's fee for the dispute." }),
    feeCurrency: currencyCode.nullable(),
    createdAt: timestamp,
    closedAt: timestamp.nullable(),
  })
  .meta({ id: "Dispute" });
export type DisputeResource = z.infer<typeof DisputeResource>;

export const DisputePaymentParams = z
  .strictObject({
    reason: z.enum(REASONS).default("fraudulent"),
    amount: orNull(amountParam(1)).meta({
      description:
        "In the currency's minor unit (cents for usd). At most, and by default, the part of the payment that was not " +
        "refunded to the card.",
    }),
    inquiry: z.boolean().default(false).meta({ description: "The bank only asks, and takes no money." }),
  })
  .meta({ id: "DisputePaymentParams" });
export type DisputePaymentParams = z.infer<typeof DisputePaymentParams>;

export const CloseDisputeParams = z.strictObject({ outcome: z.enum(OUTCOMES) }).meta({ id: "CloseDisputeParams" });
export type CloseDisputeParams = z.infer<typeof CloseDisputeParams>;

export const ListDisputesQuery = z.strictObject({
  ...pageQuery("dsp"),
  customerId: text(64).optional(),
  externalCustomerId: text(255).optional(),
  subscriptionId: text(64).optional(),
  invoiceId: text(64).optional(),
  paymentId: text(64).optional(),
  status: z.enum(STATUSES).optional(),
});
export type ListDisputesQuery = z.infer<typeof ListDisputesQuery>;

export function presentDispute(dispute: Dispute): DisputeResource {
  return {
    id: dispute.id,
    paymentId: dispute.paymentId,
    invoiceId: dispute.invoiceId,
    subscriptionId: dispute.subscriptionId,
    customerId: dispute.customerId,
    status: dispute.status,
    reason: dispute.reason,
    amount: dispute.amount,
    currency: dispute.currency,
    evidenceDueAt: time(dispute.evidenceDueAt),
    fee: dispute.fee,
    feeCurrency: dispute.feeCurrency,
    createdAt: time(dispute.createdAt),
    closedAt: time(dispute.closedAt),
  };
}

export function disputeETag(dispute: Dispute): string {
  return etag(dispute.version);
}
