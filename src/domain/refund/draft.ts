import type { Account } from "../account/account.ts";
import { creditedElsewhere } from "../invoice/credit.ts";
import type { Invoice } from "../invoice/invoice.ts";
import type { Bill } from "../invoice/bills.ts";
import { givenBackOf, type Back } from "../invoice/given-back.ts";
import { isCharge } from "../payment/payment.ts";
import { allocateRefund, refundable, refundedLines, type Refund, type RefundTarget } from "./refund.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";

/** `amount`: minor units; null: the whole refundable amount. */
export type AskedRefund = { amount: number | null; to: RefundTarget; reason: string | null; revokeGrants: boolean };

/**
 * Drafts a refund, checked against the refundable amount. A refund to the balance has succeeded when it is recorded.
 * @throws AppError 409 `nothing_to_refund`, `credited`, 422
 */
export function newRefund(account: Account, { invoice, lines }: Bill, asked: AskedRefund): Refund {
  const back = givenBackOf(account, invoice.id);
  const amount = amountOf(invoice, back, asked.amount);
  if (asked.revokeGrants && invoice.subscriptionId !== null) {
    throw invalid(
      "/revokeGrants",
      "not_one_time",
      "Only for a one-time purchase. The grants of a Subscription end with it.",
    );
  }
  const isDone = asked.to === "balance";
  const paymentId = isDone ? balanceOf(account) : chargeOf(account, invoice);
  const given = refundedLines(back.refunds);
  const parts = allocateRefund(lines, given, back.credits, amount);
  return {
    organizationId: account.organization.id,
    id: newId("rfd"),
    invoiceId: invoice.id,
    customerId: invoice.customerId,
    paymentId,
    status: isDone ? "succeeded" : "pending",
    amount,
    taxAmount: parts.reduce((sum, part) => sum + part.taxAmount, 0),
    currency: invoice.currency,
    to: asked.to,
    reason: asked.reason,
    revokeGrants: asked.revokeGrants,
    lines: parts,
    rateLowered: 0,
    periodNumber: null,
    creditNoteId: isDone ? newId("crn") : null,
    checkAt: isDone ? null : account.realNow,
    checks: 0,
    settledAt: isDone ? account.now : null,
    version: 0,
    eventSequence: 0,
    createdAt: account.now,
    updatedAt: account.now,
  };
}

/** The amount to refund, by default all that is left. @throws AppError 409 `nothing_to_refund`, `credited`, 422 */
function amountOf(invoice: Invoice, back: Back, asked: number | null): number {
  const limit = refundable(invoice, back);
  const withoutCredits = refundable(invoice, { ...back, credits: [] });
  if (withoutCredits === 0) throw new AppError("nothing_to_refund");
  const amount = asked ?? (limit === 0 ? withoutCredits : limit);
  if (amount <= limit) return amount;
  const isCredited = creditedElsewhere(back.credits) > 0 && amount <= withoutCredits;
  if (isCredited) throw new AppError("credited", { extra: { refundableAmount: limit } });
  throw invalid("/amount", "too_large", `Refund at most ${limit} of this Invoice.`);
}

/** The charge to refund. @throws AppError 422 if no card was charged */
function chargeOf(account: Account, { id, paidOutside }: Invoice): string {
  const captured = account.payments.where(
    (payment) => payment.invoiceId === id && payment.status === "succeeded" && isCharge(payment),
  );
  const [payment] = paidOutside ? [] : captured;
  if (!payment)
    throw invalid("/to", "not_paid_by_card", "No card was charged for this Invoice. Refund it to the `balance`.");
  return payment.id;
}

/** A refund to the balance has no charge. @throws AppError 422 for a deleted Customer: the balance is gone */
function balanceOf({ customer }: Account): null {
  if (customer.deletedAt === null) return null;
  throw invalid(
    "/to",
    "customer_deleted",
    "The Customer is deleted and has no balance any more. Refund to the `card`.",
  );
}
