import { isFor } from "../payments.ts";
import { bring } from "./rows.ts";

type ReturnsPart = "given_back" | "credited" | "period";

/**
 * For rows `k` of requested parts: the invoices to read, and the lines of the period that are not on an invoice yet.
 */
function targetsOf(part: ReturnsPart, k: string): { invoices: string; waiting: string } {
  if (part !== "period") {
    const id = part === "given_back" ? "k.a" : "l.invoice_id";
    const line = "JOIN invoice_lines l ON l.organization_id = k.organization_id AND l.id = k.a";
    const invoices = `SELECT k.n, i.organization_id, i.id AS invoice_id FROM ${k} ${part === "given_back" ? "" : line}
       JOIN invoices i ON i.organization_id = k.organization_id AND i.customer_id = k.customer_id AND i.id = ${id}`;
    return { invoices, waiting: `SELECT k.n, k.organization_id, NULL::text AS id FROM ${k} WHERE false` };
  }
  const subscription = `JOIN subscriptions s ON s.organization_id = k.organization_id AND s.customer_id = k.customer_id
    AND s.id = k.a`;
  const end = "COALESCE(k.b, s.current_period_end)";
  const invoices = `SELECT k.n, i.organization_id, i.id AS invoice_id FROM ${k} ${subscription}
     JOIN invoices i ON i.organization_id = k.organization_id AND i.subscription_id = s.id
       AND i.period_end = ${end} AND i.status <> 'void'`;
  const waiting = `SELECT k.n, l.organization_id, l.id FROM ${k} ${subscription}
     JOIN invoice_lines l ON l.organization_id = k.organization_id AND l.subscription_id = s.id AND l.invoice_id IS NULL
       AND l.period_end = ${end}`;
  return { invoices, waiting };
}

/**
 * Invoices with all rows that reduce them: their lines, charge, refunds and disputes, the lines that credit their
 * lines, and the invoices of those credits. Each invoice comes with all of its lines, like every invoice of one
 * Customer's billing.
 */
export function invoiceReturns(part: ReturnsPart, k: string): string {
  const { invoices, waiting } = targetsOf(part, k);
  return `WITH targets AS MATERIALIZED (${invoices}), waiting AS MATERIALIZED (${waiting}),
     credits AS MATERIALIZED (
       SELECT k.n, c.organization_id, c.id, c.invoice_id FROM targets k
       JOIN invoice_lines b ON b.organization_id = k.organization_id AND b.invoice_id = k.invoice_id
       JOIN invoice_lines c ON c.organization_id = k.organization_id AND c.credited_line_id = b.id
       UNION ALL
       SELECT k.n, c.organization_id, c.id, c.invoice_id FROM waiting k
       JOIN invoice_lines c ON c.organization_id = k.organization_id AND c.credited_line_id = k.id),
     shown AS MATERIALIZED (
       SELECT n, organization_id, invoice_id FROM targets
       UNION SELECT n, organization_id, invoice_id FROM credits WHERE invoice_id IS NOT NULL),
     unbilled AS (
       SELECT n, organization_id, id FROM waiting
       UNION SELECT n, organization_id, id FROM credits WHERE invoice_id IS NULL)
   ${bring("invoices", "x")} FROM shown k JOIN invoices x ON x.organization_id = k.organization_id
   AND x.id = k.invoice_id
   UNION ALL ${bring("lines", "x")} FROM shown k
     JOIN invoice_lines x ON x.organization_id = k.organization_id AND x.invoice_id = k.invoice_id
   UNION ALL ${bring("lines", "x")} FROM unbilled k JOIN invoice_lines x ON x.organization_id = k.organization_id
   AND x.id = k.id
   UNION ALL ${bring("payments", "x")} FROM targets k
     JOIN payments x ON x.organization_id = k.organization_id AND ${isFor("x", "k.invoice_id")}
       AND x.purpose <> 'setup' AND x.status = 'succeeded'
   UNION ALL ${bring("refunds", "x")} FROM targets k
     JOIN refunds x ON x.organization_id = k.organization_id AND x.invoice_id = k.invoice_id
   UNION ALL ${bring("disputes", "x")} FROM targets k
     JOIN disputes x ON x.organization_id = k.organization_id AND x.invoice_id = k.invoice_id`;
}
