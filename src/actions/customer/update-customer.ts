import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { UpdateCustomerParams } from "../../resources/customer.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { changeCustomer } from "./change-customer.ts";
import { endEmailChanges } from "./end-email-changes.ts";

/**
 * `PATCH /customers/{id}`. Another e-mail address by the seller ends all changes that the Customer made or asked for
 * in the portal (rule I11).
 * @throws AppError as `changeCustomer` does
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
