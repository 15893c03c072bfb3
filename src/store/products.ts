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
  `SELECT ${products.columns()} FROM products WHERE organization_id = $1 AND $2 = ANY(benefit_ids) ORDER BY id FOR NO KEY UPDATE`,
);
const countWithBenefitStatement = sql(
  "products.count_with_benefit",
  "SELECT count(*) AS n FROM products WHERE organization_id = $1 AND $2 = ANY(benefit_ids)",
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

/** How many include it, whoever holds them. */
export async function countProductsWith(db: Queryable, organizationId: string, benefitId: string): Promise<number> {
  return (await db.query<{ n: number }>(countWithBenefitStatement, [organizationId, benefitId]))[0]!.n;
}

const dueSyncStatement = sql(
  "products.due_sync",
  `SELECT organization_id AS "organizationId", id FROM (
     SELECT organization_id, id, sync_at, row_number() OVER (PARTITION BY organization_id ORDER BY sync_at) AS turn
     FROM products WHERE sync_at <= statement_timestamp() AND id <> ALL($1)
   ) due ORDER BY turn, sync_at LIMIT $2`,
);
// Compare-and-set: an edit meanwhile started the round anew, or somebody else is further. Due anew each time, so that rounds take turns.
const syncedStatement = sql(
  "products.synced",
  `UPDATE products SET sync_cursor = $5,
     sync_at = CASE WHEN $5::text IS NOT NULL THEN date_trunc('milliseconds', clock_timestamp()) END
   WHERE organization_id = $1 AND id = $2 AND version = $3 AND sync_cursor IS NOT DISTINCT FROM $4 AND sync_at IS NOT NULL RETURNING id`,
);

/** Products whose benefits were edited and whose sources are not all gone through (rule B1), of each Organization in turn. */
export async function productsToSync(
  db: Queryable,
  except: readonly string[],
  limit: number,
): Promise<{ organizationId: string; id: string }[]> {
  return db.query(dueSyncStatement, [except, limit]);
}

/** Notes how far a round has come; a cursor of null ends it. False where it has not come as far as this Product says, or further. */
export async function noteSynced(tx: Tx, product: Product, cursor: string | null): Promise<boolean> {
  const { organizationId, id, version, syncCursor } = product;
  return (await tx.query(syncedStatement, [organizationId, id, version, syncCursor, cursor])).length > 0;
}

const holdStatement = sql(
  "products.hold",
  `SELECT ${products.columns()} FROM products
   WHERE organization_id = $1 AND id IN (
     SELECT $2::text UNION ALL
     SELECT unnest(ARRAY[product_id, pending_change->>'productId']) FROM subscriptions
     WHERE organization_id = $1 AND customer_id = $3 AND status <> 'canceled')
   ORDER BY id FOR SHARE`,
);

/**
 * Reads a Product and keeps it from being changed until the transaction ends; any number may. With it whatever else the Customer's
 * Subscriptions may need in the same transaction, in the order of ids, in which whoever changes several locks them.
 */
export async function holdProduct(tx: Tx, organizationId: string, id: string, customerId: string): Promise<Product | null> {
  const held = await tx.query<Product>(holdStatement, [organizationId, id, customerId]);
  return held.find((product) => product.id === id) ?? null;
}
