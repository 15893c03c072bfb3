import { rule, type Rule } from "./rule.ts";

const HELD = `SELECT id, customer_id, imported FROM subscriptions
       WHERE organization_id = $1 AND status <> 'canceled' AND imported->>'isHeld' = 'true'`;

/** Rules of imports: each Subscription against the row of its import. */
export const IMPORT_RULES: readonly Rule[] = [
  rule(
    "import_held",
    "A Subscription is held though its import is not, or the other way round (rule V5).",
    `SELECT coalesce(s.id, i.subscription_id) AS subscription, i.source, i.account, i.ref AS reference, i.state
     FROM (SELECT * FROM imports WHERE organization_id = $1 AND state IN ('imported', 'stopping')) i
     FULL JOIN (${HELD}) s ON s.id = i.subscription_id
     WHERE s.id IS NULL OR i.ref IS NULL`,
  ),
  rule(
    "import_origin",
    "A Subscription names another origin or another Customer than the row of its import (rule V5).",
    `SELECT i.subscription_id AS subscription, i.customer_id AS customer, i.source, i.ref AS reference, s.imported
     FROM imports i LEFT JOIN subscriptions s ON s.organization_id = $1 AND s.id = i.subscription_id
     WHERE i.organization_id = $1 AND i.subscription_id IS NOT NULL AND (s.id IS NULL
       OR s.customer_id IS DISTINCT FROM i.customer_id
       OR (s.imported->>'source', s.imported->>'ref') IS DISTINCT FROM (i.source, i.ref))`,
  ),
  rule(
    "import_billed",
    "A held Subscription has an invoice, so that two systems bill it (rule V1).",
    `SELECT s.id AS subscription, s.customer_id AS customer, v.id AS invoice
     FROM (${HELD}) s JOIN invoices v ON v.organization_id = $1 AND v.subscription_id = s.id
     WHERE v.status <> 'void'`,
  ),
];
