import type { Account } from "../account/account.ts";
import { addCredit } from "../balance/add.ts";
import { lotsOfCharge, takeCredit } from "../balance/move.ts";
import { without } from "../balance/source.ts";
import { writeOff } from "../balance/write-off.ts";
import { readBill } from "../invoice/bills.ts";
import { givenBackOf } from "../invoice/given-back.ts";
import type { InvoiceLine } from "../invoice/invoice.ts";
import { payoutFailed, payoutRequested } from "../ledger/ledger.ts";
import { post } from "../ledger/post.ts";
import type { FreedPart, Refund } from "./refund.ts";
import { freedLateBy } from "./share.ts";

/**
 * Takes `fromBalance` off the balance: credit from the refunded charge (rules I3c, I7). Returns the refund with the
 * lots that were used.
 */
export function takeFromBalance(account: Account, refund: Refund): Refund {
  const { currency, fromBalance, id: refundId, paymentId } = refund;
  if (fromBalance === 0 || paymentId === null) return refund;
  const movement = { currency, reason: "paid_out", invoiceId: null, refundId, createdAt: account.now } as const;
  const { used } = takeCredit(account, movement, fromBalance, lotsOfCharge(account, currency, paymentId));
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

/**
 * Frees credit of an invoice: the lines that this credit came from get it back (rule I3g). If the invoice of such a
 * line was refunded itself, its own credit is freed in turn. Returns the changed lines.
 */
export function freeCredit(
  account: Account,
  lines: readonly InvoiceLine[],
  freed: readonly FreedPart[],
): InvoiceLine[] {
  const changed = lines.map((line) => {
    const own = freed.filter(({ lineId }) => lineId === line.id);
    if (own.length === 0) return line;
    const next = { ...line, sources: without(line.sources ?? [], own) };
    account.lines.put(next);
    return next;
  });
  const credited = changed.filter(
    ({ id, creditedLineId }) => creditedLineId && freed.some(({ lineId }) => lineId === id),
  );
  for (const { creditedLineId } of credited) freeLate(account, creditedLineId!);
  return changed;
}

/** Frees the credit that earlier refunds of a line's invoice could not free yet. */
function freeLate(account: Account, lineId: string): void {
  account.need({ part: "credited", lineId });
  const invoiceId = account.lines.get(lineId)?.invoiceId;
  const bill = invoiceId ? readBill(account, invoiceId) : null;
  if (!bill || bill.invoice.status !== "paid") return;
  const late = freedLateBy({ ...bill, back: givenBackOf(account, bill.invoice.id) });
  if (late.length > 0) freeCredit(account, bill.lines, late);
}
