import type { Account } from "../billing/customer-billing.ts";
import { addCredit } from "../balance/add.ts";
import type { Lot } from "../model/balance.ts";
import { lotsOfCharge, takeCredit } from "../balance/move.ts";
import { writeOff } from "../balance/write-off.ts";
import { payoutFailed, payoutRequested } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import type { Refund } from "../model/refund.ts";

/**
 * Takes `fromBalance` off the balance (rules I3c, I7). Returns the refund with the lots that were used. `lots`: by
 * default the credit that can go back to the card. A part that finds no lot becomes a debt.
 */
export function takeFromBalance(account: Account, refund: Refund, lots?: readonly Lot[]): Refund {
  const { currency, fromBalance, id: refundId, paymentId } = refund;
  if (fromBalance === 0 || paymentId === null) return refund;
  const movement = { currency, reason: "paid_out", invoiceId: null, refundId, createdAt: account.now } as const;
  const { used } = takeCredit(account, movement, fromBalance, lots ?? lotsOfCharge(account, currency, paymentId));
  post(account, "payout_requested", refundId, currency, payoutRequested(fromBalance), account.now);
  return { ...refund, taken: used };
}

/**
 * A refund has failed: the part that came off the balance goes back there. The balance of a deleted Customer is written
 * off (rule I5j).
 */
export function returnToBalance(account: Account, { currency, fromBalance, taken, id: refundId }: Refund): void {
  if (fromBalance === 0) return;
  const movement = { currency, reason: "payout_failed", invoiceId: null, refundId, createdAt: account.now } as const;
  addCredit(account, movement, taken);
  post(account, "payout_failed", refundId, currency, payoutFailed(fromBalance), account.now);
  if (account.customer.deletedAt !== null) writeOff(account);
}
