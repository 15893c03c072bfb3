import { formatInstant } from "../domain/calendar.ts";
import type { LineCredit } from "../domain/credit.ts";
import type { DisputedCredit } from "../domain/hold.ts";
import type { InvoiceLine } from "../domain/invoice.ts";
import type { Subscription } from "../domain/subscription.ts";
import { sql, type Queryable } from "./db.ts";
import { invoiceLines } from "./invoice-lines.ts";

/** The total of a line `alias`, tax included; as `lineTotal` of the domain. */
const totalOf = (alias: string) =>
  `(${alias}.amount - ${alias}.discount_amount + CASE WHEN ${alias}.tax ->> 'inclusive' = 'true' THEN 0 ELSE ${alias}.tax_amount END)`;

/** Credits `c` of billed lines `b`; those on void invoices count for nothing (rule S5). */
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

/** The credits of the lines of these invoices, on invoices or waiting. */
export async function creditsOf(
  db: Queryable,
  organizationId: string,
  ...invoiceIds: string[]
): Promise<(LineCredit & { invoiceId: string })[]> {
  return db.query(ofInvoicesStatement, [organizationId, invoiceIds]);
}

const billingStatement = sql(
  "credits.billing",
  `SELECT ${invoiceLines.columns("l")} FROM invoices i
   JOIN invoice_lines l ON l.organization_id = i.organization_id AND l.invoice_id = i.id
   WHERE i.organization_id = $1 AND i.subscription_id = $2 AND i.status <> 'void' AND i.period_end = $3 AND l.period_end = $3
     AND l.subscription_id = $2
   UNION ALL
   SELECT ${invoiceLines.columns("l")} FROM invoice_lines l
   WHERE l.organization_id = $1 AND l.subscription_id = $2 AND l.invoice_id IS NULL AND l.period_end = $3`,
);
const ofLinesStatement = sql(
  "credits.of_lines",
  `SELECT ${CREDIT_COLUMNS} FROM ${CREDITS}
   WHERE b.organization_id = $1 AND b.id = ANY($2) AND ci.status IS DISTINCT FROM 'void'
   GROUP BY b.id, netted`,
);

/** The lines of a Subscription that bill up to the end of its period in progress, and their credits; none of a void invoice. */
export async function billingOfPeriod(
  db: Queryable,
  { organizationId, id, currentPeriodEnd }: Pick<Subscription, "organizationId" | "id" | "currentPeriodEnd">,
): Promise<{ lines: InvoiceLine[]; credits: LineCredit[] }> {
  const lines = await db.query<InvoiceLine>(billingStatement, [organizationId, id, formatInstant(currentPeriodEnd)]);
  const ids = lines.map((line) => line.id);
  return { lines, credits: ids.length === 0 ? [] : await db.query<LineCredit>(ofLinesStatement, [organizationId, ids]) };
}

// Credit comes from a charge by changes that credit its invoice's lines, by refunds of it to the balance, and where its invoice is void.
const disputedStatement = sql(
  "credits.disputed",
  `SELECT d.currency, d.amount AS disputed, d.created_at AS since, (
     coalesce((SELECT sum(-${totalOf("c")}) FROM ${CREDITS} WHERE b.organization_id = $1 AND b.invoice_id = d.invoice_id
       AND ci.status IS DISTINCT FROM 'void' AND c.invoice_id IS DISTINCT FROM b.invoice_id), 0)
     + coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.organization_id = $1 AND r.invoice_id = d.invoice_id
       AND r."to" = 'balance' AND r.status = 'succeeded'), 0)
     + coalesce((SELECT sum(t.amount) FROM ledger_transfers t WHERE t.organization_id = $1 AND t.kind = 'unapplied_payment'
       AND t.source_id = d.payment_id), 0))::bigint AS credited
   FROM disputes d WHERE d.organization_id = $1 AND d.customer_id = $2 AND d.status <> 'won' ORDER BY d.id`,
);

/** The Customer's charges that banks took back and did not return, with the credit that came from each (rule D7). */
export async function disputedCredits(db: Queryable, organizationId: string, customerId: string): Promise<DisputedCredit[]> {
  return db.query<DisputedCredit>(disputedStatement, [organizationId, customerId]);
}
