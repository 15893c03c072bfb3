import { rule, utc, type Rule } from "./rule.ts";

// The sequence number at the end of an invoice's number, or null.
const SEQUENCE = `substring(i.number FROM '-([0-9]{1,9})$')::integer`;

export const INVOICE_RULES: readonly Rule[] = [
  rule(
    "invoice_totals",
    "An invoice's totals are not the sums of its lines (rule M2).",
    `SELECT i.id AS invoice, i.subtotal_amount AS subtotal, l.subtotal AS "linesSubtotal",
      i.discount_amount AS discount, l.discount AS "linesDiscount", i.tax_amount AS tax, l.tax AS "linesTax",
      i.tax_included_amount AS "taxIncluded", l.included AS "linesTaxIncluded"
     FROM invoices i LEFT JOIN (
       SELECT invoice_id, sum(amount) AS subtotal, sum(discount_amount) AS discount, sum(tax_amount) AS tax,
         sum(CASE WHEN tax->>'inclusive' = 'true' THEN tax_amount ELSE 0 END) AS included
       FROM invoice_lines WHERE organization_id = $1 AND invoice_id IS NOT NULL GROUP BY invoice_id
     ) l ON l.invoice_id = i.id
     WHERE i.organization_id = $1 AND (i.subtotal_amount, i.discount_amount, i.tax_amount, i.tax_included_amount)
       IS DISTINCT FROM (l.subtotal, l.discount, l.tax, l.included)`,
  ),
  rule(
    "invoice_numbers",
    "A Customer's invoices are not numbered from 1 without gaps (rule I1).",
    `SELECT c.id AS customer, c.invoice_sequence AS counted, i.invoices, i.lowest, i.highest
     FROM customers c LEFT JOIN (
       SELECT i.customer_id, count(*) AS invoices, count(DISTINCT ${SEQUENCE}) AS different, min(${SEQUENCE}) AS lowest,
         max(${SEQUENCE}) AS highest
       FROM invoices i WHERE i.organization_id = $1 GROUP BY i.customer_id
     ) i ON i.customer_id = c.id
     WHERE c.organization_id = $1 AND (c.invoice_sequence > 0 OR i.invoices > 0)
       AND (i.invoices, i.different, i.lowest, i.highest) IS DISTINCT FROM (c.invoice_sequence, c.invoice_sequence, 1,
       c.invoice_sequence)`,
  ),
  rule(
    "invoice_owner",
    "An invoice is another Customer's than its Subscription, or in another currency (rule M3).",
    `SELECT i.id AS invoice, i.customer_id AS customer, i.currency, s.id AS subscription,
      s.customer_id AS "subscriptionCustomer", s.currency AS "subscriptionCurrency"
     FROM invoices i JOIN subscriptions s ON s.organization_id = i.organization_id AND s.id = i.subscription_id
     WHERE i.organization_id = $1 AND (i.customer_id, i.currency) <> (s.customer_id, s.currency)`,
  ),
  rule(
    "invoice_balance",
    "The balance gave an invoice, or got back when it was void, another amount than the invoice says (rules M4, S5).",
    `SELECT i.id AS invoice, i.status, i.balance_applied AS "balanceApplied", coalesce(e.taken, 0) AS taken,
       coalesce(e.returned, 0) AS returned
     FROM invoices i LEFT JOIN (
       SELECT invoice_id, -sum(amount) FILTER (WHERE reason = 'invoice') AS taken,
         sum(amount) FILTER (WHERE reason = 'invoice_voided') AS returned
       FROM balance_entries WHERE organization_id = $1 AND invoice_id IS NOT NULL GROUP BY invoice_id
     ) e ON e.invoice_id = i.id
     WHERE i.organization_id = $1 AND (coalesce(e.taken, 0), coalesce(e.returned, 0))
       <> (i.balance_applied, CASE i.status WHEN 'void' THEN i.balance_applied ELSE 0 END)`,
  ),
  rule(
    "invoice_purchase",
    "The balance settled another part of a purchase than its Checkout fixed, or paid for a buyer that the caller did " +
      "not name, or collected a debt, or left less than the minimum charge (rules C7, M5).",
    `SELECT i.id AS invoice, c.id AS checkout, c.uses_balance AS "usesBalance", i.balance_applied AS "balanceApplied",
       i.amount_due AS due, (c.settlement->>'balanceApplied')::bigint AS fixed
     FROM invoices i JOIN checkouts c ON c.organization_id = i.organization_id AND c.id = i.checkout_id
     WHERE i.organization_id = $1 AND i.reason = 'checkout' AND (
       i.balance_applied <> coalesce((c.settlement->>'balanceApplied')::bigint, 0)
       OR (i.balance_applied <> 0 AND (i.balance_applied < 0
         OR (NOT c.uses_balance AND i.balance_applied >= coalesce((i.balance_basis->>'step')::bigint, 1))
         OR (i.amount_due > 0 AND i.amount_due < (i.balance_basis->>'minimum')::bigint))))`,
  ),
  rule(
    "invoice_units",
    "A Checkout sold another quantity than its invoice bills, or a total that is no whole price times the quantity " +
      "(rules Q4, Q5).",
    `SELECT c.id AS checkout, NULL AS invoice, c.quantity, c.amount, NULL AS billed FROM checkouts c
     WHERE c.organization_id = $1 AND (c.quantity NOT BETWEEN 1 AND 100000 OR c.amount % NULLIF(c.quantity, 0) <> 0)
     UNION ALL
     SELECT c.id, i.id, c.quantity, c.amount, l.basis->>'quantity'
     FROM checkouts c JOIN invoices i ON i.organization_id = c.organization_id AND i.id = c.invoice_id
       JOIN invoice_lines l ON l.organization_id = i.organization_id AND l.invoice_id = i.id
     WHERE c.organization_id = $1 AND i.reason = 'checkout' AND l.basis IS NOT NULL
       AND coalesce((l.basis->>'quantity')::integer, 1) <> c.quantity`,
  ),
  rule(
    "invoice_step",
    "An amount due is no multiple of the provider's step at which the invoice was made (rule M5).",
    `SELECT i.id AS invoice, i.amount_due AS due, (i.balance_basis->>'step')::bigint AS step
     FROM invoices i
     WHERE i.organization_id = $1 AND i.amount_due % coalesce((i.balance_basis->>'step')::bigint, 1) <> 0`,
  ),
  rule(
    "invoice_uncollected",
    "An open invoice is not collected: its Subscription is not past due, it is not held, " +
      "and neither it nor one before it is being paid (rule D3).",
    `SELECT i.id AS invoice, i.amount_due AS due, s.id AS subscription, s.status
     FROM invoices i LEFT JOIN subscriptions s ON s.organization_id = i.organization_id AND s.id = i.subscription_id
     WHERE i.organization_id = $1 AND i.status = 'open' AND s.status IS DISTINCT FROM 'past_due'
       AND (i.held_reason IS NULL OR s.status = 'canceled') AND NOT EXISTS (
       SELECT 1 FROM payments p WHERE p.organization_id = $1 AND p.check_at IS NOT NULL
       AND p.purpose NOT IN ('checkout', 'setup', 'change')
         AND p.subscription_id = s.id AND (p.invoice_id = i.id OR s.status <> 'canceled'))`,
  ),
  rule(
    "invoice_next_attempt",
    "An invoice's next attempt is not its Subscription's next retry (rule D3).",
    `SELECT i.id AS invoice, i.status, ${utc("i.next_attempt_at")} AS "nextAttemptAt", s.id AS subscription,
       ${utc("s.next_retry_at")} AS "nextRetryAt"
     FROM invoices i LEFT JOIN subscriptions s ON s.organization_id = i.organization_id AND s.id = i.subscription_id
     WHERE i.organization_id = $1 AND ((i.status <> 'open' AND i.next_attempt_at IS NOT NULL)
       OR (i.status = 'open' AND i.held_reason IS NULL AND s.next_retry_at IS NOT NULL
         AND i.next_attempt_at IS DISTINCT FROM s.next_retry_at))`,
  ),
  rule(
    "invoice_held",
    "An invoice is held, but no charge of it was refused for this reason (rule D9).",
    `SELECT i.id AS invoice, i.held_reason AS reason FROM invoices i
     WHERE i.organization_id = $1 AND i.held_reason IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM payments p WHERE p.organization_id = $1 AND p.source_id = i.id AND p.status = 'failed'
         AND p.failure_code = i.held_reason)`,
  ),
];
