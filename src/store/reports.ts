import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { Bucket } from "../domain/metrics/span.ts";
import type { CountedReceivable } from "../domain/report/receivables.ts";
import type { Booked } from "../domain/report/revenue.ts";
import type { TaxRow } from "../domain/report/tax.ts";
import { sql, type Queryable } from "./driver/db.ts";

/** The parameters of a statement about buckets that follow each other. There is at least one bucket. */
const bucketValues = (organizationId: string, buckets: readonly Bucket[], currency: string | null) => [
  organizationId,
  formatInstant(buckets[0]!.start),
  formatInstant(buckets.at(-1)!.end),
  buckets.map(({ start }) => formatInstant(start)),
  currency,
];

const bookedStatement = sql(
  "ledger_transfers.booked",
  `SELECT width_bucket(t.created_at, $4::timestamptz[]) - 1 AS bucket, t.currency, t.kind, t.debit_account AS debit,
     t.credit_account AS credit, sum(t.amount)::bigint AS amount
   FROM ledger_transfers t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.created_at < $3
     AND ($5::text IS NULL OR t.currency = $5)
   GROUP BY 1, 2, 3, 4, 5`,
);

/** The sums of the ledger in buckets that follow each other. `currency` null: all currencies. */
export function readBooked(
  db: Queryable,
  organizationId: string,
  buckets: readonly Bucket[],
  currency: string | null,
): Promise<Booked[]> {
  return db.query<Booked>(bookedStatement, bucketValues(organizationId, buckets, currency));
}

const sumOf = (kind: string, column: "net" | "tax", name: string) =>
  `coalesce(sum(p.${column}) FILTER (WHERE p.kind = '${kind}'), 0)::bigint AS "${name}"`;
const SUMS = ["invoiced", "voided", "credited"]
  .flatMap((kind) => [sumOf(kind, "net", `${kind}Net`), sumOf(kind, "tax", `${kind}Tax`)])
  .join(", ");

// An invoice with a total and a tax of 0 has no transfers, but its lines may move an amount from one rate to another.
// So the report reads invoices and credit notes, by the billing time at which the ledger has them. A distributed
// PostgreSQL takes the names of the columns from the first SELECT of the UNION.
const taxStatement = sql(
  "invoice_lines.by_rate",
  `WITH moved (kind, id, at, currency, country) AS (
     SELECT 'invoiced', i.id, i.created_at, i.currency, i.buyer -> 'address' ->> 'country'
     FROM invoices i WHERE i.organization_id = $1 AND i.created_at >= $2 AND i.created_at < $3
     UNION ALL SELECT 'voided', i.id, i.voided_at, i.currency, i.buyer -> 'address' ->> 'country'
     FROM invoices i WHERE i.organization_id = $1 AND i.status = 'void' AND i.voided_at >= $2 AND i.voided_at < $3),
   part (kind, at, currency, country, rate, net, tax) AS (
     SELECT m.kind, m.at, m.currency, m.country, l.tax,
       l.amount - l.discount_amount - CASE WHEN (l.tax ->> 'inclusive')::boolean THEN l.tax_amount ELSE 0 END,
       l.tax_amount
     FROM moved m JOIN invoice_lines l ON l.organization_id = $1 AND l.invoice_id = m.id
     UNION ALL SELECT 'credited', n.created_at, n.currency, n.buyer -> 'address' ->> 'country', line.value -> 'tax',
       (line.value ->> 'amount')::bigint - CASE WHEN (line.value -> 'tax' ->> 'inclusive')::boolean
         THEN (line.value ->> 'taxAmount')::bigint ELSE 0 END,
       (line.value ->> 'taxAmount')::bigint
     FROM credit_notes n CROSS JOIN LATERAL json_array_elements(n.lines) AS line (value)
     WHERE n.organization_id = $1 AND n.created_at >= $2 AND n.created_at < $3)
   SELECT width_bucket(p.at, $4::timestamptz[]) - 1 AS bucket, p.currency,
     coalesce(p.rate ->> 'country', p.country) AS country, p.rate ->> 'region' AS region, p.rate ->> 'name' AS name,
     coalesce((p.rate ->> 'basisPoints')::integer, 0) AS "basisPoints",
     coalesce((p.rate ->> 'reverseCharge')::boolean, false) AS "reverseCharge", ${SUMS}
   FROM part p WHERE $5::text IS NULL OR p.currency = $5
   GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING bool_or(p.net <> 0 OR p.tax <> 0)
   ORDER BY 1, 2, 3 NULLS LAST, 4 NULLS FIRST, 6, 5, 7`,
);

type FlatTaxRow = Omit<TaxRow, "invoiced" | "voided" | "credited"> &
  Record<`${"invoiced" | "voided" | "credited"}${"Net" | "Tax"}`, number>;

/** The net amounts and taxes of lines by place and rate, in buckets that follow each other (rule R10b). */
export async function readTaxes(
  db: Queryable,
  organizationId: string,
  buckets: readonly Bucket[],
  currency: string | null,
): Promise<TaxRow[]> {
  const rows = await db.query<FlatTaxRow>(taxStatement, bucketValues(organizationId, buckets, currency));
  return rows.map(({ invoicedNet, invoicedTax, voidedNet, voidedTax, creditedNet, creditedTax, ...row }) => ({
    ...row,
    invoiced: { net: invoicedNet, tax: invoicedTax },
    voided: { net: voidedNet, tax: voidedTax },
    credited: { net: creditedNet, tax: creditedTax },
  }));
}

// The invoices that are open now, and those that a later transfer has closed. So a report about the present reads no
// closed invoice.
const OWED = `WITH owed (id) AS (
     SELECT i.id FROM invoices i WHERE i.organization_id = $1 AND i.status = 'open'
     UNION SELECT t.source_id FROM ledger_transfers t WHERE t.organization_id = $1 AND t.created_at >= $2
       AND t.kind IN ('invoice_paid', 'invoice_paid_outside', 'invoice_voided') AND t.credit_account = 'receivable')`;
const OWED_INVOICES = `FROM owed JOIN invoices i ON i.organization_id = $1 AND i.id = owed.id
   WHERE i.created_at < $2 AND ($3::text IS NULL OR i.currency = $3)`;

const countOwedStatement = sql(
  "invoices.count_owed",
  `${OWED} SELECT i.currency, width_bucket(i.created_at, $4::timestamptz[]) AS begins,
     sum(i.amount_due)::bigint AS amount, count(*) AS invoices
   ${OWED_INVOICES} GROUP BY 1, 2`,
);

/** Just before the instant `before`. `currency` null: all currencies. */
export type OwedQuery = { before: Instant; currency: string | null };

/** The invoices that were open just before an instant, by currency and age (rule R10c). `begins`: those of the ages. */
export function countOwed(
  db: Queryable,
  organizationId: string,
  { before, currency }: OwedQuery,
  begins: readonly Instant[],
): Promise<CountedReceivable[]> {
  const values = [organizationId, formatInstant(before), currency, begins.map(formatInstant)];
  return db.query<CountedReceivable>(countOwedStatement, values);
}

/** An invoice that was open at an instant. `amountDue`: the amount that was due then. */
export type OwedInvoice = {
  id: string;
  number: string;
  customerId: string;
  currency: string;
  amountDue: number;
  createdAt: Instant;
};

const listOwedStatement = sql(
  "invoices.list_owed",
  `${OWED} SELECT i.id, i.number, i.customer_id AS "customerId", i.currency, i.amount_due AS "amountDue",
     i.created_at AS "createdAt"
   ${OWED_INVOICES} AND (i.created_at, i.id) > ($4::timestamptz, $5) ORDER BY i.created_at, i.id LIMIT $6`,
);

/** The invoices of `countOwed`, oldest first, after `cursor`. */
export function listOwed(
  db: Queryable,
  organizationId: string,
  { before, currency }: OwedQuery,
  { cursor, limit }: { cursor: Pick<OwedInvoice, "createdAt" | "id"> | null; limit: number },
): Promise<OwedInvoice[]> {
  const after = cursor ? [formatInstant(cursor.createdAt), cursor.id] : ["-infinity", ""];
  const values = [organizationId, formatInstant(before), currency, ...after, limit];
  return db.query<OwedInvoice>(listOwedStatement, values);
}
