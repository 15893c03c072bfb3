import type { Context } from "../../context.ts";
import { activationLimitOf, type LicenseKeyProperties } from "../../domain/model/benefit.ts";
import { activationRefusal, isGranted, isSeenAnew, type LicenseActivation } from "../../domain/model/license-key.ts";
import type { Instant } from "../../domain/calendar.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import type {
  ActivateLicenseParams,
  DeactivateLicenseParams,
  License,
  ValidateLicenseParams,
} from "../../resources/license.ts";
import { findActivation, findLicense, findLicenseOf, licenseActivations, noteSeen } from "../../store/licenses.ts";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import { countActivations, lockLicense, removeFrom, type LockedLicense } from "../locked-license.ts";
import type { Origin } from "../origin.ts";

/**
 * A license and the activation of the request. The activation is null if it does not exist, and undefined if the
 * request named none.
 */
export type LicenseView = { license: License; activation?: LicenseActivation | null };

/**
 * Limits the concurrent changes of one Customer, since all of these changes need the Customer's lock, and the holder of
 * a license key may send any number of requests. A change takes some 5 ms, so the last change waits 100 ms.
 */
const changesAtOnce = new ConcurrencyLimit(2, 30);

/** An unknown key, a key of another Organization and an unknown Organization all get this one error. */
const unknown = () => new Refusal("license_not_found");

/** Returns the license of a key as it is at this moment (rule B4). @throws Refusal `license_not_found` */
export async function validateLicense(ctx: Context, params: ValidateLicenseParams): Promise<LicenseView> {
  const { read } = ctx.db;
  const { organizationId, key, activationId } = params;
  const license = await findLicense(read, organizationId, key);
  if (!license) throw unknown();
  if (activationId === null) return { license };
  const activation = await findActivation(read, organizationId, license.id, activationId);
  const isUsed = activation && isGranted(license, license.expiresAt, license.now);
  if (isUsed && isSeenAnew(activation, license.now)) noteInBackground(ctx, activation, license.now);
  return { license, activation };
}

/** The validation does not wait for this note. If the write is lost, the next validation notes the device. */
function noteInBackground(ctx: Context, activation: LicenseActivation, now: Instant): void {
  void ctx.db
    .tx(async (tx) => noteSeen(tx, activation, now))
    .catch((err: unknown) => ctx.log.debug({ err }, "the use of a license key was not noted"));
}

/**
 * Makes a change for the holder of a key. `changesAtOnce` limits the number of these changes in the database.
 * @throws Refusal `license_not_found`; `rate_limited` if too many changes of the Customer wait already
 */
async function change<Row>(
  ctx: Context,
  origin: Origin<Row>,
  key: string,
  seen: License | null,
  work: (found: LockedLicense) => Promise<Row>,
): Promise<Row> {
  const commit = () =>
    origin.transaction(ctx, async (tx) => {
      const found = await lockLicense(ctx, tx, seen);
      if (!found) throw unknown();
      return work(found);
    });
  return changesAtOnce.run(`${origin.organizationId} ${seen?.customerId ?? key}`, commit);
}

/**
 * Activates a key on one more device (rule B4). Of two requests for the last free activation, exactly one succeeds,
 * since both requests lock the Customer.
 * @throws Refusal `license_not_found`, `license_not_active`, `activation_limit_reached`, `rate_limited`
 */
export async function activateLicense(
  ctx: Context,
  origin: Origin<LicenseView>,
  params: ActivateLicenseParams,
): Promise<LicenseView> {
  const { organizationId } = origin;
  const seen = await findLicense(ctx.db.read, organizationId, params.key);
  return change(ctx, origin, params.key, seen, async (locked) => {
    const { tx, license, now } = locked;
    const limit = activationLimitOf(license.benefit.properties as LicenseKeyProperties, license.quantity);
    const refusal = activationRefusal(isGranted(license, license.expiresAt, now), license.activations, limit);
    if (refusal) throw new Refusal(refusal);
    const { label, metadata } = params;
    const activation: LicenseActivation = {
      organizationId,
      id: newId("act"),
      grantId: license.id,
      label,
      metadata,
      lastSeenAt: null,
      createdAt: now,
    };
    licenseActivations.insert(tx, activation);
    return { license: await countActivations(locked, license.activations + 1), activation };
  });
}

/** Whether the key is known and has no such activation. If so, there is no activation to remove. Takes no lock. */
export async function isDeactivated({ db }: Context, params: DeactivateLicenseParams): Promise<boolean> {
  const { organizationId, key, activationId } = params;
  const license = await findLicense(db.read, organizationId, key);
  return license !== null && (await findActivation(db.read, organizationId, license.id, activationId)) === null;
}

/**
 * Removes a key's activation on a device, even if the license is not active. A repeated request has no effect.
 * @throws Refusal `license_not_found`, `rate_limited`
 */
export async function deactivateLicense(
  ctx: Context,
  origin: Origin<void>,
  params: DeactivateLicenseParams,
): Promise<void> {
  const { key, activationId } = params;
  const seen = await findLicense(ctx.db.read, origin.organizationId, key);
  await change(ctx, origin, key, seen, async (locked) => {
    await removeFrom(locked, activationId);
  });
}

/**
 * Removes an activation on behalf of the Organization, for example the activation of a lost device. @throws Refusal
 * `not_found`
 */
export async function removeActivation(
  ctx: Context,
  origin: Origin<void>,
  grantId: string,
  activationId: string,
): Promise<void> {
  return origin.transaction(ctx, async (tx) => {
    const locked = await lockLicense(ctx, tx, await findLicenseOf(tx, origin.organizationId, grantId));
    if (!locked || !(await removeFrom(locked, activationId))) throw new Refusal("not_found");
  });
}
