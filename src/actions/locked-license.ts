import type { Context } from "../context.ts";
import type { CustomerBilling } from "../domain/billing/customer-billing.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Customer } from "../domain/model/customer.ts";
import { runDue } from "../domain/collection/due.ts";
import { presentManagedBenefitGrant } from "../resources/benefit-grant.ts";
import type { License } from "../resources/license.ts";
import type { Tx } from "../store/driver/db.ts";
import { benefitGrants } from "../store/benefit-grants.ts";
import { deleteActivation, findLicenseOf } from "../store/licenses.ts";
import { inBilling } from "./customer-billing.ts";
import { record } from "./record.ts";

/** A license and its locked Customer. */
export type LockedLicense = { tx: Tx; customer: Customer; now: Instant; license: License };

/** Locks the Customer of a license, carries out the due items (rule T3), and reads the license again. */
export async function lockLicense(ctx: Context, tx: Tx, seen: License | null): Promise<LockedLicense | null> {
  if (!seen) return null;
  const { organizationId, customerId, id } = seen;
  const hold = (billing: CustomerBilling) => {
    runDue(billing);
    return { customer: billing.customer, now: billing.now };
  };
  const { customer, now } = await inBilling(ctx, tx, { organizationId, id: customerId }, hold, { deleted: true });
  const license = await findLicenseOf(tx, organizationId, id);
  return license && { tx, customer, now, license: { ...license, now } };
}

/** The grant's resource shows the number of activations, so each change of that number also changes the grant. */
export async function countActivations(locked: LockedLicense, activations: number): Promise<License> {
  const { tx, license, customer, now } = locked;
  const counted = { ...license, activations, benefitVersion: license.benefit.version };
  const grant = await record(tx, benefitGrants, counted, "benefit_grant.updated", now, (row) =>
    presentManagedBenefitGrant(row, license.benefit, {
      externalCustomerId: customer.externalId,
      expiresAt: license.expiresAt,
      downloadUrl: () => "", // a license key has no files
    }),
  );
  return { ...license, ...grant };
}

/** Removes an activation, so that another device can be activated. Returns whether there was such an activation. */
export async function removeFrom(locked: LockedLicense, activationId: string): Promise<boolean> {
  const { tx, license } = locked;
  const removed = await deleteActivation(tx, license.organizationId, license.id, activationId);
  if (removed) await countActivations(locked, license.activations - 1);
  return removed;
}
