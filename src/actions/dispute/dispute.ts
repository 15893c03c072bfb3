import type { Context } from "../../context.ts";
import { closeDispute as decideClosing } from "../../domain/dispute/close.ts";
import { openDispute } from "../../domain/dispute/open.ts";
import type { Dispute } from "../../domain/dispute/dispute.ts";
import type { CloseDisputeParams, DisputePaymentParams } from "../../resources/dispute.ts";
import { inAccount } from "../account.ts";
import type { Origin } from "../origin.ts";

/**
 * `POST /sandbox/payments/{id}/dispute`: acts as the bank of a buyer that objects to a charge (rule D5).
 * @throws AppError 404, 409 `payment_not_disputable`, `already_disputed`
 */
export function disputePayment(
  ctx: Context,
  { organizationId, transaction }: Origin<Dispute>,
  id: string,
  params: DisputePaymentParams,
): Promise<Dispute> {
  const key = { by: "payment", organizationId, id } as const;
  return transaction(ctx, (tx) =>
    inAccount(ctx, tx, key, (account) => openDispute(account, id, params), { deleted: true }),
  );
}

/** `POST /sandbox/disputes/{id}/close`: the bank's decision. @throws AppError 404, 409 `dispute_closed` */
export function closeDispute(
  ctx: Context,
  { organizationId, transaction }: Origin<Dispute>,
  id: string,
  params: CloseDisputeParams,
): Promise<Dispute> {
  const key = { by: "dispute", organizationId, id } as const;
  return transaction(ctx, (tx) =>
    inAccount(ctx, tx, key, (account) => decideClosing(account, id, params), { deleted: true }),
  );
}
