import type { Context } from "../../context.ts";
import type { Balance } from "../../domain/balance/balance.ts";
import { balancesOf } from "../../domain/balance/move.ts";
import { holdsIn } from "../../domain/balance/quote.ts";
import type { Hold } from "../../domain/balance/hold.ts";
import { readAccount } from "../account.ts";

/**
 * A Customer's balance in each currency, and the part of that credit that can't be spent (rule D7).
 * @throws AppError 404
 */
export function readBalance(
  ctx: Context,
  organizationId: string,
  id: string,
): Promise<{ balances: Balance[]; holds: Hold[] }> {
  return readAccount(ctx, { organizationId, id }, (account) => ({
    balances: balancesOf(account),
    holds: holdsIn(account),
  }));
}
