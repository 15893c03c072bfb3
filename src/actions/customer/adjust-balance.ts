import type { Context } from "../../context.ts";
import { adjustBalance as decideAdjustment } from "../../domain/customer/adjust-balance.ts";
import type { BalanceEntry } from "../../domain/model/balance.ts";
import type { Amount } from "../../domain/money.ts";
import type { AdjustBalanceParams } from "../../resources/balance.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin } from "../origin.ts";

/**
 * Adjusts a balance by hand, in minor units. Renewals and changes use the new balance from now on; issued invoices
 * stay unchanged (rule M4). `seen`: as for `requireSeenBalance`.
 * @throws Refusal 404; 412; 422 if the balance would pass the largest amount (rule M1)
 */
export function adjustBalance(
  ctx: Context,
  { organizationId, transaction }: Origin<BalanceEntry>,
  id: string,
  params: AdjustBalanceParams,
  seen: Amount | null = null,
): Promise<BalanceEntry> {
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, { organizationId, id }, (billing) => decideAdjustment(billing, params, seen)),
  );
}
