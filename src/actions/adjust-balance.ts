import type { Context } from "../context.ts";
import { adjusted } from "../domain/ledger.ts";
import { MAX_AMOUNT } from "../domain/money.ts";
import { AppError, invalid } from "../errors.ts";
import { presentBalanceEntry, type AdjustBalanceParams } from "../resources/balance.ts";
import { balanceIn, moveBalance } from "../store/balances.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { post } from "./issue-invoice.ts";
import { runDue } from "./run-due.ts";
import { workOn } from "./work.ts";

/**
 * An operator gives or takes by hand, in minor units. Renewals and changes use it from now on; what is invoiced already stays as it is
 * (rule M4). @throws AppError 404, 422 where the balance would pass the largest amount (rule M1)
 */
export async function adjustBalance(ctx: Context, call: Call, customerId: string, params: AdjustBalanceParams): Promise<Answer> {
  const { organizationId } = call;
  const { currency, amount, reason: note } = params;
  return commitNow(ctx, call, async (tx) => {
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
    return answer(201, presentBalanceEntry(entry));
  });
}
