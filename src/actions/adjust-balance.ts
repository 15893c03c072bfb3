import type { Context } from "../context.ts";
import type { BalanceEntry } from "../domain/balance.ts";
import { adjusted } from "../domain/ledger.ts";
import { MAX_AMOUNT } from "../domain/money.ts";
import { AppError, invalid } from "../errors.ts";
import type { AdjustBalanceParams } from "../resources/balance.ts";
import { balanceIn, moveBalance } from "../store/balances.ts";
import { post } from "./issue-invoice.ts";
import type { Origin } from "./origin.ts";
import { runDue } from "./run-due.ts";
import { workOn } from "./work.ts";

/**
 * An operator gives or takes by hand, in minor units. Renewals and changes use it from now on; what is invoiced already stays as it is
 * (rule M4). @throws AppError 404, 422 where the balance would pass the largest amount (rule M1)
 */
export async function adjustBalance(
  ctx: Context,
  origin: Origin<BalanceEntry>,
  customerId: string,
  params: AdjustBalanceParams,
): Promise<BalanceEntry> {
  const { organizationId } = origin;
  const { currency, amount, reason: note } = params;
  return origin.transaction(ctx, async (tx) => {
    const work = await workOn(ctx, tx, organizationId, customerId);
    if (!work) throw new AppError("not_found");
    await runDue(work);
    const balance = await balanceIn(tx, organizationId, customerId, currency);
    if (Math.abs(balance + amount) > MAX_AMOUNT) {
      throw invalid("/amount", "balance_too_large", `The balance is ${balance}; it can't go beyond ${MAX_AMOUNT} either side of zero.`);
    }
    const reason = "adjustment";
    const entry = moveBalance(tx, { organizationId, customerId, currency, amount, reason, note, invoiceId: null, createdAt: work.now });
    if (!entry) throw new RangeError("an adjustment of 0");
    post(work, "balance_adjusted", entry.id, currency, adjusted(amount), work.now);
    return entry;
  });
}
