import { liveSubscriptions, type Account } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { totalOfParts } from "../model/credit-source.ts";
import { findRateLine, fundsLeftOf, returnsOf, rateInvoiceOf } from "../invoice/returns.ts";
import { linesOf } from "../invoice/bills.ts";
import { allocateRefund, rateLoweredBy, refundedLines } from "../model/refund.ts";

/**
 * Lowers the paid rates of the Customer's Subscriptions by the part that a lost charge had paid, itself or as credit
 * (rule D7d). So leaving the period early gives no credit for that part.
 */
export function lowerPaidRates(account: Account, paymentId: string): void {
  for (const subscription of liveSubscriptions(account)) {
    const invoice = rateInvoiceOf(account, subscription);
    if (!invoice) continue;
    const stake = totalOfParts(fundsLeftOf(account, invoice).filter((fund) => fund.paymentId === paymentId));
    if (stake === 0) continue;
    const { refunds, credits } = returnsOf(account, invoice.id);
    const before = refundedLines(refunds);
    const parts = allocateRefund(linesOf(account, invoice.id), before, credits, stake);
    const lowered = rateLoweredBy(parts, before, findRateLine(account, subscription), subscription);
    if (lowered === 0) continue;
    recordSubscription(account, { ...subscription, paidRate: subscription.paidRate - lowered }, null, account.now);
  }
}
