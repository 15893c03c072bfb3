import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Lot } from "../model/balance.ts";
import { lotsOfCharge, takeCredit, writeOff, addCredit } from "../balance/move.ts";
import { payoutFailed, payoutRequested } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import type { Refund } from "../model/refund.ts";

/**
 * Takes `fromBalance` off the balance (rules I3c, I7). Returns the refund with the lots that were used. `lots`: by
 * default the credit that can go back to the card. A part that finds no lot becomes a debt.
 */
export function takeFromBalance(billing: CustomerBilling, refund: Refund, lots?: readonly Lot[]): Refund {
  const { currency, fromBalance, id: refundId, paymentId } = refund;
  if (fromBalance === 0 || paymentId === null) return refund;
  const movement = { currency, reason: "paid_out", invoiceId: null, refundId, createdAt: billing.now } as const;
  const { used } = takeCredit(billing, movement, fromBalance, lots ?? lotsOfCharge(billing, currency, paymentId));
  post(billing, "payout_requested", refundId, currency, payoutRequested(fromBalance), billing.now);
  return { ...refund, taken: used };
}

/**
 * A refund has failed: the part that came off the balance goes back there. The balance of a deleted Customer is written
 * off (rule I5j).
 */
export function returnToBalance(
  billing: CustomerBilling,
  { currency, fromBalance, taken, id: refundId }: Refund,
): void {
  if (fromBalance === 0) return;
  const movement = { currency, reason: "payout_failed", invoiceId: null, refundId, createdAt: billing.now } as const;
  addCredit(billing, movement, taken);
  post(billing, "payout_failed", refundId, currency, payoutFailed(fromBalance), billing.now);
  if (billing.customer.deletedAt !== null) writeOff(billing);
}
