import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { addDays24 } from "../../domain/calendar.ts";
import { closeDispute as decideClosing } from "../../domain/dispute/close.ts";
import { escalateDispute as decideEscalation, openDispute, type Opening } from "../../domain/dispute/open.ts";
import type { Dispute } from "../../domain/model/dispute.ts";
import type { CloseDisputeParams, DisputePaymentParams } from "../../resources/dispute.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin } from "../origin.ts";

/**
 * `POST /sandbox/payments/{id}/dispute`: acts as the bank of a buyer that objects to a charge (rule D5).
 * @throws Refusal 404, 409 `payment_not_disputable`, `already_disputed`
 */
export function disputePayment(
  ctx: Context,
  { organizationId, transaction }: Origin<Dispute>,
  id: string,
  params: DisputePaymentParams,
): Promise<Dispute> {
  const key = { by: "payment", organizationId, id } as const;
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, key, (billing) => openDispute(billing, id, openingOf(billing, params)), { deleted: true }),
  );
}

/** The fee of the sandbox's bank, in minor units of the payment's currency, and its deadline. */
const SANDBOX_FEE = 1500;
const EVIDENCE_DAYS = 7;

function openingOf(billing: CustomerBilling, { reason, amount, inquiry: isInquiry }: DisputePaymentParams): Opening {
  const evidenceDueAt = addDays24(billing.now, EVIDENCE_DAYS);
  return {
    reason,
    amount,
    isInquiry,
    ref: null,
    evidenceDueAt,
    fee: isInquiry ? null : SANDBOX_FEE,
    feeCurrency: null,
  };
}

/**
 * `POST /sandbox/disputes/{id}/escalate`: the bank takes the money of an inquiry back.
 * @throws Refusal 404, 409 `dispute_not_inquiry`, `payment_not_disputable`
 */
export function escalateDispute(
  ctx: Context,
  { organizationId, transaction }: Origin<Dispute>,
  id: string,
): Promise<Dispute> {
  const key = { by: "dispute", organizationId, id } as const;
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, key, (billing) => decideEscalation(billing, id, { fee: SANDBOX_FEE }), { deleted: true }),
  );
}

/** `POST /sandbox/disputes/{id}/close`: the bank's decision. @throws Refusal 404, 409 `dispute_closed` */
export function closeDispute(
  ctx: Context,
  { organizationId, transaction }: Origin<Dispute>,
  id: string,
  params: CloseDisputeParams,
): Promise<Dispute> {
  const key = { by: "dispute", organizationId, id } as const;
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, key, (billing) => decideClosing(billing, id, params), { deleted: true }),
  );
}
