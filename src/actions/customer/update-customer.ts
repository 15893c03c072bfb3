import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { changedCustomer, type Customer, type CustomerRefusal } from "../../domain/customer/customer.ts";
import { runDue } from "../../domain/due.ts";
import { AppError, invalid } from "../../errors.ts";
import { BILLING_COUNTRY_MISSING, type UpdateCustomerParams } from "../../resources/customer.ts";
import { closePortal } from "../../store/portal.ts";
import { inAccount } from "../account.ts";
import { findSame } from "./create-customer.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { recordCustomer } from "./record-customer.ts";

function refusalError({ refusal }: CustomerRefusal, { taxId }: UpdateCustomerParams): AppError {
  if (refusal === "external_id_fixed") return new AppError(refusal);
  const pointer = taxId === undefined ? "/billingAddress" : "/taxId";
  return invalid(pointer, refusal, BILLING_COUNTRY_MISSING);
}

/**
 * `PATCH /customers/{id}`: documents that are issued from now on show the changed Customer.
 * @throws AppError 404, 409 `customer_exists` with the `customerId` of the existing Customer, 409
 * `external_id_fixed`, 412, 422
 */
export async function updateCustomer(
  ctx: Context,
  origin: Origin<Customer>,
  id: string,
  params: UpdateCustomerParams,
  checkVersion?: VersionCheck<Customer>,
): Promise<Customer> {
  return origin.transaction(ctx, async (tx) => {
    // Items that were due before the change are done first, so that their documents show the Customer as before (rule
    // T3).
    const { customer, now } = await inAccount(ctx, tx, { organizationId: origin.organizationId, id }, (account) => {
      runDue(account);
      return { customer: account.customer, now: account.now };
    });
    checkVersion?.(customer);
    const next = changedCustomer(customer, params);
    if ("refusal" in next) throw refusalError(next, params);
    if (isDeepStrictEqual(next, customer)) return customer;
    const same = await findSame(tx, origin.organizationId, next);
    if (same && same.id !== id) throw new AppError("customer_exists", { extra: { customerId: same.id } });
    // The old e-mail address may belong to another person by now.
    if (next.emailKey !== customer.emailKey) closePortal(tx, origin.organizationId, id);
    return recordCustomer(tx, next, "customer.updated", now);
  });
}
