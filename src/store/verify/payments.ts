import { rule, type Rule } from "./rule.ts";

/** Rules C1, D1, P1 and S5: attempts, and the Checkouts, changes and invoices that they are for. */
export const PAYMENT_RULES: readonly Rule[] = [
  rule(
    "payment_of_invoice",
    "A paid invoice does not have exactly one payment of its amount (rule D1).",
    `SELECT i.id AS invoice, i.amount_paid AS paid, coalesce(p.payments, 0) AS payments,
      coalesce(p.amount, 0) AS captured
     FROM invoices i LEFT JOIN (
       SELECT invoice_id, count(*) AS payments, sum(amount) AS amount FROM payments
       WHERE organization_id = $1 AND purpose <> 'setup' AND status = 'succeeded' AND invoice_id IS NOT NULL
       GROUP BY invoice_id
     ) p ON p.invoice_id = i.id
     WHERE i.organization_id = $1 AND i.status = 'paid' AND NOT i.paid_outside
       AND (coalesce(p.payments, 0), coalesce(p.amount, 0)) <> (CASE i.amount_due WHEN 0 THEN 0 ELSE 1 END,
       i.amount_paid)`,
  ),
  rule(
    "payment_unapplied",
    "A payment neither paid an invoice nor went to the balance, or did both (rule S5).",
    `SELECT p.id AS payment, p.amount, i.id AS invoice, i.status, t.amount AS "toBalance"
     FROM payments p
     LEFT JOIN invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
     LEFT JOIN ledger_transfers t ON t.organization_id = p.organization_id AND t.source_id = p.id
     AND t.kind = 'unapplied_payment'
     WHERE p.organization_id = $1 AND p.purpose <> 'setup' AND p.status = 'succeeded'
       AND t.amount IS DISTINCT FROM CASE WHEN i.status = 'paid' AND NOT i.paid_outside THEN NULL ELSE p.amount END`,
  ),
  rule(
    "payment_amount",
    "An attempt is not for the amount due on its invoice, or not the invoice's Customer's (rule D1).",
    `SELECT p.id AS payment, p.amount, p.currency, p.customer_id AS customer, i.id AS invoice, i.amount_due AS due,
       i.currency AS "invoiceCurrency", i.customer_id AS "invoiceCustomer"
     FROM payments p JOIN invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
     WHERE p.organization_id = $1 AND p.purpose <> 'setup'
       AND (p.amount, p.currency, p.customer_id) <> (i.amount_due, i.currency, i.customer_id)`,
  ),
  rule(
    "payment_purpose",
    "A payment is for no Checkout, change or invoice of its purpose, or for another Customer's or Subscription's " +
      "(rule D1).",
    `SELECT p.id AS payment, p.purpose, p.source_id AS source
     FROM payments p
     LEFT JOIN checkouts c ON c.organization_id = p.organization_id AND c.id = p.source_id
     LEFT JOIN changes h ON h.organization_id = p.organization_id AND h.id = p.source_id
     LEFT JOIN invoices i ON i.organization_id = p.organization_id AND i.id = p.source_id
     WHERE p.organization_id = $1 AND CASE
       WHEN p.purpose = 'setup' AND p.checkout_id IS NULL THEN p.source_id <> p.id OR p.amount <> 0
       WHEN p.purpose IN ('checkout', 'setup') THEN c.id IS NULL OR (p.purpose = 'setup') <> (p.amount = 0)
         OR (p.status <> 'failed' AND c.customer_id IS DISTINCT FROM p.customer_id)
       WHEN p.purpose = 'change' THEN h.checkout_id IS NOT NULL
         OR (h.customer_id, h.subscription_id) IS DISTINCT FROM (p.customer_id, p.subscription_id)
       ELSE (i.customer_id, i.subscription_id) IS DISTINCT FROM (p.customer_id, p.subscription_id)
         OR (p.purpose = 'last_invoice' AND i.reason <> 'product_change')
       END`,
  ),
  rule(
    "payment_attempts",
    "A Checkout, a change or an invoice has several live or won attempts (rule D1).",
    `SELECT source_id AS source, count(*) AS attempts, min(id) AS "firstPayment", max(id) AS "lastPayment"
     FROM payments WHERE organization_id = $1 AND status <> 'failed' GROUP BY source_id HAVING count(*) > 1`,
  ),
  rule(
    "payment_keys",
    "An invoice does not count the attempts with derived keys, or such a key names another Subscription (rule D1a).",
    `SELECT i.id AS invoice, i.collections, coalesce(p.derived, 0) AS derived, p.strange AS payment
     FROM invoices i LEFT JOIN (
       SELECT source_id, count(*) AS derived,
         min(id) FILTER (WHERE NOT starts_with(provider_key, subscription_id || '_')) AS strange
       FROM payments WHERE organization_id = $1 AND provider_key <> id GROUP BY source_id
     ) p ON p.source_id = i.id
     WHERE i.organization_id = $1 AND (i.collections <> coalesce(p.derived, 0) OR p.strange IS NOT NULL)`,
  ),
  rule(
    "payment_of_checkout",
    "A Checkout is processing without a payment under way, or the other way round (rule C1).",
    `SELECT c.id AS checkout, c.status, p.id AS payment
     FROM checkouts c
     LEFT JOIN payments p ON p.organization_id = c.organization_id AND p.source_id = c.id AND p.settled_at IS NULL
     WHERE c.organization_id = $1 AND (c.status = 'processing') <> (p.id IS NOT NULL)`,
  ),
  rule(
    "payment_of_change",
    "A change waits for its payment, but the Subscription, the change and the payment do not agree on this (rule P1).",
    `SELECT coalesce(s.id, c.subscription_id) AS subscription, coalesce(s.change_id, c.id) AS change, p.id AS payment,
      p.source_id AS source
     FROM (SELECT id, change_id FROM subscriptions WHERE organization_id = $1 AND change_id IS NOT NULL) s
     FULL JOIN (
       SELECT id, subscription_id, coalesce(checkout_id, id) AS source FROM changes
       WHERE organization_id = $1 AND status = 'pending'
     ) c ON c.id = s.change_id
     FULL JOIN (
       SELECT p.id, p.source_id FROM payments p
       LEFT JOIN checkouts k ON k.organization_id = p.organization_id AND k.id = p.checkout_id
       WHERE p.organization_id = $1 AND p.check_at IS NOT NULL AND (p.purpose = 'change' OR k.change IS NOT NULL)
     ) p ON p.source_id = c.source
     WHERE s.id IS NULL OR c.id IS NULL OR p.id IS NULL OR c.subscription_id <> s.id`,
  ),
  rule(
    "checkout_purchase",
    "A completed Checkout lacks its purchase, or a Checkout that is not completed has one (rule C1).",
    `SELECT c.id AS checkout, c.status, c.subscription_id AS subscription, c.invoice_id AS invoice
     FROM checkouts c
     LEFT JOIN subscriptions s ON s.organization_id = c.organization_id AND s.id = c.subscription_id
     LEFT JOIN invoices i ON i.organization_id = c.organization_id AND i.id = c.invoice_id
     WHERE c.organization_id = $1 AND CASE WHEN c.status <> 'completed' THEN c.invoice_id IS NOT NULL
       ELSE (c."interval" IS NOT NULL AND s.customer_id IS DISTINCT FROM c.customer_id)
         OR (i.id IS NULL AND s.trial_start IS NULL AND c.change IS NULL)
         OR (i.id IS NOT NULL AND (i.customer_id <> c.customer_id
         OR (i.checkout_id IS DISTINCT FROM c.id AND c.change IS NULL))) END`,
  ),
  rule(
    "checkout_due",
    "A Checkout's due instant does not follow from its status (rule C5).",
    `SELECT id AS checkout, status, due_at AS "dueAt", expires_at AS "expiresAt" FROM checkouts
     WHERE organization_id = $1 AND ((status = 'open' AND due_at IS DISTINCT FROM expires_at)
       OR (status IN ('completed', 'expired') AND due_at IS NOT NULL))`,
  ),
];
