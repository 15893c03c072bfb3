import { sql, type Queryable } from "./driver/db.ts";

// Exact counts for the catalogue. A Product may have a million Subscriptions, so these statements read indexes alone:
// `subscriptions_product`, `benefit_grants_benefit`, `invoice_lines_purchased` and `checkouts_status`.

const liveStatement = sql(
  "catalogue_counts.live",
  `SELECT product_id AS id, count(*) AS n FROM subscriptions
   WHERE organization_id = $1 AND product_id = ANY($2) AND status <> 'canceled' GROUP BY product_id`,
);
const grantsStatement = sql(
  "catalogue_counts.grants",
  `SELECT benefit_id AS id, count(*) AS n FROM benefit_grants
   WHERE organization_id = $1 AND benefit_id = ANY($2) AND status = 'active' GROUP BY benefit_id`,
);
const withBenefitsStatement = sql(
  "catalogue_counts.products_with",
  `SELECT b.id, count(*) AS n FROM products p CROSS JOIN LATERAL unnest(p.benefit_ids) AS b (id)
   WHERE p.organization_id = $1 AND b.id = ANY($2) GROUP BY b.id`,
);

type Counts = ReadonlyMap<string, number>;
type Row = { id: string; n: number };
const byId = (rows: readonly Row[]): Counts => new Map(rows.map(({ id, n }) => [id, n]));

/** The live Subscriptions of each Product. A Product without one is missing. */
export async function countLive(db: Queryable, organizationId: string, productIds: readonly string[]): Promise<Counts> {
  return productIds.length === 0 ? new Map() : byId(await db.query<Row>(liveStatement, [organizationId, productIds]));
}

/** The active grants of each Benefit. A Benefit without one is missing. */
export async function countGrants(
  db: Queryable,
  organizationId: string,
  benefitIds: readonly string[],
): Promise<Counts> {
  return benefitIds.length === 0 ? new Map() : byId(await db.query<Row>(grantsStatement, [organizationId, benefitIds]));
}

/** The Products that include each Benefit, archived ones too. A Benefit of no Product is missing. */
export async function countIncluding(
  db: Queryable,
  organizationId: string,
  benefitIds: readonly string[],
): Promise<Counts> {
  const found = benefitIds.length === 0 ? [] : db.query<Row>(withBenefitsStatement, [organizationId, benefitIds]);
  return byId(await found);
}

/** The Customers with a live Subscription of the Product that grants Benefits (rules B1, D4). */
const subscribersStatement = sql(
  "catalogue_counts.subscribers",
  `SELECT count(DISTINCT customer_id) AS n FROM subscriptions
   WHERE organization_id = $1 AND product_id = $2 AND status <> 'canceled' AND NOT grants_suspended`,
);

export async function countSubscribers(db: Queryable, organizationId: string, productId: string): Promise<number> {
  return (await db.query<{ n: number }>(subscribersStatement, [organizationId, productId]))[0]!.n;
}

// The purchases of the rule B1: without those that a refund took back, and without those that have the Benefit.
const gainingStatement = sql(
  "catalogue_counts.gaining_purchases",
  `SELECT count(DISTINCT l.invoice_id) AS n FROM invoice_lines l
   WHERE l.organization_id = $1 AND l.product_id = $2 AND l.subscription_id IS NULL AND l.invoice_id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.organization_id = $1
       AND r.invoice_id = l.invoice_id AND r.revoke_grants AND (r.status = 'succeeded' OR r.failed_late))
     AND NOT EXISTS (SELECT 1 FROM benefit_grants g WHERE g.organization_id = $1
       AND g.invoice_id = l.invoice_id AND g.benefit_id = $3 AND g.status = 'active')`,
);

/** The one-time purchases of a Product that gain a Benefit if the Benefit is added to the Product (rule B1). */
export async function countGainingPurchases(
  db: Queryable,
  organizationId: string,
  productId: string,
  benefitId: string,
): Promise<number> {
  return (await db.query<{ n: number }>(gainingStatement, [organizationId, productId, benefitId]))[0]!.n;
}

/** `losing`: Customers with the Benefit of a Subscription. `keeping`: Customers with the Benefit of a purchase. */
export type Holders = { losing: number; keeping: number };

const holdersStatement = sql(
  "catalogue_counts.holders",
  `SELECT count(DISTINCT customer_id) FILTER (WHERE subscription_id IS NOT NULL) AS losing,
     count(DISTINCT customer_id) FILTER (WHERE invoice_id IS NOT NULL) AS keeping
   FROM benefit_grants WHERE organization_id = $1 AND benefit_id = $2 AND status = 'active'`,
);

/** The Customers that a deletion of the Benefit touches (rule B1). */
export async function countHolders(db: Queryable, organizationId: string, benefitId: string): Promise<Holders> {
  return (await db.query<Holders>(holdersStatement, [organizationId, benefitId]))[0]!;
}

const openStatement = sql(
  "catalogue_counts.open_checkouts",
  `SELECT count(*) AS n FROM checkouts ch JOIN organizations o ON o.id = ch.organization_id
   WHERE ch.organization_id = $1 AND ch.status = 'open' AND ch.product_id = $2
     AND ch.expires_at > COALESCE(o.clock_at, statement_timestamp())`,
);
const openWithStatement = sql(
  "catalogue_counts.open_checkouts_with",
  `SELECT count(*) AS n FROM checkouts ch JOIN organizations o ON o.id = ch.organization_id
   WHERE ch.organization_id = $1 AND ch.status = 'open' AND ch.discount->>'id' = $2
     AND ch.expires_at > COALESCE(o.clock_at, statement_timestamp())`,
);

/** The open Checkouts of a Product, without those that are being paid. */
export async function countOpenCheckouts(db: Queryable, organizationId: string, productId: string): Promise<number> {
  return (await db.query<{ n: number }>(openStatement, [organizationId, productId]))[0]!.n;
}

/** The open Checkouts with a Discount. */
export async function countOpenWith(db: Queryable, organizationId: string, discountId: string): Promise<number> {
  return (await db.query<{ n: number }>(openWithStatement, [organizationId, discountId]))[0]!.n;
}
