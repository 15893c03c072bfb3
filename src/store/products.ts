import type { Product } from "../domain/product.ts";
import type { ListProductsQuery } from "../resources/product.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export const products = defineTable<Product>("products", {
  organizationId: "plain",
  id: "plain",
  key: "plain",
  name: "plain",
  description: "plain",
  groupKey: "plain",
  interval: "plain",
  intervalCount: "plain",
  trialDays: "plain",
  trialCard: "plain",
  prices: "json",
  benefitIds: "plain",
  archived: "plain",
  metadata: "json",
  syncAt: "instant",
  syncCursor: "plain",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const byKeyStatement = sql("products.by_key", `SELECT ${products.columns()} FROM products WHERE organization_id = $1 AND key = $2`);

export async function findProductByKey(db: Queryable, organizationId: string, key: string): Promise<Product | null> {
  return (await db.query<Product>(byKeyStatement, [organizationId, key]))[0] ?? null;
}

const listStatement = sql(
  "products.list",
  `SELECT ${products.columns()} FROM products
   WHERE organization_id = $1 AND ($2::text IS NULL OR id < $2)
     AND ($3::text IS NULL OR key = $3) AND ($4::boolean IS NULL OR archived = $4)
     AND ($5::text IS NULL OR $5 = ANY(benefit_ids)) AND ($6::text IS NULL OR position(lower($6) IN lower(name)) > 0)
   ORDER BY id DESC LIMIT $7`,
);
const lockWithBenefitStatement = sql(
  "products.lock_with_benefit",
  `SELECT ${products.columns()} FROM products WHERE organization_id = $1 AND $2 = ANY(benefit_ids) ORDER BY id FOR UPDATE`,
);

/** Newest first, one more than the page holds. */
export async function listProducts(db: Queryable, organizationId: string, query: ListProductsQuery): Promise<Product[]> {
  const { cursor, key, archived, benefitId, search, limit } = query;
  return db.query<Product>(listStatement, [organizationId, cursor, key, archived, benefitId, search, limit + 1]);
}

/** The Products that include a Benefit, held until the transaction ends. */
export async function lockProductsWith(tx: Tx, organizationId: string, benefitId: string): Promise<Product[]> {
  return tx.query<Product>(lockWithBenefitStatement, [organizationId, benefitId]);
}

const dueSyncStatement = sql(
  "products.due_sync",
  `SELECT organization_id AS "organizationId", id FROM products WHERE sync_at <= statement_timestamp() ORDER BY sync_at LIMIT $1`,
);
// Compare-and-set: an edit meanwhile started the round anew.
const syncedStatement = sql(
  "products.synced",
  `UPDATE products SET sync_cursor = $4, sync_at = CASE WHEN $4::text IS NULL THEN NULL ELSE sync_at END
   WHERE organization_id = $1 AND id = $2 AND version = $3`,
);

/** Products whose benefits were edited and whose sources are not all gone through (rule B1). */
export async function productsToSync(db: Queryable, limit: number): Promise<{ organizationId: string; id: string }[]> {
  return db.query(dueSyncStatement, [limit]);
}

/** Notes how far a round has come; a cursor of null ends it. */
export async function noteSynced(tx: Tx, product: Product, cursor: string | null): Promise<void> {
  await tx.query(syncedStatement, [product.organizationId, product.id, product.version, cursor]);
}

const holdStatement = sql("products.hold", `SELECT ${products.columns()} FROM products WHERE organization_id = $1 AND id = $2 FOR SHARE`);

/** Reads a Product and keeps it from being changed until the transaction ends; any number may. */
export async function holdProduct(tx: Tx, organizationId: string, id: string): Promise<Product | null> {
  return (await tx.query<Product>(holdStatement, [organizationId, id]))[0] ?? null;
}
