import type { Context } from "../../context.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { expireCheckout as decideExpiry } from "../../domain/checkout/expire.ts";
import { checkouts, simulateCheckouts } from "../../store/checkouts.ts";
import type { Tx } from "../../store/driver/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { inBilling } from "../customer-billing.ts";
import { recordCheckout } from "./record-checkout.ts";

/**
 * Expires an open Checkout once its time is over (rule C5). If the Checkout waits for a challenge, abandons the
 * challenge (rule C).
 */
export async function expireCheckout(ctx: Context, tx: Tx, organizationId: string, id: string): Promise<number> {
  const seen = await checkouts.find(tx, organizationId, id);
  if (!seen) return 0;
  if (seen.customerId === null) return expireAnonymous(ctx, tx, organizationId, id);
  const key = { by: "checkout", organizationId, id } as const;
  const done = await inBilling(ctx, tx, key, (billing) => decideExpiry(billing, id), { deleted: true });
  return done > 0 ? done : passBy(tx, seen);
}

/** A Checkout belongs to no Customer while its buyer is unknown. */
async function expireAnonymous(ctx: Context, tx: Tx, organizationId: string, id: string): Promise<number> {
  const { now } = await readOrganization(tx, organizationId);
  const checkout = await checkouts.lock(tx, organizationId, id);
  if (!checkout || checkout.dueAt === null || checkout.status !== "open") return 0;
  if (checkout.dueAt > now) return passBy(tx, checkout);
  const expired = { ...checkout, status: "expired", dueAt: null } as const;
  await recordCheckout({ ctx, tx }, expired, "checkout.expired", checkout.expiresAt);
  return 1;
}

/**
 * Skips a Checkout that is not due by its Organization's clock. If a sandbox's clock was set meanwhile, the sandbox's
 * Checkouts leave the sweeps of real time (rule T1).
 */
async function passBy(tx: Tx, checkout: Checkout): Promise<number> {
  const { organization } = await readOrganization(tx, checkout.organizationId);
  if (organization.clockAt !== null) await simulateCheckouts(tx, organization.id);
  return 0;
}
