import type { Account } from "../billing/customer-billing.ts";
import { without } from "../model/credit-source.ts";
import { readBill } from "../invoice/bills.ts";
import { returnsOf } from "../invoice/returns.ts";
import type { InvoiceLine } from "../model/invoice.ts";
import type { FreedPart } from "../model/refund.ts";
import { freedLateBy } from "../model/refund-share.ts";

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
  const late = freedLateBy({ ...bill, back: returnsOf(account, bill.invoice.id) });
  if (late.length > 0) freeCredit(account, bill.lines, late);
}
