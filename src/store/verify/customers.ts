import { rule, type Rule } from "./rule.ts";

const OF_CUSTOMER = "WHERE r.organization_id = $1 AND r.customer_id = c.id";

export const CUSTOMER_RULES: readonly Rule[] = [
  rule(
    "customer_deleted",
    "Something of a deleted Customer goes on (rule I5).",
    `SELECT c.id AS customer, left_over.kind, left_over.id AS "leftOver"
     FROM customers c CROSS JOIN LATERAL (
       SELECT 'subscription' AS kind, r.id FROM subscriptions r ${OF_CUSTOMER} AND r.status <> 'canceled'
       UNION ALL SELECT 'invoice', r.id FROM invoices r ${OF_CUSTOMER} AND r.status = 'open'
       UNION ALL SELECT 'checkout', r.id FROM checkouts r ${OF_CUSTOMER} AND r.status IN ('open', 'processing')
       UNION ALL SELECT 'grant', r.id FROM benefit_grants r ${OF_CUSTOMER} AND r.status = 'active'
       UNION ALL SELECT 'balance', r.currency FROM balances r ${OF_CUSTOMER} AND r.amount <> 0
     ) AS left_over
     WHERE c.organization_id = $1 AND c.deleted_at IS NOT NULL`,
  ),
];
