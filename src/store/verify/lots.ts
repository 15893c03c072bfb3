import { totalOf } from "../credits.ts";
import { rule, type Rule } from "./rule.ts";

/** The sum of an expression over the `amount` of each source of the balance of an invoice `i`. */
const ofSources = (expression: string) => `(SELECT coalesce(sum(${expression}), 0) FROM (
           SELECT (part ->> 'amount')::bigint AS amount FROM json_array_elements(i.balance_sources) AS part) AS parts)`;

/** Rules I6 and I7: credit that knows its source. */
export const LOT_RULES: readonly Rule[] = [
  rule(
    "lots_of_balance",
    "A balance is not the sum of its lots less its debts (rule I6).",
    `SELECT customer_id AS customer, currency, b.amount AS balance, e.amount AS lots
     FROM (SELECT customer_id, currency, amount FROM balances WHERE organization_id = $1) b
     FULL JOIN (
       SELECT customer_id, currency, sum(remaining) AS amount FROM balance_entries WHERE organization_id = $1
       GROUP BY 1, 2
     ) e USING (customer_id, currency)
     WHERE b.amount IS DISTINCT FROM e.amount`,
  ),
  rule(
    "lot_source",
    "A lot does not fit its payment or its billed line: no money taken, or another Customer (rule I6).",
    `SELECT e.id AS entry, p.id AS payment, p.status, l.id AS line
     FROM balance_entries e
     LEFT JOIN payments p ON p.organization_id = e.organization_id AND p.id = e.payment_id
     LEFT JOIN invoice_lines l ON l.organization_id = e.organization_id AND l.id = e.credited_line_id
     LEFT JOIN invoices i ON i.organization_id = l.organization_id AND i.id = l.invoice_id
     WHERE e.organization_id = $1 AND (
       (e.payment_id IS NOT NULL AND (p.customer_id, p.currency, p.status)
         IS DISTINCT FROM (e.customer_id, e.currency, 'succeeded'))
       OR (e.credited_line_id IS NOT NULL AND i.customer_id IS DISTINCT FROM e.customer_id))`,
  ),
  // A refund that was made at the provider can also use other credit, or leave a debt (rule I9). That part does not
  // count: credit of the payment can still come back from an invoice that used it.
  rule(
    "given_back_of_payment",
    "More of a payment came back than was taken: refunds to the card, payouts, disputes and live credit (rule I6h).",
    `SELECT p.id AS payment, p.amount AS captured, coalesce(f.amount, 0) AS refunded, coalesce(d.amount, 0) AS disputed,
       coalesce(c.amount, 0) AS credit
     FROM payments p
     LEFT JOIN (
       SELECT r.payment_id,
         sum(r.amount - CASE r.origin WHEN 'provider' THEN r.from_balance - (
           SELECT coalesce(sum((part ->> 'amount')::bigint), 0) FROM json_array_elements(r.taken) AS part
           WHERE part ->> 'paymentId' = r.payment_id
         ) ELSE 0 END) AS amount
       FROM refunds r
       WHERE r.organization_id = $1 AND r.status <> 'failed' GROUP BY 1
     ) f ON f.payment_id = p.id
     LEFT JOIN (
       SELECT payment_id, sum(amount) AS amount FROM disputes
       WHERE organization_id = $1 AND status IN ('open', 'lost') GROUP BY 1
     ) d ON d.payment_id = p.id
     LEFT JOIN (
       SELECT payment_id, sum(remaining) AS amount FROM balance_entries WHERE organization_id = $1 AND remaining > 0
       GROUP BY 1
     ) c ON c.payment_id = p.id AND d.payment_id IS NULL
     WHERE p.organization_id = $1 AND coalesce(f.amount, 0) + coalesce(d.amount, 0) + coalesce(c.amount, 0) > p.amount
       AND p.purpose <> 'setup' AND p.status = 'succeeded'`,
  ),
  rule(
    "line_sources",
    "A credit of an invoice has more sources than it comes to, or a line without credit has sources (rule I6).",
    `SELECT line, total, sources FROM (
       SELECT c.id AS line, ${totalOf("c")} AS total, (
         SELECT coalesce(sum((part ->> 'amount')::bigint), 0) FROM json_array_elements(c.sources) AS part) AS sources
       FROM invoice_lines c WHERE c.organization_id = $1 AND c.sources IS NOT NULL
     ) s WHERE sources > -total`,
  ),
  rule(
    "balance_sources",
    "The lots of an invoice differ from the part that its balance settled (rule I6).",
    `SELECT invoice, applied, used, given FROM (
       SELECT i.id AS invoice, i.balance_applied AS applied, ${ofSources("greatest(amount, 0)")} AS used,
         ${ofSources("greatest(-amount, 0)")} AS given
       FROM invoices i WHERE i.organization_id = $1 AND i.balance_sources IS NOT NULL
     ) s WHERE used > greatest(applied, 0) + given`,
  ),
];
