import type { Context } from "../context.ts";
import { expireCheckout as decideExpiry } from "../domain/checkout/expire.ts";
import type { Account } from "../domain/account/account.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Slice } from "../domain/organization/clock.ts";
import type { Checkout } from "../domain/checkout/checkout.ts";
import { runDue, runInSlice } from "../domain/due.ts";
import { checkouts, simulateCheckouts } from "../store/checkouts.ts";
import type { Tx } from "../store/db.ts";
import { readOrganization } from "../store/organizations.ts";
import { simulate } from "../store/subscriptions.ts";
import type { RowKey } from "../store/accounts/keys.ts";
import { decideAccounts, inAccount, inAccountIfThere } from "./account.ts";
import { inHalves, type Swept } from "./batch.ts";
import { recordCheckout } from "./record.ts";

/** Carries out what is due on a Customer up to `until` (rules T3, T4). Answers how many items: none on one who is deleted. */
export async function runDueCustomer(ctx: Context, tx: Tx, organizationId: string, id: string, until: Instant): Promise<number> {
  const decide = (account: Account) => runDue(account, until < account.now ? until : account.now);
  return (await inAccountIfThere(ctx, tx, { organizationId, id }, decide)) ?? 0;
}

/**
 * Carries out a slice of an advance, whose clock stood at `clock` before. Answers how many items were dealt with.
 * @throws the first error of a decision, for which no change of the slice is to be kept
 */
export async function runSlice(ctx: Context, tx: Tx, organizationId: string, slice: Slice, clock: Instant): Promise<number> {
  const instants = new Map(slice.customers.map(({ id, at }) => [id, at]));
  const ids = slice.customers.map(({ id }) => ({ organizationId, id }));
  const decide = (account: Account) => runInSlice(account, instants.get(account.customer.id)!, slice, clock);
  const decided = await decideAccounts(ctx, tx, { ids, inOrder: true }, decide);
  return decided.reduce((sum, each) => {
    if ("error" in each) throw each.error;
    return sum + each.value;
  }, 0);
}

/**
 * `runDue` on many Customers for the sweeps of real time, in one transaction. A Customer whom another transaction holds is left to it, and
 * one whose decision throws is left out and answered. Where an Organization's clock was set meanwhile, its rows are taken out of these
 * sweeps for good (rule T1).
 */
export function sweepCustomers(ctx: Context, customers: readonly RowKey[]): Promise<Swept[]> {
  const sweep = (account: Account) => {
    if (account.customer.deletedAt !== null) return 0;
    return account.organization.clockAt === null ? runDue(account) : "simulated";
  };
  return inHalves(customers, (ids) =>
    ctx.db.tx(async (tx) => {
      const decided = await decideAccounts(ctx, tx, { ids, skipLocked: true }, sweep);
      const simulated = decided.filter((each) => "value" in each && each.value === "simulated");
      for (const organizationId of new Set(simulated.map((each) => each.organizationId))) await simulate(tx, organizationId);
      return decided.map((each) => {
        const key = { organizationId: each.organizationId, id: each.id };
        if ("error" in each) return { ...key, error: each.error };
        return { ...key, done: each.value === "simulated" ? 0 : each.value };
      });
    }),
  );
}

/** `sweepCustomers` of one Customer. Answers how many items were dealt with. */
export async function sweepCustomer(ctx: Context, organizationId: string, id: string): Promise<number> {
  const [swept] = await sweepCustomers(ctx, [{ organizationId, id }]);
  if (!swept) return 0;
  if ("error" in swept) throw swept.error;
  return swept.done;
}

/** An open Checkout whose time is past expires, once (rule C5); one that waits for a challenge gives the challenge up (rule C). */
export async function expireCheckout(ctx: Context, tx: Tx, organizationId: string, id: string): Promise<number> {
  const seen = await checkouts.find(tx, organizationId, id);
  if (!seen) return 0;
  if (seen.customerId === null) return expireAnonymous(ctx, tx, organizationId, id);
  const key = { by: "checkout", organizationId, id } as const;
  const done = await inAccount(ctx, tx, key, (account) => decideExpiry(account, id), { deleted: true });
  return done > 0 ? done : passBy(tx, seen);
}

/** A Checkout whose buyer is not known yet is no Customer's. */
async function expireAnonymous(ctx: Context, tx: Tx, organizationId: string, id: string): Promise<number> {
  const { now } = await readOrganization(tx, organizationId);
  const checkout = await checkouts.lock(tx, organizationId, id);
  if (!checkout || checkout.dueAt === null || checkout.status !== "open") return 0;
  if (checkout.dueAt > now) return passBy(tx, checkout);
  const expired = { ...checkout, status: "expired", dueAt: null } as const;
  await recordCheckout({ ctx, tx, customer: null }, expired, "checkout.expired", checkout.expiresAt);
  return 1;
}

/** Not due by its Organization's clock: if that was set meanwhile, the sweeps of real time have no business here (rule T1). */
async function passBy(tx: Tx, checkout: Checkout): Promise<number> {
  const { organization } = await readOrganization(tx, checkout.organizationId);
  if (organization.clockAt !== null) await simulateCheckouts(tx, organization.id);
  return 0;
}
