import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Balance } from "../../domain/model/balance.ts";
import { deleteCustomer as decideDeletion } from "../../domain/customer/delete.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { withWorkerLimits } from "../../store/driver/db.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { inBilling, readCustomerBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { requireNoChallenge, withoutChallenge } from "../payment/challenge.ts";

/**
 * `DELETE /customers/{id}`: ends the Customer's Subscriptions, grants and Checkouts. Only issued documents keep the
 * Customer's identity (rule I5). `forfeit`: the Customer's credit is written off.
 * @throws Refusal 404; 409 `balance_left` with the amounts, or `payment_in_progress` while a payment is not settled;
 * 412
 */
export async function deleteCustomer(
  ctx: Context,
  { organizationId, transaction }: Origin<void>,
  id: string,
  forfeit: boolean,
  checkVersion?: VersionCheck<Customer>,
): Promise<void> {
  const decide = (billing: CustomerBilling): void =>
    void requireNoChallenge(decideDeletion(billing, forfeit, checkVersion));
  // A deletion is slow, because it searches the stored answers of a day.
  const limited = { ...ctx, db: withWorkerLimits(ctx.db) };
  await withoutChallenge(ctx, () => transaction(limited, (tx) => inBilling(ctx, tx, { organizationId, id }, decide)));
}

/**
 * The credit that a deletion would write off, by the decision that makes the deletion.
 * @throws Refusal 404; 409 `payment_in_progress`
 */
export async function previewDeletion(ctx: Context, organizationId: string, id: string): Promise<readonly Balance[]> {
  try {
    await readCustomerBilling(ctx, { organizationId, id }, (billing) => void decideDeletion(billing, false));
    return [];
  } catch (error) {
    if (!isRefusal(error, "balance_left")) throw error;
    return error.values.balances;
  }
}
