import { rule, type Rule } from "./rule.ts";

export const CUSTOMER_RULES: readonly Rule[] = [
  rule(
    "customer_deleted",
    "Records of a deleted Customer are still open (rule I5).",
    `SELECT c.id AS customer, left_over.kind, left_over.id AS "leftOver"
     FROM customers c JOIN (
       SELECT customer_id, 'subscription' AS kind, id FROM subscriptions
       WHERE organization_id = $1 AND status <> 'canceled'
       UNION ALL SELECT customer_id, 'invoice', id FROM invoices WHERE organization_id = $1 AND status = 'open'
       UNION ALL SELECT customer_id, 'checkout', id FROM checkouts
       WHERE organization_id = $1 AND status IN ('open', 'processing')
       UNION ALL SELECT customer_id, 'grant', id FROM benefit_grants WHERE organization_id = $1 AND status = 'active'
       UNION ALL SELECT customer_id, 'balance', currency FROM balances WHERE organization_id = $1 AND amount <> 0
       UNION ALL SELECT customer_id, 'email', id FROM emails
         WHERE organization_id = $1 AND (status = 'queued' OR recipient IS NOT NULL OR html IS NOT NULL)
       UNION ALL SELECT customer_id, 'portal link', '' FROM portal_links WHERE organization_id = $1
       UNION ALL SELECT customer_id, 'portal session', '' FROM portal_sessions WHERE organization_id = $1
       UNION ALL SELECT customer_id, 'change of e-mail', id FROM email_changes WHERE organization_id = $1
     ) AS left_over ON left_over.customer_id = c.id
     WHERE c.organization_id = $1 AND c.deleted_at IS NOT NULL`,
  ),
  rule(
    "email_kept",
    "An e-mail address that an undo would give back belongs to another Customer (rule I11).",
    `SELECT e.id AS change, e.customer_id AS customer, other.id AS other
     FROM email_changes e
     JOIN customers c ON c.organization_id = $1 AND c.id = e.customer_id
     JOIN customers other ON other.organization_id = $1 AND other.email_key = e.old_key
     WHERE e.organization_id = $1 AND e.status = 'changed' AND e.expires_at > now()
       AND c.external_id IS NULL AND c.deleted_at IS NULL
       AND other.external_id IS NULL AND other.deleted_at IS NULL AND other.id <> e.customer_id`,
  ),
];
