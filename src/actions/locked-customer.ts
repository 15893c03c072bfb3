import type { Context } from "../context.ts";
import { later, type Instant } from "../domain/calendar.ts";
import type { Customer } from "../domain/model/customer.ts";
import type { Organization } from "../domain/model/organization.ts";
import { customers } from "../store/customers.ts";
import type { Tx } from "../store/driver/db.ts";
import { readOrganization } from "../store/organizations.ts";

/**
 * A Customer that one transaction has locked. All rows of the Customer are read and written under that lock, in the
 * order Customer, Subscription, Invoice (rule T4), then Products and Benefits. `now`: billing time, read once the
 * lock is held (rule T1). `realNow`: real time.
 */
export type LockedCustomer = {
  ctx: Context;
  tx: Tx;
  organization: Organization;
  customer: Customer;
  now: Instant;
  realNow: Instant;
};

/** Locks the Customer and reads the clock. Returns null if the Customer does not exist, or is deleted (rule I5). */
export async function lockCustomer(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  customerId: string,
): Promise<LockedCustomer | null> {
  const customer = await customers.lock(tx, organizationId, customerId);
  if (!customer || customer.deletedAt !== null) return null;
  const { organization, now, realNow } = await readOrganization(tx, organizationId);
  return { ctx, tx, organization, customer, now: later(now, customer.updatedAt), realNow };
}
