import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { LicenseActivation } from "../domain/model/license-key.ts";
import type { License, ListLicenseActivationsQuery } from "../resources/license.ts";
import { BENEFIT, benefitGrants } from "./benefit-grants.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { defineTable } from "./driver/table.ts";

export const licenseActivations = defineTable<LicenseActivation>("license_activations", {
  organizationId: "plain",
  id: "plain",
  grantId: "plain",
  label: "plain",
  metadata: "json",
  lastSeenAt: "instant",
  createdAt: "instant",
});

const select = (
  condition: string,
) => `SELECT ${benefitGrants.columns("g")}, ${BENEFIT}, s.access_ends_at AS "expiresAt",
     COALESCE(o.clock_at, ${REAL_NOW}) AS now
   FROM benefit_grants g
   JOIN organizations o ON o.id = g.organization_id
   JOIN benefits b ON (b.organization_id, b.id) = (g.organization_id, g.benefit_id)
   LEFT JOIN subscriptions s ON (s.organization_id, s.id) = (g.organization_id, g.subscription_id)
   WHERE g.organization_id = $1 AND ${condition}`;

const byKeyStatement = sql("licenses.by_key", select("g.properties->>'key' = $2"));
const byGrantStatement = sql("licenses.by_grant", select("g.id = $2"));

/** The grant of a license key; null for an unknown key and for an unknown Organization. */
export async function findLicense(db: Queryable, organizationId: string, key: string): Promise<License | null> {
  return (await db.query<License>(byKeyStatement, [organizationId, key]))[0] ?? null;
}

/** Finds the grant by its id, for a Benefit of any type. */
export async function findLicenseOf(db: Queryable, organizationId: string, grantId: string): Promise<License | null> {
  return (await db.query<License>(byGrantStatement, [organizationId, grantId]))[0] ?? null;
}

const ofGrantStatement = sql(
  "license_activations.of_grant",
  `SELECT ${licenseActivations.columns()} FROM license_activations
    WHERE organization_id = $1 AND grant_id = $2 AND id = $3`,
);
const listStatement = sql(
  "license_activations.list",
  `SELECT ${licenseActivations.columns()} FROM license_activations
   WHERE organization_id = $1 AND grant_id = $2 AND ($3::text IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
);
const deleteStatement = sql(
  "license_activations.delete",
  "DELETE FROM license_activations WHERE organization_id = $1 AND grant_id = $2 AND id = $3 RETURNING id",
);

/** The activation, if it belongs to this grant; otherwise null. */
export async function findActivation(
  db: Queryable,
  organizationId: string,
  grantId: string,
  id: string,
): Promise<LicenseActivation | null> {
  return (await db.query<LicenseActivation>(ofGrantStatement, [organizationId, grantId, id]))[0] ?? null;
}

/** Newest first; returns one row more than the page holds. */
export async function listActivations(
  db: Queryable,
  organizationId: string,
  grantId: string,
  { cursor, limit }: ListLicenseActivationsQuery,
): Promise<LicenseActivation[]> {
  return db.query<LicenseActivation>(listStatement, [organizationId, grantId, cursor, limit + 1]);
}

const seenStatement = sql(
  "license_activations.seen",
  `UPDATE license_activations SET last_seen_at = $4 WHERE organization_id = $1 AND grant_id = $2 AND id = $3
     AND (last_seen_at IS NULL OR last_seen_at < $4)
     AND EXISTS (SELECT 1 FROM benefit_grants WHERE organization_id = $1 AND id = $2 AND status = 'active')`,
);

/** Notes that a program validated its key on this device at `now`, unless the key was revoked meanwhile. */
export function noteSeen(tx: Tx, { organizationId, grantId, id }: LicenseActivation, now: Instant): void {
  tx.send(seenStatement, [organizationId, grantId, id, formatInstant(now)]);
}

const forgetStatement = sql(
  "license_activations.forget",
  `UPDATE license_activations SET label = NULL, metadata = '{}', last_seen_at = NULL
   WHERE organization_id = $1 AND grant_id IN (
     SELECT id FROM benefit_grants WHERE organization_id = $1 AND customer_id = $2)`,
);

/**
 * Blanks the labels and metadata that programs gave to a Customer's devices, and the days of their use (rule I5m). The
 * number of devices stays.
 */
export function forgetDevices(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(forgetStatement, [organizationId, customerId]);
}

/** Deletes an activation of this grant. Returns whether it existed. */
export async function deleteActivation(tx: Tx, organizationId: string, grantId: string, id: string): Promise<boolean> {
  return (await tx.query(deleteStatement, [organizationId, grantId, id])).length > 0;
}
