import type { CustomerBilling, InvoiceRows } from "../billing/customer-billing.ts";
import { recordDispute } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import { runDue } from "../collection/due.ts";
import { readBill } from "../invoice/bills.ts";
import { disputed } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import type { Amount } from "../money.ts";
import { isCharge, type Payment } from "../model/payment.ts";
import { newId } from "../../ids.ts";
import { disputable, isStanding, type Dispute, type DisputeReason } from "../model/dispute.ts";
import { Refusal } from "../refusal.ts";

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
 * @throws Refusal 404, 409 `already_disputed`, `payment_not_disputable`
 */
export function openDispute(billing: CustomerBilling, paymentId: string, opening: Opening): Dispute {
  billing.need({ part: "payment", id: paymentId });
  const seen = billing.payments.get(paymentId);
  if (!seen || !isCharge(seen)) throw new Refusal("not_found");
  const { invoiceId } = seen;
  billing.need({ part: "refunds_of", paymentId }, { part: "disputes_of", paymentId });
  if (invoiceId !== null) billing.need({ part: "invoice", id: invoiceId });
  runDue(billing);
  const payment = billing.payments.get(paymentId)!;
  const { ref, reason, isInquiry, evidenceDueAt, fee, feeCurrency } = opening;
  const dispute: Dispute = {
    organizationId: billing.organization.id,
    id: newId("dsp"),
    paymentId,
    invoiceId,
    subscriptionId: subscriptionOf(billing, payment),
    customerId: payment.customerId,
    status: isInquiry ? "inquiry" : "open",
    reason,
    amount: takenBy(billing, payment, opening.amount),
    currency: payment.currency,
    providerRef: ref,
    evidenceDueAt,
    ...feeIn(payment.currency, fee, feeCurrency),
    closedAt: null,
    cardClearedAt: null,
    version: 0,
    eventSequence: 0,
    createdAt: billing.now,
    updatedAt: billing.now,
  };
  if (!isInquiry) takeMoney(billing, dispute);
  return recordDispute(billing, dispute, "dispute.created", billing.now);
}

/**
 * The amount of a dispute: the bank's amount, at most the part of the charge that it can take back (rule D5b).
 * @throws Refusal 409 `already_disputed`, `payment_not_disputable`
 */
function takenBy(
  billing: Pick<CustomerBilling, "disputes" | "refunds">,
  payment: Payment,
  amount: Amount | null,
): Amount {
  const { id } = payment;
  const live = billing.disputes.where(
    (each) => each.paymentId === id && (isStanding(each) || each.status === "inquiry"),
  );
  if (live.length > 0) throw new Refusal("already_disputed");
  const left = leftOf(billing, payment);
  if (left === 0) throw new Refusal("payment_not_disputable");
  return Math.min(amount ?? left, left);
}

const leftOf = (billing: Pick<CustomerBilling, "refunds">, payment: Payment): Amount =>
  disputable(
    payment,
    billing.refunds.where((refund) => refund.paymentId === payment.id),
  );

/** A fee is in the currency of the payment, unless the provider names another one (rule D5c). */
const feeIn = (currency: string, fee: Amount | null, feeCurrency: string | null) => ({
  fee,
  feeCurrency: fee === null ? null : (feeCurrency ?? currency),
});

function takeMoney(
  billing: Pick<CustomerBilling, "customer" | "now" | "organization" | "transfers">,
  { id, currency, amount }: Dispute,
): void {
  post(billing, "dispute_opened", id, currency, disputed(amount), billing.now);
}

/**
 * Makes an inquiry an open dispute: now the bank takes the money back (rule D5a). `amount`: as in `Opening`.
 * @throws Refusal 404, 409 `dispute_not_inquiry`, `payment_not_disputable`
 */
export function escalateDispute(billing: CustomerBilling, id: string, changed: Partial<DisputeTerms> = {}): Dispute {
  billing.need({ part: "dispute", id });
  const seen = billing.disputes.get(id);
  if (!seen) throw new Refusal("not_found");
  const { paymentId } = seen;
  billing.need({ part: "payment", id: paymentId }, { part: "refunds_of", paymentId });
  runDue(billing);
  const inquiry = billing.disputes.get(id)!;
  if (inquiry.status !== "inquiry") throw new Refusal("dispute_not_inquiry");
  const left = leftOf(billing, billing.payments.get(paymentId)!);
  if (left === 0) throw new Refusal("payment_not_disputable");
  const amount = Math.min(changed.amount ?? inquiry.amount, left);
  const { fee = inquiry.fee, feeCurrency = inquiry.feeCurrency } = changed;
  const open: Dispute = {
    ...inquiry,
    ...changed,
    ...feeIn(inquiry.currency, fee, feeCurrency),
    amount,
    status: "open",
  };
  takeMoney(billing, open);
  return recordDispute(billing, open, "dispute.updated", billing.now);
}

/** The fields that a provider may change while a dispute goes on. */
export type DisputeTerms = Pick<Dispute, "amount" | "reason" | "evidenceDueAt" | "fee" | "feeCurrency">;

/** The Subscription of the charge, ended or not; null for a one-time purchase. */
function subscriptionOf(billing: InvoiceRows, { invoiceId, subscriptionId }: Payment): string | null {
  const bill = invoiceId === null ? null : readBill(billing, invoiceId);
  return bill?.invoice.subscriptionId ?? subscriptionId;
}
