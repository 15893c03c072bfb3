import { rule, type Rule } from "./rule.ts";

// Payments with the fingerprints of their cards. Cards are recognized by fingerprint; the fingerprint is empty for a
// deleted Customer.
const CARD = `SELECT p.*, m.fingerprint
       FROM payments p JOIN payment_methods m ON (m.organization_id, m.id) = (p.organization_id, p.payment_method_id)
       WHERE p.organization_id = $1`;

/** Rules D5 and D6: charges that banks take back, and their cards. */
export const DISPUTE_RULES: readonly Rule[] = [
  rule(
    "dispute_source",
    "A dispute is not of a charge that was made, or of another Customer, currency or invoice than that (rule D5).",
    `SELECT d.id AS dispute, p.id AS payment, p.status, p.customer_id AS customer, p.invoice_id AS invoice
     FROM disputes d JOIN payments p ON (p.organization_id, p.id) = (d.organization_id, d.payment_id)
     WHERE d.organization_id = $1 AND (p.purpose = 'setup' OR p.status <> 'succeeded'
       OR (p.customer_id, p.currency, p.invoice_id) IS DISTINCT FROM (d.customer_id, d.currency, d.invoice_id))`,
  ),
  rule(
    "dispute_amounts",
    "More of a charge went back than was taken: by refunds to the card and by its bank (rules D5, I3).",
    `SELECT p.id AS payment, p.amount AS captured, coalesce(f.amount, 0) AS refunded, d.amount AS disputed
     FROM (
       SELECT payment_id, sum(amount) AS amount FROM disputes
       WHERE organization_id = $1 AND status IN ('open', 'lost') GROUP BY 1
     ) d
     JOIN payments p ON p.organization_id = $1 AND p.id = d.payment_id
     LEFT JOIN (
       SELECT payment_id, sum(amount) AS amount FROM refunds WHERE organization_id = $1 AND status <> 'failed'
       GROUP BY 1
     ) f ON f.payment_id = p.id
     WHERE d.amount + coalesce(f.amount, 0) > p.amount`,
  ),
  rule(
    "disputed_card_charged",
    "A card was charged off-session while a dispute held it back (rule D6).",
    `SELECT c.id AS payment, d.id AS dispute, d.status
     FROM disputes d
     JOIN (${CARD}) p ON (p.organization_id, p.id) = (d.organization_id, d.payment_id)
     JOIN (${CARD}) c ON (c.organization_id, c.customer_id, c.fingerprint) = (d.organization_id, d.customer_id,
     p.fingerprint)
     WHERE d.organization_id = $1 AND p.fingerprint <> '' AND c.status = 'succeeded'
       AND c.purpose NOT IN ('checkout', 'setup', 'page') AND c.created_at > d.created_at
       AND d.status IN ('open', 'lost', 'won')
       AND (d.status <> 'won' OR d.closed_at > c.created_at) AND (d.card_cleared_at IS NULL
       OR d.card_cleared_at > c.created_at)`,
  ),
  rule(
    "disputed_card_grounds",
    "A card was held back without a dispute, or was released although the buyer did not pay with it (rule D6).",
    `SELECT c.id AS payment, NULL AS dispute FROM (${CARD}) c
     WHERE c.organization_id = $1 AND c.failure_code = 'card_disputed' AND NOT EXISTS (
       SELECT 1 FROM disputes d JOIN (${CARD}) p ON (p.organization_id, p.id) = (d.organization_id, d.payment_id)
       WHERE (d.organization_id, d.customer_id, p.fingerprint) = ($1, c.customer_id, c.fingerprint)
         AND d.created_at <= c.created_at)
     UNION ALL SELECT NULL, d.id FROM disputes d JOIN (${CARD}) p
     ON (p.organization_id, p.id) = (d.organization_id, d.payment_id)
     WHERE d.organization_id = $1 AND d.card_cleared_at IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM (${CARD}) c
       WHERE (c.organization_id, c.customer_id, c.fingerprint) = ($1, d.customer_id, p.fingerprint)
         AND c.purpose <> 'setup' AND c.status = 'succeeded' AND d.card_cleared_at IN (c.settled_at, c.created_at))`,
  ),
];
