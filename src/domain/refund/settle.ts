import { type CustomerBilling, findSubscription, type InvoiceRows } from "../billing/customer-billing.ts";
import { recordRefund } from "../billing/record.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { instant } from "../calendar.ts";
import { readBill, type Bill } from "../invoice/bills.ts";
import type { Outcome } from "../model/payment-outcome.ts";
import { delayAfter } from "../settlement/settle.ts";
import { refundFailureOf, type RefundFailureCode } from "../model/refund-failure.ts";
import { soldBack, type Refund } from "../model/refund.ts";
import { returnToBalance } from "./take.ts";
import { newId } from "../../ids.ts";
import { applyRefund } from "./apply.ts";

/** Applies the provider's answer to a card refund, unless the refund was settled before. Returns the refund. */
export function settleRefund(billing: CustomerBilling, id: string, outcome: Outcome): Refund {
  // A preview settles a refund that it has just made.
  if (!billing.refunds.isNew(id)) billing.need({ part: "refund", id });
  const refund = billing.refunds.get(id);
  if (!refund) throw new Error(`no refund ${id}`);
  if (refund.settledAt !== null) return refund;
  if (outcome.status === "succeeded") return succeed(billing, refund);
  if (outcome.status === "declined") return fail(billing, refund, refundFailureOf(outcome.code));
  // A refusal of this refund alone is final (rule D9). While the account is refused, the refund is not settled at all.
  if (outcome.status === "refused" && outcome.scope === "charge") return fail(billing, refund, outcome.reason);
  // The money may or may not have gone back, so Billow queries the provider until the provider knows the outcome
  // (rule D2).
  const checkAt = instant(billing.realNow + delayAfter(refund.checks));
  return recordRefund(billing, { ...refund, status: "unknown", checks: refund.checks + 1, checkAt }, null, billing.now);
}

/** A refund fails without having succeeded, unless the refund was settled before. Returns the refund. */
export function failRefund(billing: CustomerBilling, id: string, failureCode: RefundFailureCode): Refund {
  billing.need({ part: "refund", id });
  const refund = billing.refunds.get(id);
  if (!refund) throw new Error(`no refund ${id}`);
  return refund.settledAt === null ? fail(billing, refund, failureCode) : refund;
}

/** The refunded invoice; null for a payout of credit. */
function billOf(billing: InvoiceRows, { id, invoiceId }: Refund): Bill | null {
  if (invoiceId === null) return null;
  billing.need({ part: "invoice", id: invoiceId }, { part: "given_back", invoiceId });
  const bill = readBill(billing, invoiceId);
  if (!bill) throw new Error(`refund ${id} is of no invoice`);
  return bill;
}

function succeed(billing: CustomerBilling, refund: Refund): Refund {
  const at = billing.now;
  const bill = billOf(billing, refund);
  const creditNoteId = soldBack(refund) > 0 ? newId("crn") : null;
  const settled: Refund = { ...refund, status: "succeeded", creditNoteId, checkAt: null, settledAt: at };
  const next = recordRefund(billing, settled, null, at);
  applyRefund(billing, bill, next, at);
  return next;
}

/**
 * No money was given back: the refund no longer counts against the limit or the paid rate. Credit that the
 * refund took is on the balance again (rules I3i, I7e, P).
 */
function fail(billing: CustomerBilling, refund: Refund, failureCode: RefundFailureCode): Refund {
  const at = billing.now;
  const failed = { ...refund, status: "failed", failureCode, failedAt: at, checkAt: null, settledAt: at } as const;
  const next = recordRefund(billing, failed, "refund.failed", at);
  returnToBalance(billing, refund);
  const subscriptionId = refund.rateLowered === 0 ? null : (billOf(billing, refund)?.invoice.subscriptionId ?? null);
  if (subscriptionId === null) return next;
  const subscription = findSubscription(billing, subscriptionId);
  if (subscription && subscription.status !== "canceled" && subscription.periodNumber === refund.periodNumber) {
    recordSubscription(billing, { ...subscription, paidRate: subscription.paidRate + refund.rateLowered }, null, at);
  }
  return next;
}
