import type { Account } from "../billing/customer-billing.ts";
import { recordDispute } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import { runDue } from "../collection/due.ts";
import { readBill } from "../invoice/bills.ts";
import { disputed } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import type { Amount } from "../money.ts";
import { isCharge, type Payment } from "../model/payment.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { disputable, isStanding, type Dispute, type DisputeReason } from "../model/dispute.ts";

/**
 * A dispute as the bank begins it. `amount`: minor units; null: the whole part that a bank can take back. `isInquiry`:
 * the bank only asks. `ref`: the provider's id; null in a sandbox. See `Dispute` for the other fields.
 */
export type Opening = {
  reason: DisputeReason;
  amount: Amount | null;
  isInquiry: boolean;
  ref: string | null;
  evidenceDueAt: Instant | null;
  fee: Amount | null;
  feeCurrency: string | null;
};

/**
 * Opens a dispute: a buyer objects to a charge, and the bank takes it back (rule D5). An inquiry moves no money.
 * @throws AppError 404, 409 `already_disputed`, `payment_not_disputable`
 */
export function openDispute(account: Account, paymentId: string, opening: Opening): Dispute {
  account.need({ part: "payment", id: paymentId });
  const seen = account.payments.get(paymentId);
  if (!seen || !isCharge(seen)) throw new AppError("not_found");
  const { invoiceId } = seen;
  account.need({ part: "refunds_of", paymentId }, { part: "disputes_of", paymentId });
  if (invoiceId !== null) account.need({ part: "invoice", id: invoiceId });
  runDue(account);
  const payment = account.payments.get(paymentId)!;
  const { ref, reason, isInquiry, evidenceDueAt, fee, feeCurrency } = opening;
  const dispute: Dispute = {
    organizationId: account.organization.id,
    id: newId("dsp"),
    paymentId,
    invoiceId,
    subscriptionId: subscriptionOf(account, payment),
    customerId: payment.customerId,
    status: isInquiry ? "inquiry" : "open",
    reason,
    amount: takenBy(account, payment, opening.amount),
    currency: payment.currency,
    providerRef: ref,
    evidenceDueAt,
    ...feeIn(payment.currency, fee, feeCurrency),
    closedAt: null,
    cardClearedAt: null,
    version: 0,
    eventSequence: 0,
    createdAt: account.now,
    updatedAt: account.now,
  };
  if (!isInquiry) takeMoney(account, dispute);
  return recordDispute(account, dispute, "dispute.created", account.now);
}

/**
 * The amount of a dispute: the bank's amount, at most the part of the charge that it can take back (rule D5b).
 * @throws AppError 409 `already_disputed`, `payment_not_disputable`
 */
function takenBy(account: Account, payment: Payment, amount: Amount | null): Amount {
  const { id } = payment;
  const live = account.disputes.where(
    (each) => each.paymentId === id && (isStanding(each) || each.status === "inquiry"),
  );
  if (live.length > 0) throw new AppError("already_disputed");
  const left = leftOf(account, payment);
  if (left === 0) throw new AppError("payment_not_disputable");
  return Math.min(amount ?? left, left);
}

const leftOf = (account: Account, payment: Payment): Amount =>
  disputable(
    payment,
    account.refunds.where((refund) => refund.paymentId === payment.id),
  );

/** A fee is in the currency of the payment, unless the provider names another one (rule D5c). */
const feeIn = (currency: string, fee: Amount | null, feeCurrency: string | null) => ({
  fee,
  feeCurrency: fee === null ? null : (feeCurrency ?? currency),
});

function takeMoney(account: Account, { id, currency, amount }: Dispute): void {
  post(account, "dispute_opened", id, currency, disputed(amount), account.now);
}

/**
 * Makes an inquiry an open dispute: now the bank takes the money back (rule D5a). `amount`: as in `Opening`.
 * @throws AppError 404, 409 `dispute_not_inquiry`, `payment_not_disputable`
 */
export function escalateDispute(account: Account, id: string, changed: Partial<DisputeTerms> = {}): Dispute {
  account.need({ part: "dispute", id });
  const seen = account.disputes.get(id);
  if (!seen) throw new AppError("not_found");
  const { paymentId } = seen;
  account.need({ part: "payment", id: paymentId }, { part: "refunds_of", paymentId });
  runDue(account);
  const inquiry = account.disputes.get(id)!;
  if (inquiry.status !== "inquiry") throw new AppError("dispute_not_inquiry");
  const left = leftOf(account, account.payments.get(paymentId)!);
  if (left === 0) throw new AppError("payment_not_disputable");
  const amount = Math.min(changed.amount ?? inquiry.amount, left);
  const { fee = inquiry.fee, feeCurrency = inquiry.feeCurrency } = changed;
  const open: Dispute = {
    ...inquiry,
    ...changed,
    ...feeIn(inquiry.currency, fee, feeCurrency),
    amount,
    status: "open",
  };
  takeMoney(account, open);
  return recordDispute(account, open, "dispute.updated", account.now);
}

/** The fields that a provider may change while a dispute goes on. */
export type DisputeTerms = Pick<Dispute, "amount" | "reason" | "evidenceDueAt" | "fee" | "feeCurrency">;

/** The Subscription of the charge, ended or not; null for a one-time purchase. */
function subscriptionOf(account: Account, { invoiceId, subscriptionId }: Payment): string | null {
  const bill = invoiceId === null ? null : readBill(account, invoiceId);
  return bill?.invoice.subscriptionId ?? subscriptionId;
}
