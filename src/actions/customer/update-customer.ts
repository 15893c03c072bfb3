import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { UpdateCustomerParams } from "../../resources/customer.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { changeCustomer } from "./change-customer.ts";
import { endAll } from "../../domain/model/email-change.ts";
import type { Tx } from "../../store/driver/db.ts";
import { changesOf, emailChanges } from "../../store/email-changes.ts";

/** Ends all changes of the e-mail address of a locked Customer: no link of them works any more (rule I11). */
async function endEmailChanges(tx: Tx, organizationId: string, customerId: string): Promise<void> {
  for (const change of endAll(await changesOf(tx, organizationId, customerId))) emailChanges.update(tx, change);
}

/**
 * `PATCH /customers/{id}`. Another e-mail address by the seller ends all changes that the Customer made or asked for
 * in the portal (rule I11).
 * @throws Refusal as `changeCustomer` does
 */
export async function updateCustomer(
  ctx: Context,
  origin: Origin<Customer>,
  id: string,
  params: UpdateCustomerParams,
  checkVersion?: VersionCheck<Customer>,
): Promise<Customer> {
  const key = { organizationId: origin.organizationId, id };
  return origin.transaction(ctx, async (tx) => {
    const { customer, moved } = await changeCustomer(ctx, tx, key, params, checkVersion);
    if (moved) await endEmailChanges(tx, origin.organizationId, id);
    return customer;
  });
}
