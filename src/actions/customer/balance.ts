import type { Context } from "../../context.ts";
import type { HeldBalance } from "../../domain/balance/balance.ts";
import { balancesOf, heldIn } from "../../domain/balance/move.ts";
import { readAccount } from "../account.ts";

/**
 * A Customer's balance in each currency, and the part of that credit that can't be spent (rule D7).
 * @throws AppError 404
 */
export function readBalance(ctx: Context, organizationId: string, id: string): Promise<HeldBalance[]> {
  return readAccount(ctx, { organizationId, id }, (account) =>
    balancesOf(account).map((balance) => ({ ...balance, held: heldIn(account, balance.currency) })),
  );
}
