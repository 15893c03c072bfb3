import type { LineCredit } from "../domain/invoice/credit.ts";
import { sql, type Queryable } from "./db.ts";

/** The total of a line `alias`, tax included, like the domain's `lineTotal`. */
export const totalOf = (alias: string) =>
  `(${alias}.amount - ${alias}.discount_amount + CASE WHEN ${alias}.tax ->> 'inclusive' = 'true' THEN 0
    ELSE ${alias}.tax_amount END)`;

/** Credits `c` of billed lines `b`. A credit on a void invoice does not count (rule S5). */
const CREDITS = `invoice_lines b
   JOIN invoice_lines c ON c.organization_id = b.organization_id AND c.credited_line_id = b.id
   LEFT JOIN invoices ci ON ci.organization_id = c.organization_id AND ci.id = c.invoice_id`;

const CREDIT_COLUMNS = `b.id AS "creditedLineId", sum(-${totalOf("c")})::bigint AS amount,
     (c.invoice_id IS NOT DISTINCT FROM b.invoice_id) AS netted`;

const ofInvoicesStatement = sql(
  "credits.of_invoices",
  `SELECT b.invoice_id AS "invoiceId", ${CREDIT_COLUMNS} FROM ${CREDITS}
   WHERE b.organization_id = $1 AND b.invoice_id = ANY($2) AND ci.status IS DISTINCT FROM 'void'
   GROUP BY b.invoice_id, b.id, netted`,
);

/** The credits on lines of these invoices. A credit may be on an invoice already, or wait for an invoice. */
export async function creditsOf(
  db: Queryable,
  organizationId: string,
  ...invoiceIds: string[]
): Promise<(LineCredit & { invoiceId: string })[]> {
  return db.query(ofInvoicesStatement, [organizationId, invoiceIds]);
}
