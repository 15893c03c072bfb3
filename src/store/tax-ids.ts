import type { TaxId } from "../domain/tax/tax-id.ts";
import { sql, type Queryable } from "./driver/db.ts";

/**
 * A tax id and the row that holds it: a Customer, a Subscription of a buyer that only typed an e-mail address, or the
 * Organization itself.
 */
export type StoredTaxId = { id: string; customerId: string | null; taxId: TaxId };

const PAGE = 500;

const pageStatement = sql(
  "tax_ids.page",
  `SELECT stored.id, stored.customer_id AS "customerId", stored.tax_id AS "taxId" FROM (
     SELECT id, id AS customer_id, tax_id FROM customers WHERE organization_id = $1 AND tax_id IS NOT NULL
     AND deleted_at IS NULL
     UNION ALL
     SELECT id, customer_id, billing->'taxId' FROM subscriptions
       WHERE organization_id = $1 AND status <> 'canceled' AND json_typeof(billing->'taxId') = 'object'
     UNION ALL
     SELECT id, NULL, tax_id FROM organizations WHERE id = $1 AND tax_id IS NOT NULL
   ) AS stored
   WHERE stored.id > $2 ORDER BY stored.id LIMIT ${PAGE}`,
);

/**
 * Every tax id that an Organization's next invoices depend on or show, ordered by the ids of the rows. Reads a page at
 * a time.
 */
export async function* everyTaxId(db: Queryable, organizationId: string): AsyncGenerator<StoredTaxId> {
  for (let after = ""; ;) {
    const page = await db.query<StoredTaxId>(pageStatement, [organizationId, after]);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}
