import type { Context } from "../../context.ts";
import type { Amount } from "../../domain/money.ts";
import { payOut as decidePayout } from "../../domain/refund/payout.ts";
import type { Refund } from "../../domain/model/refund.ts";
import type { PayOutBalanceParams } from "../../resources/refund.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin } from "../origin.ts";

/**
 * `POST /customers/{id}/balance-refunds` (rule I7). The credit leaves the balance at once, and the worker calls the
 * provider later. `seen`: as for `requireSeenBalance`.
 * @throws Refusal 404, 409 `nothing_to_pay_out`, `credit_spent`, 412
 */
export function payOutBalance(
  ctx: Context,
  { organizationId, transaction }: Origin<Refund[]>,
  id: string,
  params: PayOutBalanceParams,
  seen: Amount | null = null,
): Promise<Refund[]> {
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, { organizationId, id }, (billing) => decidePayout(billing, params, seen)),
  );
}
