import { rule, type Rule } from "./rule.ts";

/** Rule D5: charges that banks take back. */
export const DISPUTE_RULES: readonly Rule[] = [
  rule(
    "dispute_source",
    "A dispute is not of a charge that was made, or of another Customer, currency or invoice than that (rule D5).",
    `SELECT d.id AS dispute, p.id AS payment, p.status, p.customer_id AS customer, p.invoice_id AS invoice
     FROM disputes d JOIN payments p ON (p.organization_id, p.id) = (d.organization_id, d.payment_id)
     WHERE d.organization_id = $1 AND (p.kind, p.status) <> ('charge', 'succeeded')
       OR d.organization_id = $1 AND (p.customer_id, p.currency, p.invoice_id) IS DISTINCT FROM (d.customer_id, d.currency, d.invoice_id)`,
  ),
  rule(
    "dispute_amounts",
    "More of a charge went back than was taken: by refunds to the card and by its bank (rules D5, I3).",
    `SELECT p.id AS payment, p.amount AS captured, coalesce(f.amount, 0) AS refunded, d.amount AS disputed
     FROM (
       SELECT payment_id, sum(amount) AS amount FROM disputes WHERE organization_id = $1 AND status <> 'won' GROUP BY 1
     ) d
     JOIN payments p ON p.organization_id = $1 AND p.id = d.payment_id
     LEFT JOIN (
       SELECT payment_id, sum(amount) AS amount FROM refunds WHERE organization_id = $1 AND status <> 'failed' GROUP BY 1
     ) f ON f.payment_id = p.id
     WHERE d.amount + coalesce(f.amount, 0) > p.amount`,
  ),
];
