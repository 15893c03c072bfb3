import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { beginChange } from "../../domain/customer/begin-change.ts";
import { customerExists, changedCustomer, type Customer, type CustomerRefusal } from "../../domain/model/customer.ts";
import type { UpdateCustomerParams } from "../../resources/customer.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Tx } from "../../store/driver/db.ts";
import { inBilling } from "../customer-billing.ts";
import { findSame } from "./create-customer.ts";
import type { VersionCheck } from "../origin.ts";
import { recordCustomer } from "./record-customer.ts";
import { stopSharingEmail } from "../../store/email-keys.ts";
import { closePortal } from "../../store/portal.ts";

/** A Customer gets another e-mail address. The old address may belong to another person by now (rule I11c). */
function leaveAddress(tx: Tx, organizationId: string, customerId: string): void {
  closePortal(tx, organizationId, customerId);
  stopSharingEmail(tx, organizationId, customerId);
}

function refusalError({ refusal }: CustomerRefusal, { taxId }: UpdateCustomerParams): Refusal {
  if (refusal === "external_id_fixed") return new Refusal(refusal, { field: "/externalId" });
  return new Refusal(refusal, { field: taxId === undefined ? "/billingAddress" : "/taxId" });
}

/** `moved`: the Customer has another e-mail address now, and is signed out of the portal. */
type Changed = { customer: Customer; moved: boolean };

/**
 * Changes a Customer within a transaction: documents that are issued from now on show the changed Customer.
 * @throws Refusal 404, 409 `customer_exists` with the `customerId` of the existing Customer, 409
 * `external_id_fixed`, 412, 422
 */
export async function changeCustomer(
  ctx: Context,
  tx: Tx,
  key: { organizationId: string; id: string },
  params: UpdateCustomerParams,
  checkVersion?: VersionCheck<Customer>,
): Promise<Changed> {
  const { organizationId, id } = key;
  const { seen, customer, change, now } = await inBilling(ctx, tx, key, (billing) => beginChange(billing, params));
  checkVersion?.(seen);
  const next = changedCustomer(customer, change);
  if ("refusal" in next) throw refusalError(next, params);
  if (isDeepStrictEqual(next, customer)) return { customer, moved: false };
  const moved = next.emailKey !== customer.emailKey;
  // Customers that share a mailbox since an upgrade keep it (`sharedMailboxes`).
  const isOtherwise = moved || next.externalId !== customer.externalId;
  const same = isOtherwise ? await findSame(tx, organizationId, next) : null;
  if (same && same.id !== id) throw customerExists(same, next);
  if (moved) leaveAddress(tx, organizationId, id);
  return { customer: await recordCustomer(tx, next, "customer.updated", now), moved };
}
