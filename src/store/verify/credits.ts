import { totalOf } from "../credits.ts";
import { rule, type Rule } from "./rule.ts";

/** The amount that a line still credits: its sources, or its total if no money has paid the credited line. */
const STANDING = `coalesce((SELECT sum((part ->> 'amount')::bigint) FROM json_array_elements(c.sources) AS part),
       CASE WHEN c.sources IS NULL THEN -${totalOf("c")} ELSE 0 END)`;

/** Rule P10: later changes of the Product credit billed lines. A credit on a void invoice does not count. */
export const CREDIT_RULES: readonly Rule[] = [
  rule(
    "credit_amounts",
    "Credits and refunds together gave back more of a billed line than it came to (rule P10).",
    `SELECT b.id AS line, b.invoice_id AS invoice, ${totalOf("b")} AS billed, c.credited,
      coalesce(r.refunded, 0) AS refunded
     FROM (
       SELECT c.credited_line_id, sum(${STANDING}) AS credited
       FROM invoice_lines c LEFT JOIN invoices i ON i.organization_id = c.organization_id AND i.id = c.invoice_id
       WHERE c.organization_id = $1 AND c.credited_line_id IS NOT NULL AND i.status IS DISTINCT FROM 'void' GROUP BY 1
     ) c
     JOIN invoice_lines b ON b.organization_id = $1 AND b.id = c.credited_line_id
     LEFT JOIN (
       SELECT part ->> 'invoiceLineId' AS line,
         sum((part ->> 'amount')::bigint + coalesce((part ->> 'freed')::bigint, 0)) AS refunded
       FROM (SELECT json_array_elements(f.lines) AS part FROM refunds f
         WHERE f.organization_id = $1 AND (f.status <> 'failed' OR f.failed_late)) parts GROUP BY 1
     ) r ON r.line = b.id
     WHERE c.credited + coalesce(r.refunded, 0) > ${totalOf("b")}`,
  ),
  rule(
    "credit_source",
    "A credit gives back a line of another Subscription, of a void invoice, or one without a billed amount (rule P10).",
    `SELECT c.id AS credit, c.subscription_id AS subscription, b.id AS line, b.subscription_id AS "lineSubscription",
      bi.status
     FROM invoice_lines c
     JOIN invoice_lines b ON b.organization_id = c.organization_id AND b.id = c.credited_line_id
     LEFT JOIN invoices ci ON ci.organization_id = c.organization_id AND ci.id = c.invoice_id
     LEFT JOIN invoices bi ON bi.organization_id = b.organization_id AND bi.id = b.invoice_id
     WHERE c.organization_id = $1 AND ci.status IS DISTINCT FROM 'void'
       AND (b.subscription_id IS DISTINCT FROM c.subscription_id OR bi.status = 'void' OR ${totalOf("b")} <= 0
       OR c.amount > 0)`,
  ),
];
