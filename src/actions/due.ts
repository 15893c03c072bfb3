import type { Context } from "../context.ts";
import type { CustomerBilling } from "../domain/billing/customer-billing.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Slice } from "../domain/organization/clock.ts";
import { runDue, runInSlice } from "../domain/collection/due.ts";
import type { Tx } from "../store/driver/db.ts";
import { simulateCards } from "../store/payment-methods.ts";
import { simulate } from "../store/subscriptions.ts";
import type { RowKey } from "../store/customer-billing/keys.ts";
import { decideBillings, inBillingIfThere } from "./customer-billing.ts";
import { inHalves, type Swept } from "./batch.ts";

/**
 * Does a Customer's items that are due up to `until` (rules T3, T4). Returns the number of items done; 0 for a deleted
 * Customer.
 */
export async function runDueCustomer(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  id: string,
  until: Instant,
): Promise<number> {
  const decide = (billing: CustomerBilling) => runDue(billing, until < billing.now ? until : billing.now);
  return (await inBillingIfThere(ctx, tx, { organizationId, id }, decide)) ?? 0;
}

/**
 * Does the due items of one slice of an advance. `clock`: the instant of the clock before the slice. Returns the number
 * of items done.
 * @throws the first error of a decision; the caller must then undo all changes of the slice
 */
export async function runSlice(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  slice: Slice,
  clock: Instant,
): Promise<number> {
  const instants = new Map(slice.customers.map(({ id, at }) => [id, at]));
  const ids = slice.customers.map(({ id }) => ({ organizationId, id }));
  const decide = (billing: CustomerBilling) => runInSlice(billing, instants.get(billing.customer.id)!, slice, clock);
  const decided = await decideBillings(ctx, tx, { ids, inOrder: true }, decide);
  return decided.reduce((sum, each) => {
    if ("error" in each) throw each.error;
    return sum + each.value;
  }, 0);
}

/**
 * Calls `runDue` on many Customers for the sweeps of real time, in one transaction. Skips a Customer that another
 * transaction has locked. If the decision on a Customer throws, the Customer stays unchanged and the answer holds the
 * error. If an Organization's clock was set meanwhile, the Organization's rows leave these sweeps for good (rule T1).
 */
export function sweepCustomers(ctx: Context, customers: readonly RowKey[]): Promise<Swept[]> {
  const sweep = (billing: CustomerBilling) => {
    if (billing.customer.deletedAt !== null) return 0;
    return billing.organization.clockAt === null ? runDue(billing) : "simulated";
  };
  return inHalves(customers, (ids) =>
    ctx.db.tx(async (tx) => {
      const decided = await decideBillings(ctx, tx, { ids, skipLocked: true }, sweep);
      const simulated = decided.filter((each) => "value" in each && each.value === "simulated");
      for (const organizationId of new Set(simulated.map((each) => each.organizationId))) {
        await simulate(tx, organizationId);
        await simulateCards(tx, organizationId);
      }
      return decided.map((each) => {
        const key = { organizationId: each.organizationId, id: each.id };
        if ("error" in each) return { ...key, error: each.error };
        return { ...key, done: each.value === "simulated" ? 0 : each.value };
      });
    }),
  );
}
