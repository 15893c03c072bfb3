import { type CustomerBilling, findSubscription } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import type { Bill } from "../invoice/bills.ts";
import { findRateLine, returnsOf } from "../invoice/returns.ts";
import { requireNoChange } from "../collection/change-refusal.ts";
import { rateLoweredBy, refundedLines, type Refund } from "../model/refund.ts";

/**
 * Lowers the paid rate: the refunded part is no longer credited when the period is left early (rule P). Like the
 * refundable amount, the rate is lower from the request on, not only from the success on.
 * @throws Refusal `change_in_progress`, unless the refund was made at the provider
 */
export function lowerPaidRate(billing: CustomerBilling, { invoice }: Bill, refund: Refund): Refund {
  if (invoice.subscriptionId === null) return refund;
  const subscription = findSubscription(billing, invoice.subscriptionId);
  if (!subscription || subscription.status === "canceled") return refund;
  const rateLine = findRateLine(billing, subscription);
  // A change in progress has fixed its credit already, so the rate can't be lowered now. A refund that was made at the
  // provider leaves that credit out, and can't be refused.
  if (refund.origin === "billow" && refund.lines.some(({ invoiceLineId }) => invoiceLineId === rateLine?.id))
    requireNoChange(billing, subscription);
  const before = refundedLines(returnsOf(billing, invoice.id).refunds);
  const rateLowered = rateLoweredBy(refund.lines, before, rateLine, subscription);
  if (rateLowered === 0) return refund;
  recordSubscription(billing, { ...subscription, paidRate: subscription.paidRate - rateLowered }, null, billing.now);
  return { ...refund, rateLowered, periodNumber: subscription.periodNumber };
}
