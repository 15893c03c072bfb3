import type { Account } from "../account/account.ts";
import { recordDispute } from "../account/record.ts";
import { disputable, rateAtStake, type Dispute, type DisputeReason } from "./dispute.ts";
import { runDue } from "../due.ts";
import { readBill } from "../invoice/bills.ts";
import { findRateLine, givenBackOf } from "../invoice/given-back.ts";
import { disputed } from "../ledger/ledger.ts";
import { post } from "../ledger/post.ts";
import { isCharge, type Payment } from "../payment/payment.ts";
import { findSubscription } from "../subscription/find.ts";
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
  if (invoiceId !== null) account.need({ part: "invoice", id: invoiceId }, { part: "given_back", invoiceId });
  runDue(account);
  const payment = account.payments.get(paymentId)!;
  const standing = account.disputes.where((dispute) => dispute.paymentId === paymentId && dispute.status !== "won");
  if (standing.length > 0) throw new AppError("already_disputed");
  const { customerId, currency } = payment;
  const amount = disputable(payment, invoiceId === null ? [] : givenBackOf(account, invoiceId).refunds);
  if (amount === 0) throw new AppError("payment_not_disputable");
  const dispute: Dispute = {
    organizationId: account.organization.id,
    id: newId("dsp"),
    paymentId,
    invoiceId,
    ...soldBy(account, payment),
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

/** The Subscription of the charge, and the part of its paid rate that a lost charge would take away. */
function soldBy(account: Account, payment: Payment): Pick<Dispute, "subscriptionId" | "rateAtStake" | "periodNumber"> {
  const bill = payment.invoiceId === null ? null : readBill(account, payment.invoiceId);
  const subscriptionId = bill?.invoice.subscriptionId ?? payment.subscriptionId;
  const none = { subscriptionId, rateAtStake: 0, periodNumber: null };
  if (!bill || bill.invoice.status !== "paid" || subscriptionId === null) return none;
  const subscription = findSubscription(account, subscriptionId);
  if (!subscription || subscription.status === "canceled") return none;
  const { refunds, credits } = givenBackOf(account, bill.invoice.id);
  const stake = rateAtStake({ ...bill, refunds, credits }, findRateLine(account, subscription), subscription);
  return stake === 0 ? none : { subscriptionId, rateAtStake: stake, periodNumber: subscription.periodNumber };
}
