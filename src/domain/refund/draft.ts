import type { CustomerBilling } from "../billing/customer-billing.ts";
import { totalOfParts } from "../model/credit-source.ts";
import type { Bill } from "../invoice/bills.ts";
import { returnsOf } from "../invoice/returns.ts";
import { sumOf, type Amount } from "../money.ts";
import { requireAllowed, type Refunder } from "./limit.ts";
import { allocateRefund, NOT_FAILED, refundedLines, type Refund, type RefundTarget } from "../model/refund.ts";
import { shareOf } from "../model/refund-share.ts";
import { toBalance, toCard } from "./amount.ts";
import { Refusal } from "../refusal.ts";
import { newId } from "../../ids.ts";

/** `amount`: minor units; null: the whole refundable amount. `by`: the person of the dashboard who refunds, if any. */
export type AskedRefund = {
  amount: Amount | null;
  to: RefundTarget;
  reason: string | null;
  revokeGrants: boolean;
  by?: Refunder;
};

/**
 * Drafts a refund, checked against the refundable amounts. A refund to the balance has succeeded when it is recorded.
 * `fromBalance` of the draft still has to be taken off the balance.
 * @throws Refusal 409 `nothing_to_refund`, `credited`, `credit_spent`, 422
 */
export function newRefund(billing: CustomerBilling, bill: Bill, asked: AskedRefund): Refund {
  const { invoice, lines } = bill;
  const back = returnsOf(billing, invoice.id);
  const { amount, fromBalance } =
    asked.to === "card" ? toCard(billing, bill, back, asked) : toBalance(bill, back, asked);
  if (asked.by !== undefined) requireAllowed(billing, asked.by, { invoice, back, amount });
  if (asked.revokeGrants && invoice.subscriptionId !== null) {
    throw new Refusal("not_one_time", { field: "/revokeGrants" });
  }
  const isDone = asked.to === "balance";
  if (isDone) requireBalance(billing);
  const share = shareOf({ ...bill, back }, amount - fromBalance, asked.to);
  const parts = allocateRefund(
    lines,
    refundedLines(back.refunds),
    back.credits,
    amount - fromBalance,
    totalOfParts(share.freed),
  );
  return {
    organizationId: billing.organization.id,
    id: newId("rfd"),
    purpose: "invoice",
    origin: "billow",
    invoiceId: invoice.id,
    customerId: invoice.customerId,
    paymentId: isDone ? null : back.paymentId,
    status: isDone ? "succeeded" : "pending",
    amount,
    taxAmount: sumOf(parts.map((part) => part.taxAmount)),
    currency: invoice.currency,
    to: asked.to,
    reason: asked.reason,
    revokeGrants: asked.revokeGrants,
    lines: parts,
    fromBalance,
    taken: [],
    ...share,
    rateLowered: 0,
    periodNumber: null,
    creditNoteId: isDone ? newId("crn") : null,
    ...NOT_FAILED,
    checkAt: isDone ? null : billing.realNow,
    checks: 0,
    settledAt: isDone ? billing.now : null,
    version: 0,
    eventSequence: 0,
    createdAt: billing.now,
    updatedAt: billing.now,
  };
}

/** @throws Refusal 422 for a deleted Customer: the balance is gone */
function requireBalance({ customer }: Pick<CustomerBilling, "customer">): void {
  if (customer.deletedAt === null) return;
  throw new Refusal("no_balance_left", { field: "/to" });
}
