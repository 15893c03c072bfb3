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
 * One transaction's work on one Customer, whose row is locked: everything of theirs is read and written under that lock, in the order
 * Customer, Subscription, Invoice (rule T4), then Products and Benefits. `now` is billing time, read once the lock is held (rule T1), and
 * `realNow` real time.
 */
export type Work = { ctx: Context; tx: Tx; organization: Organization; customer: Customer; now: Instant; realNow: Instant };

/** Locks the Customer and reads the clock; null where the Organization has no such Customer, or has deleted them (rule I5). */
export async function workOn(ctx: Context, tx: Tx, organizationId: string, customerId: string): Promise<Work | null> {
  const customer = await customers.lock(tx, organizationId, customerId);
  if (!customer || customer.deletedAt !== null) return null;
  const { organization, now, realNow } = await readOrganization(tx, organizationId);
  return { ctx, tx, organization, customer, now: later(now, customer.updatedAt), realNow };
}

/** The provider that takes payments for the Organization, within its limits; null: payments are not taken. */
export function providerOf(ctx: Context, organization: Pick<Organization, "mode">): PaymentProvider | null {
  const provider = ctx.payments[organization.mode];
  return provider && limited(provider);
}

/** Time never goes below what was written before, even when a clock was set back under us. */
export function later(one: Instant, other: Instant): Instant {
  return one > other ? one : other;
}
