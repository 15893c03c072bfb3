import type { NamedProduct } from "../domain/model/checkout-sale.ts";
import type { Product } from "../domain/model/product.ts";
import type { ListProductsQuery } from "../resources/product.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineRounds } from "./rounds.ts";
import { defineTable } from "./driver/table.ts";

export const products = defineTable<Product>(
  "products",
  {
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
    quantityMinimum: "plain",
    quantityMaximum: "plain",
    unitName: "json",
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
  },
  { queue: "products", at: ({ syncAt }) => syncAt },
);

const byKeyStatement = sql(
  "products.by_key",
  `SELECT ${products.columns()} FROM products WHERE organization_id = $1 AND key = $2`,
);

export async function findProductByKey(db: Queryable, organizationId: string, key: string): Promise<Product | null> {
  return (await db.query<Product>(byKeyStatement, [organizationId, key]))[0] ?? null;
}

const oldestForSaleStatement = sql(
  "products.oldest_for_sale",
  `SELECT ${products.columns()} FROM products WHERE organization_id = $1 AND NOT archived ORDER BY id LIMIT 1`,
);

export async function findOldestForSale(db: Queryable, organizationId: string): Promise<Product | null> {
  return (await db.query<Product>(oldestForSaleStatement, [organizationId]))[0] ?? null;
}

/** The Product that a request body names by id or key; null if this Product does not exist. */
export function findNamedProduct(
  db: Queryable,
  organizationId: string,
  { productId, productKey }: NamedProduct,
): Promise<Product | null> {
  return productId === null
    ? findProductByKey(db, organizationId, productKey!)
    : products.find(db, organizationId, productId);
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
  `SELECT ${products.columns()} FROM products WHERE organization_id = $1 AND $2 = ANY(benefit_ids)
    ORDER BY id FOR NO KEY UPDATE`,
);
const countWithBenefitStatement = sql(
  "products.count_with_benefit",
  "SELECT count(*) AS n FROM products WHERE organization_id = $1 AND $2 = ANY(benefit_ids)",
);

const keysStatement = sql(
  "products.keys",
  `SELECT key FROM products WHERE organization_id = $1 AND key IS NOT NULL AND NOT archived ORDER BY id DESC LIMIT 500`,
);

/** The keys of Products for sale: the newest 500, which is more than an Organization usually has. */
export async function listProductKeys(db: Queryable, organizationId: string): Promise<string[]> {
  return (await db.query<{ key: string }>(keysStatement, [organizationId])).map(({ key }) => key);
}

/** Newest first; returns one row more than the page holds. */
export async function listProducts(
  db: Queryable,
  organizationId: string,
  query: ListProductsQuery,
): Promise<Product[]> {
  const { cursor, key, archived, benefitId, search, limit } = query;
  return db.query<Product>(listStatement, [organizationId, cursor, key, archived, benefitId, search, limit + 1]);
}

const ofGroupsStatement = sql(
  "products.of_groups",
  `SELECT ${products.columns()} FROM products
   WHERE organization_id = $1 AND group_key = ANY($2) AND NOT archived AND interval IS NOT NULL
   ORDER BY id LIMIT $3`,
);

/** The most Products of some groups that are read at once. More can't be compared on a page. */
const MOST_OF_GROUPS = 100;

/** The recurring Products for sale in these groups, in the order in which the Products were made. */
export function listOfGroups(db: Queryable, organizationId: string, groups: readonly string[]): Promise<Product[]> {
  return db.query<Product>(ofGroupsStatement, [organizationId, groups, MOST_OF_GROUPS]);
}

/** The Products that include a Benefit, locked until the transaction ends. */
export async function lockProductsWith(tx: Tx, organizationId: string, benefitId: string): Promise<Product[]> {
  return tx.query<Product>(lockWithBenefitStatement, [organizationId, benefitId]);
}

/** Counts the Products that include a Benefit, without waiting for locks. */
export async function countProductsWith(db: Queryable, organizationId: string, benefitId: string): Promise<number> {
  return (await db.query<{ n: number }>(countWithBenefitStatement, [organizationId, benefitId]))[0]!.n;
}

/** Rounds over the Subscriptions and purchases of Products with edited Benefits (rule B1). */
export const productRounds = defineRounds<Product>("products");
