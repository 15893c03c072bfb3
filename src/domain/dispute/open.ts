import type { Account } from "../account/account.ts";
import { recordDispute } from "../account/record.ts";
import { disputable, type Dispute, type DisputeReason } from "./dispute.ts";
import { runDue } from "../due.ts";
import { readBill } from "../invoice/bills.ts";
import { disputed } from "../ledger/ledger.ts";
import { post } from "../ledger/post.ts";
import { isCharge, type Payment } from "../payment/payment.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../ids.ts";

/**
 * Opens a dispute: a buyer objects to a charge, and the bank takes it back (rule D5).
 * @throws AppError 404, 409 `already_disputed`, `payment_not_disputable`
 */
export function openDispute(account: Account, paymentId: string, { reason }: { reason: DisputeReason }): Dispute {
  account.need({ part: "payment", id: paymentId });
  const seen = account.payments.get(paymentId);
  if (!seen || !isCharge(seen)) throw new AppError("not_found");
  const { invoiceId } = seen;
  account.need({ part: "refunds_of", paymentId });
  if (invoiceId !== null) account.need({ part: "invoice", id: invoiceId });
  runDue(account);
  const payment = account.payments.get(paymentId)!;
  const standing = account.disputes.where((dispute) => dispute.paymentId === paymentId && dispute.status !== "won");
  if (standing.length > 0) throw new AppError("already_disputed");
  const { customerId, currency } = payment;
  const amount = disputable(
    payment,
    account.refunds.where((refund) => refund.paymentId === paymentId),
  );
  if (amount === 0) throw new AppError("payment_not_disputable");
  const dispute: Dispute = {
    organizationId: account.organization.id,
    id: newId("dsp"),
    paymentId,
    invoiceId,
    subscriptionId: subscriptionOf(account, payment),
    customerId,
    status: "open",
    reason,
    amount,
    currency,
    closedAt: null,
    cardClearedAt: null,
    version: 0,
    eventSequence: 0,
    createdAt: account.now,
    updatedAt: account.now,
  };
  post(account, "dispute_opened", dispute.id, currency, disputed(amount), account.now);
  return recordDispute(account, dispute, "dispute.created", account.now);
}

/** The Subscription of the charge, ended or not; null for a one-time purchase. */
function subscriptionOf(account: Account, { invoiceId, subscriptionId }: Payment): string | null {
  const bill = invoiceId === null ? null : readBill(account, invoiceId);
  return bill?.invoice.subscriptionId ?? subscriptionId;
}
