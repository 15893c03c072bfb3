import type { Context } from "../context.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Customer } from "../domain/customer/customer.ts";
import type { Organization } from "../domain/organization/organization.ts";
import { limited } from "../payments/limiter.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { customers } from "../store/customers.ts";
import type { Tx } from "../store/db.ts";
import { readOrganization } from "../store/organizations.ts";

/**
 * One transaction's work on one Customer. The Customer's row is locked, and all rows of the Customer are read and
 * written under that lock, in the order Customer, Subscription, Invoice (rule T4), then Products and Benefits. `now`:
 * billing time, read once the lock is held (rule T1). `realNow`: real time.
 */
export type Work = { ctx: Context; tx: Tx; organization: Organization; customer: Customer; now: Instant; realNow: Instant };

/** Locks the Customer and reads the clock. Answers null if the Customer does not exist, or is deleted (rule I5). */
export async function workOn(ctx: Context, tx: Tx, organizationId: string, customerId: string): Promise<Work | null> {
  const customer = await customers.lock(tx, organizationId, customerId);
  if (!customer || customer.deletedAt !== null) return null;
  const { organization, now, realNow } = await readOrganization(tx, organizationId);
  return { ctx, tx, organization, customer, now: later(now, customer.updatedAt), realNow };
}

/** The provider that takes payments for the Organization, within its limits; null if no payments are taken. */
export function providerOf(ctx: Context, organization: Pick<Organization, "mode">): PaymentProvider | null {
  const provider = ctx.payments[organization.mode];
  return provider && limited(provider);
}

/** Time never goes below an instant that was written before, even if a clock was set back. */
export function later(one: Instant, other: Instant): Instant {
  return one > other ? one : other;
}
