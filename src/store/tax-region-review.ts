import { RegionReview, type RegionChange } from "../domain/tax/region-review.ts";
import type { Address } from "../domain/tax/address.ts";
import type { TaxRate } from "../domain/tax/tax.ts";
import type { Instant } from "../domain/calendar.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

/** The look through the addresses after the upgrade, at `reviewedAt` in real time. */
export type TaxRegionReview = { reviewedAt: Instant; changes: RegionChange[] };

const PAGE = 1_000;

const organizationsStatement = sql(
  "tax_region_reviews.organizations",
  `SELECT id, tax_rates AS "taxRates" FROM organizations ORDER BY id`,
);
// A Subscription of a buyer that typed an address has an address of its own.
const pageStatement = sql(
  "tax_region_reviews.page",
  `SELECT stored.customer_id AS "customerId", stored.id, stored.address FROM (
     SELECT id AS customer_id, id, billing_address AS address FROM customers
       WHERE organization_id = $1 AND deleted_at IS NULL
     UNION ALL
     SELECT customer_id, id, billing->'address' FROM subscriptions
       WHERE organization_id = $1 AND status <> 'canceled'
   ) AS stored
   WHERE (stored.customer_id, stored.id) > ($2, $3) AND json_typeof(stored.address->'state') = 'string'
   ORDER BY stored.customer_id, stored.id LIMIT ${PAGE}`,
);
const storeStatement = sql(
  "tax_region_reviews.store",
  `INSERT INTO tax_region_reviews (organization_id, reviewed_at, changes) VALUES ($1, ${REAL_NOW}, $2)`,
);
const findStatement = sql(
  "tax_region_reviews.find",
  `SELECT reviewed_at AS "reviewedAt", changes FROM tax_region_reviews WHERE organization_id = $1`,
);
const dropStatement = sql("tax_region_reviews.drop", "DELETE FROM tax_region_reviews WHERE organization_id = $1");

async function reviewOne(tx: Tx, organizationId: string, rates: readonly TaxRate[]): Promise<void> {
  const review = new RegionReview(rates);
  for (let after = ["", ""]; ;) {
    const page = await tx.query<{ customerId: string; id: string; address: Address }>(pageStatement, [
      organizationId,
      ...after,
    ]);
    for (const { customerId, address } of page) review.take(customerId, address);
    if (page.length < PAGE) break;
    after = [page.at(-1)!.customerId, page.at(-1)!.id];
  }
  const changes = review.changes();
  if (changes.length > 0) tx.send(storeStatement, [organizationId, JSON.stringify(changes)]);
}

/** The step of the migration `0085-tax-regions.sql`: finds the Customers with a changed tax (rule X3b). */
export async function reviewTaxRegions(tx: Tx): Promise<void> {
  const found = await tx.query<{ id: string; taxRates: TaxRate[] }>(organizationsStatement);
  for (const { id, taxRates } of found)
    if (taxRates.some(({ region }) => region !== null)) await reviewOne(tx, id, taxRates);
}

/** The Customers with a changed tax; null: there is none, or the seller has saved the tax rates since. */
export async function findTaxRegionReview(db: Queryable, organizationId: string): Promise<TaxRegionReview | null> {
  return (await db.query<TaxRegionReview>(findStatement, [organizationId]))[0] ?? null;
}

/** The seller saved the tax rates, so the review is over. */
export function dropTaxRegionReview(tx: Tx, organizationId: string): void {
  tx.send(dropStatement, [organizationId]);
}
