import { totalOf } from "../credits.ts";
import { rule, type Rule } from "./rule.ts";

const SEQUENCE = `substring(number FROM '-CN([0-9]{1,9})$')::integer`;

/** Rule I3: refunds and their credit notes. */
export const REFUND_RULES: readonly Rule[] = [
  rule(
    "refund_amounts",
    "An invoice's refunded amount differs from its refunds, or exceeds the billed lines (rule I3).",
    `SELECT i.id AS invoice, i.refunded_amount AS refunded, coalesce(f.succeeded, 0) AS refunds,
      coalesce(f.held, 0) AS "withUnsettled", i.amount_paid AS paid
     FROM invoices i LEFT JOIN (
       SELECT invoice_id, sum(amount - from_balance) FILTER (WHERE status = 'succeeded' OR failed_late) AS succeeded,
         sum(amount - from_balance) FILTER (WHERE status <> 'failed' OR failed_late) AS held
       FROM refunds WHERE organization_id = $1 AND purpose = 'invoice' GROUP BY invoice_id
     ) f ON f.invoice_id = i.id
     LEFT JOIN (
       SELECT l.invoice_id, sum(greatest(${totalOf("l")}, 0)) AS billed
       FROM invoice_lines l WHERE l.organization_id = $1 AND l.invoice_id IS NOT NULL GROUP BY 1
     ) b ON b.invoice_id = i.id
     WHERE i.organization_id = $1 AND (i.refunded_amount <> coalesce(f.succeeded, 0)
       OR coalesce(f.held, 0) > coalesce(b.billed, 0))`,
  ),
  rule(
    "refund_source",
    "A refund does not fit its payment: another invoice, no money taken, another Customer or currency (rule I3).",
    `SELECT f.id AS refund, f.invoice_id AS invoice, f.payment_id AS payment, p.status, p.invoice_id AS "paymentInvoice"
     FROM refunds f
     LEFT JOIN invoices i ON i.organization_id = f.organization_id AND i.id = f.invoice_id
     LEFT JOIN payments p ON p.organization_id = f.organization_id AND p.id = f.payment_id
     WHERE f.organization_id = $1 AND (
       (f.purpose = 'invoice' AND (i.status <> 'paid' OR (f.customer_id, f.currency) <> (i.customer_id, i.currency)
         OR (f.payment_id IS NOT NULL AND p.invoice_id IS DISTINCT FROM i.id)))
       OR (f.payment_id IS NOT NULL
         AND (p.customer_id, p.currency, p.status) IS DISTINCT FROM (f.customer_id, f.currency, 'succeeded')))`,
  ),
  rule(
    "credit_of_late_failure",
    "A refund that failed late is not on the balance as credit, or another refund is (rule I8).",
    `SELECT f.id AS refund, f.status, f.amount, e.credit
     FROM (SELECT * FROM refunds WHERE organization_id = $1) f
     FULL JOIN (
       SELECT refund_id, customer_id, currency, sum(amount) AS credit FROM balance_entries
       WHERE organization_id = $1 AND reason = 'refund_failed' GROUP BY 1, 2, 3
     ) e ON e.refund_id = f.id
     WHERE (coalesce(f.failed_late, false) OR e.credit IS NOT NULL)
       AND (e.credit, e.customer_id, e.currency)
         IS DISTINCT FROM (CASE WHEN f.failed_late THEN f.amount END, f.customer_id, f.currency)`,
  ),
  rule(
    "credit_note_of_refund",
    "A refund that succeeded, or failed later, does not have exactly its credit note (rules I3, I8).",
    `SELECT f.id AS refund, f.status, f.amount, f.tax_amount AS tax, f.credit_note_id AS "creditNote", n.id AS found,
       n.total_amount AS total,
       n.tax_amount AS "creditNoteTax"
     FROM (SELECT * FROM refunds WHERE organization_id = $1) f
     FULL JOIN (SELECT * FROM credit_notes WHERE organization_id = $1) n ON n.refund_id = f.id
     WHERE (f.credit_note_id, f.amount - f.from_balance, f.tax_amount, f.invoice_id, f.customer_id, f.currency)
         IS DISTINCT FROM (n.id, n.total_amount, n.tax_amount, n.invoice_id, n.customer_id, n.currency)
       AND (((f.status = 'succeeded' OR f.failed_late) AND f.amount > f.from_balance) OR n.id IS NOT NULL)`,
  ),
  rule(
    "credit_note_language",
    "A credit note is in another language than its invoice (rule I2b).",
    `SELECT n.id AS "creditNote", n.locale, i.id AS invoice, i.locale AS "invoiceLocale"
     FROM credit_notes n JOIN invoices i ON i.organization_id = n.organization_id AND i.id = n.invoice_id
     WHERE n.organization_id = $1 AND n.locale IS DISTINCT FROM i.locale`,
  ),
  rule(
    "credit_note_numbers",
    "A Customer's credit notes are not numbered from 1 without gaps (rule I3).",
    `SELECT c.id AS customer, c.credit_note_sequence AS counted, n.notes, n.lowest, n.highest
     FROM customers c LEFT JOIN (
       SELECT customer_id, count(*) AS notes, count(DISTINCT ${SEQUENCE}) AS different, min(${SEQUENCE}) AS lowest,
         max(${SEQUENCE}) AS highest
       FROM credit_notes WHERE organization_id = $1 GROUP BY customer_id
     ) n ON n.customer_id = c.id
     WHERE c.organization_id = $1 AND (c.credit_note_sequence > 0 OR n.notes > 0)
       AND (n.notes, n.different, n.lowest, n.highest)
         IS DISTINCT FROM (c.credit_note_sequence, c.credit_note_sequence, 1, c.credit_note_sequence)`,
  ),
];
