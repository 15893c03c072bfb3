import { totalOfParts, type SourcePart } from "../domain/model/credit-source.ts";
import type { LineCredit } from "../domain/model/line-credit.ts";
import { sql, type Queryable } from "./driver/db.ts";

/** The total of a line `alias`, tax included, like the domain's `lineTotal`. */
export const totalOf = (alias: string) =>
  `(${alias}.amount - ${alias}.discount_amount + CASE WHEN ${alias}.tax ->> 'inclusive' = 'true' THEN 0
    ELSE ${alias}.tax_amount END)`;

/** Credits `c` of billed lines `b`. A credit on a void invoice does not count (rule S5). */
const CREDITS = `invoice_lines b
   JOIN invoice_lines c ON c.organization_id = b.organization_id AND c.credited_line_id = b.id
   LEFT JOIN invoices ci ON ci.organization_id = c.organization_id AND ci.id = c.invoice_id`;

const ofInvoicesStatement = sql(
  "credits.of_invoices",
  `SELECT b.invoice_id AS "invoiceId", b.id AS "creditedLineId", -${totalOf("c")} AS amount, c.sources,
     (c.invoice_id IS NOT DISTINCT FROM b.invoice_id) AS netted
   FROM ${CREDITS}
   WHERE b.organization_id = $1 AND b.invoice_id = ANY($2) AND ci.status IS DISTINCT FROM 'void'`,
);
const lostStatement = sql(
  "credits.lost_charges",
  `SELECT i.id AS "invoiceId", d.payment_id AS "paymentId" FROM invoices i
   JOIN disputes d ON d.organization_id = i.organization_id AND d.customer_id = i.customer_id AND d.status = 'lost'
   WHERE i.organization_id = $1 AND i.id = ANY($2)`,
);

/** The credits on lines of these invoices. A credit may be on an invoice already, or wait for an invoice. */
export async function creditsOf(
  db: Queryable,
  organizationId: string,
  ...invoiceIds: string[]
): Promise<(LineCredit & { invoiceId: string })[]> {
  type Row = LineCredit & { invoiceId: string; sources: SourcePart[] | null };
  const rows = await db.query<Row>(ofInvoicesStatement, [organizationId, invoiceIds]);
  return rows.map((row) => ({
    ...row,
    sources: row.sources ?? [],
    amount: row.sources ? totalOfParts(row.sources) : row.amount,
  }));
}

/** The charges that banks have kept, of the Customers of these invoices. */
export async function lostChargesOf(
  db: Queryable,
  organizationId: string,
  ...invoiceIds: string[]
): Promise<{ invoiceId: string; paymentId: string }[]> {
  return db.query(lostStatement, [organizationId, invoiceIds]);
}
