import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { CountedStatus } from "../domain/metrics/day.ts";
import type { Movement } from "../domain/metrics/movement.ts";
import type { Revenue, SummedFigure } from "../domain/metrics/series.ts";
import type { Bucket } from "../domain/metrics/span.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { columnList } from "./driver/table.ts";

const figuresStatement = sql(
  "metric_days.sums",
  `SELECT CASE WHEN day >= $3 THEN day END AS day, measure, sum(amount)::bigint AS amount,
     sum(subscriptions)::bigint AS subscriptions, sum(units)::bigint AS units
   FROM metric_days WHERE organization_id = $1 AND currency = $2 AND day < $4 GROUP BY 1, 2`,
);
const currenciesStatement = sql(
  "metric_days.currencies",
  "SELECT DISTINCT currency FROM metric_days WHERE organization_id = $1",
);

/**
 * The counted figures of a currency by day from `first` on, up to but without `next`, and the sum of all days before.
 */
export function sumFigures(
  db: Queryable,
  organizationId: string,
  currency: string,
  { first, next }: { first: string; next: string },
): Promise<SummedFigure[]> {
  return db.query<SummedFigure>(figuresStatement, [organizationId, currency, first, next]);
}

/** The currencies in which the Organization has ever had a Subscription. */
export async function countedCurrencies(db: Queryable, organizationId: string): Promise<string[]> {
  const rows = await db.query<{ currency: string }>(currenciesStatement, [organizationId]);
  return rows.map(({ currency }) => currency);
}

/** [start, end) of billing time. */
export type Within = { start: Instant; end: Instant };

const WITHIN = "t.organization_id = $1 AND t.created_at >= $2 AND t.created_at < $3";
const OF_SALES = "t.kind IN ('invoice_issued', 'invoice_voided')";
const SIGN = "CASE WHEN t.credit_account = 'revenue' THEN t.amount ELSE -t.amount END";
const OF_TAX = "'tax' IN (t.debit_account, t.credit_account)";
const SUMS = `coalesce(sum(${SIGN}) FILTER (WHERE ${OF_SALES} AND NOT ${OF_TAX}), 0)::bigint AS sales,
     coalesce(-sum(${SIGN}) FILTER (WHERE t.kind = 'refund' AND NOT ${OF_TAX}), 0)::bigint AS refunds,
     coalesce(-sum(${SIGN}) FILTER (WHERE ${OF_TAX}), 0)::bigint AS tax`;
const OF_REVENUE = "'revenue' IN (t.debit_account, t.credit_account)";

// A bucket is the number of the first instants that are not after the transfer.
const revenueStatement = sql(
  "ledger_transfers.revenue",
  `SELECT width_bucket(t.created_at, $4::timestamptz[]) - 1 AS bucket, t.currency, ${SUMS}
   FROM ledger_transfers t WHERE ${WITHIN} AND ${OF_REVENUE} GROUP BY 1, 2`,
);
const HAD_FAILED = `EXISTS (SELECT 1 FROM payments p
     WHERE p.organization_id = $1 AND p.source_id = t.source_id AND p.status = 'failed')`;
const recoveredStatement = sql(
  "ledger_transfers.recovered",
  `SELECT width_bucket(t.created_at, $4::timestamptz[]) - 1 AS bucket, t.currency, sum(t.amount)::bigint AS recovered,
     count(*) AS "recoveredPayments"
   FROM ledger_transfers t WHERE ${WITHIN} AND t.kind = 'invoice_paid' AND ${HAD_FAILED} GROUP BY 1, 2`,
);

type BucketKey = { bucket: number; currency: string };
/** The revenue of one bucket and currency. `bucket` counts from 0. */
export type BucketRevenue = BucketKey & Revenue;

/** The revenue of all currencies in buckets that follow each other (rules R7, R8). There is at least one bucket. */
export async function readRevenue(
  db: Queryable,
  organizationId: string,
  buckets: readonly Bucket[],
): Promise<BucketRevenue[]> {
  const values = [
    organizationId,
    formatInstant(buckets[0]!.start),
    formatInstant(buckets.at(-1)!.end),
    buckets.map(({ start }) => formatInstant(start)),
  ];
  const [sold, recovered] = await Promise.all([
    db.query<BucketKey & Pick<Revenue, "sales" | "refunds" | "tax">>(revenueStatement, values),
    db.query<BucketKey & Pick<Revenue, "recovered" | "recoveredPayments">>(recoveredStatement, values),
  ]);
  const rows = new Map<string, BucketRevenue>();
  for (const row of [...sold, ...recovered]) {
    const key = `${row.bucket} ${row.currency}`;
    const none = { sales: 0, refunds: 0, tax: 0, recovered: 0, recoveredPayments: 0 };
    rows.set(key, { ...none, ...rows.get(key), ...row });
  }
  return [...rows.values()];
}

const LINE_TOTAL = `l.amount - l.discount_amount
       + CASE WHEN (l.tax ->> 'inclusive')::boolean THEN 0 ELSE l.tax_amount END`;
// A distributed PostgreSQL takes the names of the columns from the first SELECT of the UNION.
const byProductStatement = sql(
  "ledger_transfers.by_product",
  `WITH moved (kind, source_id, sign) AS (
     SELECT DISTINCT t.kind, t.source_id, CASE t.kind WHEN 'invoice_voided' THEN -1 ELSE 1 END AS sign
     FROM ledger_transfers t WHERE ${WITHIN} AND t.currency = $4 AND ${OF_REVENUE}),
   part (product_id, sales, refunds, tax) AS (
     SELECT l.product_id, v.sign * (${LINE_TOTAL}) AS sales, 0 AS refunds, v.sign * l.tax_amount AS tax
     FROM moved v JOIN invoice_lines l ON l.organization_id = $1 AND l.invoice_id = v.source_id
     WHERE v.kind <> 'refund'
     UNION ALL SELECT l.product_id, 0, (line.value ->> 'amount')::bigint, -(line.value ->> 'taxAmount')::bigint
     FROM moved v JOIN refunds r ON r.organization_id = $1 AND r.id = v.source_id
     CROSS JOIN LATERAL json_array_elements(r.lines) AS line (value)
     JOIN invoice_lines l ON l.organization_id = $1 AND l.id = line.value ->> 'invoiceLineId'
     WHERE v.kind = 'refund')
   SELECT part.product_id AS "productId", p.name AS "productName", sum(part.sales)::bigint AS sales,
     sum(part.refunds)::bigint AS refunds, sum(part.tax)::bigint AS tax
   FROM part JOIN products p ON p.organization_id = $1 AND p.id = part.product_id
   GROUP BY part.product_id, p.name ORDER BY p.name, part.product_id`,
);

export type ProductRevenue = Pick<Revenue, "sales" | "refunds" | "tax"> & { productId: string; productName: string };

const withinOf = (organizationId: string, { start, end }: Within) => [
  organizationId,
  formatInstant(start),
  formatInstant(end),
];

/**
 * The revenue of a currency by Product, by the lines of the invoices and refunds that the ledger has in this time. The
 * sums over all Products are those of the ledger (rule R7).
 */
export function revenueByProduct(
  db: Queryable,
  organizationId: string,
  within: Within,
  currency: string,
): Promise<ProductRevenue[]> {
  return db.query<ProductRevenue>(byProductStatement, [...withinOf(organizationId, within), currency]);
}

const sourcesStatement = sql(
  "ledger_transfers.revenue_sources",
  `SELECT t.kind, t.source_id AS "sourceId", t.customer_id AS "customerId", t.created_at AS at, ${SUMS}
   FROM ledger_transfers t WHERE ${WITHIN} AND t.currency = $4 AND ${OF_REVENUE}
     AND (t.created_at, t.kind, t.source_id) > ($5::timestamptz, $6, $7)
   GROUP BY 1, 2, 3, 4 ORDER BY 4, 1, 2 LIMIT $8`,
);

/** An invoice, a void invoice or a refund that moved the revenue. */
export type RevenueSource = Pick<Revenue, "sales" | "refunds" | "tax"> & {
  kind: "invoice_issued" | "invoice_voided" | "refund";
  sourceId: string;
  customerId: string;
  at: Instant;
};
export type SourceCursor = Pick<RevenueSource, "at" | "kind" | "sourceId">;

/** The rows behind a figure of revenue, oldest first, after `cursor`. */
export function revenueSources(
  db: Queryable,
  organizationId: string,
  within: Within,
  { currency, cursor, limit }: { currency: string; cursor: SourceCursor | null; limit: number },
): Promise<RevenueSource[]> {
  const after = cursor ? [formatInstant(cursor.at), cursor.kind, cursor.sourceId] : ["-infinity", "", ""];
  return db.query<RevenueSource>(sourcesStatement, [...withinOf(organizationId, within), currency, ...after, limit]);
}

const recoveredInvoicesStatement = sql(
  "ledger_transfers.recovered_invoices",
  `SELECT t.source_id AS "invoiceId", i.number, t.customer_id AS "customerId", t.amount, t.created_at AS at
   FROM ledger_transfers t JOIN invoices i ON i.organization_id = t.organization_id AND i.id = t.source_id
   WHERE ${WITHIN} AND t.currency = $4 AND t.kind = 'invoice_paid' AND ${HAD_FAILED}
     AND (t.created_at, t.source_id) > ($5::timestamptz, $6)
   ORDER BY t.created_at, t.source_id LIMIT $7`,
);

/** A payment of an invoice of which an earlier charge had failed. */
export type RecoveredInvoice = { invoiceId: string; number: string; customerId: string; amount: number; at: Instant };

export type RecoveredCursor = Pick<RecoveredInvoice, "at" | "invoiceId">;

/** The rows behind a figure of recovered payments, oldest first, after `cursor`. */
export function recoveredInvoices(
  db: Queryable,
  organizationId: string,
  within: Within,
  { currency, cursor, limit }: { currency: string; cursor: RecoveredCursor | null; limit: number },
): Promise<RecoveredInvoice[]> {
  const after = cursor ? [formatInstant(cursor.at), cursor.invoiceId] : ["-infinity", ""];
  const values = [...withinOf(organizationId, within), currency, ...after, limit];
  return db.query<RecoveredInvoice>(recoveredInvoicesStatement, values);
}

const MOVEMENT = ["subscriptionId", "sequence", "customerId", "at", "day", "kind", "amount", "statusBefore", "status"];
const movementsStatement = sql(
  "mrr_movements.list",
  `SELECT ${columnList(MOVEMENT)} FROM mrr_movements
   WHERE organization_id = $1 AND currency = $2 AND day >= $3 AND day < $4 AND kind IS NOT NULL
     AND ($5::text IS NULL OR kind = $5) AND (day, subscription_id, sequence) > ($6, $7, $8::integer)
   ORDER BY day, subscription_id, sequence LIMIT $9`,
);

export type ListedMovement = Omit<Movement, "organizationId" | "currency" | "kind" | "quantity" | "quantityBefore"> & {
  kind: NonNullable<Movement["kind"]>;
  day: string;
};
export type MovementCursor = Pick<ListedMovement, "day" | "subscriptionId" | "sequence">;
export type MovementQuery = {
  currency: string;
  first: string;
  next: string;
  kind: Movement["kind"];
  cursor: MovementCursor | null;
  limit: number;
};

/** Changes of MRR from the day `first` on, up to but without `next`, by day, after `cursor`. `kind` null: each kind. */
export function listMovements(
  db: Queryable,
  organizationId: string,
  { currency, first, next, kind, cursor, limit }: MovementQuery,
): Promise<ListedMovement[]> {
  const after = cursor ? [cursor.day, cursor.subscriptionId, cursor.sequence] : ["", "", 0];
  return db.query<ListedMovement>(movementsStatement, [organizationId, currency, first, next, kind, ...after, limit]);
}

const mrrStatement = sql(
  "mrr_movements.mrr",
  `SELECT subscription_id AS "subscriptionId", customer_id AS "customerId", sum(amount)::bigint AS mrr
   FROM mrr_movements WHERE organization_id = $1 AND currency = $2 AND day < $3 AND subscription_id > $4
   GROUP BY 1, 2 HAVING sum(amount) > 0 ORDER BY 1 LIMIT $5`,
);

export type SubscriptionMrr = { subscriptionId: string; customerId: string; mrr: number };
type MrrQuery = { currency: string; next: string; after: string; limit: number };

// The differences of a status by day, as in the figures of the days.
const statusStatement = sql(
  "mrr_movements.status",
  `SELECT subscription_id AS "subscriptionId", customer_id AS "customerId", sum(amount)::bigint AS mrr
   FROM mrr_movements WHERE organization_id = $1 AND currency = $2 AND day < $3 AND subscription_id > $4
   GROUP BY 1, 2
   HAVING count(*) FILTER (WHERE status = $5) > count(*) FILTER (WHERE status_before = $5) ORDER BY 1 LIMIT $6`,
);

/** The Subscriptions with a status at the end of the day before `next`, oldest first, after the id `after`. */
export function listWithStatus(
  db: Queryable,
  organizationId: string,
  { currency, next, after, status, limit }: MrrQuery & { status: CountedStatus },
): Promise<SubscriptionMrr[]> {
  return db.query<SubscriptionMrr>(statusStatement, [organizationId, currency, next, after, status, limit]);
}

/** The Subscriptions with MRR at the end of the day before `next`, oldest first, after the id `after`. */
export function listMrr(
  db: Queryable,
  organizationId: string,
  { currency, next, after, limit }: MrrQuery,
): Promise<SubscriptionMrr[]> {
  return db.query<SubscriptionMrr>(mrrStatement, [organizationId, currency, next, after, limit]);
}
