import { type CustomerBilling, liveSubscriptions } from "../billing/customer-billing.ts";
import { recordDispute } from "../billing/record.ts";
import { settleWithLots, writeOffLots } from "../balance/move.ts";
import { runDue } from "../collection/due.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { linesOf } from "../invoice/bills.ts";
import { findRateLine, fundsLeftOf, returnsOf, rateInvoiceOf } from "../invoice/returns.ts";
import { totalOfParts } from "../model/credit-source.ts";
import { decided } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { isOver, type Decision, type Dispute, type DisputeOutcome } from "../model/dispute.ts";
import { allocateRefund, rateLoweredBy, refundedLines } from "../model/refund.ts";
import { Refusal } from "../refusal.ts";

/**
 * Closes a dispute with the bank's decision (rules D5a, D7c). An open dispute is won or lost. An inquiry is closed
 * without a decision, because the bank has taken no money.
 * @throws Refusal 404, 409 `dispute_closed`, `dispute_outcome_mismatch`
 */
export function closeDispute(billing: CustomerBilling, id: string, { outcome }: { outcome: DisputeOutcome }): Dispute {
  billing.need({ part: "dispute", id });
  if (!billing.disputes.get(id)) throw new Refusal("not_found");
  runDue(billing);
  const dispute = billing.disputes.get(id)!;
  if (isOver(dispute)) throw new Refusal("dispute_closed");
  if ((dispute.status === "inquiry") !== (outcome === "closed")) throw new Refusal("dispute_outcome_mismatch");
  if (outcome === "closed") return end(billing, dispute, outcome);
  return decide(billing, dispute, outcome);
}

function decide(billing: CustomerBilling, dispute: Dispute, outcome: Decision): Dispute {
  const { id, currency, amount, paymentId } = dispute;
  post(billing, `dispute_${outcome}`, id, currency, decided(outcome, amount), billing.now);
  if (outcome === "lost") {
    writeOffLots(billing, paymentId, { currency, invoiceId: null });
    lowerPaidRates(billing, paymentId);
  }
  const closed = end(billing, dispute, outcome);
  if (outcome === "won") settleWithLots(billing, currency);
  return closed;
}

function end(
  billing: Pick<CustomerBilling, "disputes" | "events" | "now">,
  dispute: Dispute,
  status: DisputeOutcome,
): Dispute {
  return recordDispute(billing, { ...dispute, status, closedAt: billing.now }, "dispute.closed", billing.now);
}

/**
 * Lowers the paid rates of the Customer's Subscriptions by the part that a lost charge had paid, itself or as credit
 * (rule D7d). So leaving the period early gives no credit for that part.
 */
function lowerPaidRates(billing: CustomerBilling, paymentId: string): void {
  for (const subscription of liveSubscriptions(billing)) {
    const invoice = rateInvoiceOf(billing, subscription);
    if (!invoice) continue;
    const stake = totalOfParts(fundsLeftOf(billing, invoice).filter((fund) => fund.paymentId === paymentId));
    if (stake === 0) continue;
    const { refunds, credits } = returnsOf(billing, invoice.id);
    const before = refundedLines(refunds);
    const parts = allocateRefund(linesOf(billing, invoice.id), before, credits, stake);
    const lowered = rateLoweredBy(parts, before, findRateLine(billing, subscription), subscription);
    if (lowered === 0) continue;
    recordSubscription(billing, { ...subscription, paidRate: subscription.paidRate - lowered }, null, billing.now);
  }
}
