import { rule, type Rule } from "./rule.ts";

/** Rule B1. While a round goes through the sources of an edited Product, the sources may still have the old grants. */
export const GRANT_RULES: readonly Rule[] = [
  rule(
    "grants_of_subscription",
    "The grants of a Subscription differ from the Benefits of its Product (rule B1).",
    `SELECT coalesce(entitled.subscription, granted.subscription) AS subscription,
       coalesce(entitled.benefit, granted.benefit) AS benefit, entitled.benefit IS NOT NULL AS entitled,
       granted.id AS "grant"
     FROM (
       SELECT s.id AS subscription, unnest(p.benefit_ids) AS benefit
       FROM subscriptions s JOIN products p ON p.organization_id = s.organization_id AND p.id = s.product_id
       WHERE s.organization_id = $1 AND s.status <> 'canceled' AND NOT s.grants_suspended AND p.sync_at IS NULL
     ) AS entitled
     FULL JOIN (
       SELECT g.id, g.subscription_id AS subscription, g.benefit_id AS benefit
       FROM benefit_grants g
       JOIN subscriptions s ON s.organization_id = g.organization_id AND s.id = g.subscription_id
       JOIN products p ON p.organization_id = s.organization_id AND p.id = s.product_id
       WHERE g.organization_id = $1 AND g.status = 'active' AND (p.sync_at IS NULL OR s.status = 'canceled'
       OR s.grants_suspended)
     ) AS granted ON granted.subscription = entitled.subscription AND granted.benefit = entitled.benefit
     WHERE entitled.benefit IS NULL OR granted.benefit IS NULL`,
  ),
  rule(
    "grants_of_purchase",
    "A one-time purchase lacks a Benefit of its Product (rule B1).",
    `SELECT purchase.invoice, purchase.benefit, g.id AS "grant"
     FROM (
       SELECT i.id AS invoice, unnest(p.benefit_ids) AS benefit
       FROM invoice_lines l
       JOIN invoices i ON i.organization_id = l.organization_id AND i.id = l.invoice_id AND i.status = 'paid'
       JOIN customers c ON c.organization_id = i.organization_id AND c.id = i.customer_id AND c.deleted_at IS NULL
       JOIN products p ON p.organization_id = l.organization_id AND p.id = l.product_id AND p.sync_at IS NULL
       WHERE l.organization_id = $1 AND l.subscription_id IS NULL
     ) AS purchase
     LEFT JOIN benefit_grants g ON g.organization_id = $1 AND g.invoice_id = purchase.invoice
     AND g.benefit_id = purchase.benefit
     WHERE g.status IS DISTINCT FROM 'active' AND NOT EXISTS (
       SELECT 1 FROM refunds f
       WHERE f.organization_id = $1 AND f.invoice_id = purchase.invoice
       AND (f.status = 'succeeded' OR f.failed_late) AND f.revoke_grants)`,
  ),
  rule(
    "grants_refunded",
    "A Benefit that a refund took from a one-time purchase is still granted (rule I3).",
    `SELECT g.id AS "grant", g.benefit_id AS benefit, f.id AS refund, f.invoice_id AS invoice
     FROM refunds f JOIN benefit_grants g ON g.organization_id = f.organization_id AND g.invoice_id = f.invoice_id
     WHERE f.organization_id = $1 AND (f.status = 'succeeded' OR f.failed_late) AND f.revoke_grants
       AND g.status = 'active'`,
  ),
  rule(
    "grants_owner",
    "A grant belongs to another Customer than the purchase it was granted for (rule B2).",
    `SELECT g.id AS "grant", g.customer_id AS customer, coalesce(g.subscription_id, g.invoice_id) AS source,
       coalesce(s.customer_id, i.customer_id) AS "sourceCustomer"
     FROM benefit_grants g
     LEFT JOIN subscriptions s ON s.organization_id = g.organization_id AND s.id = g.subscription_id
     LEFT JOIN invoices i ON i.organization_id = g.organization_id AND i.id = g.invoice_id
     WHERE g.organization_id = $1 AND g.customer_id <> coalesce(s.customer_id, i.customer_id)`,
  ),
  rule(
    "grants_quantity",
    "A grant shows another quantity than its Subscription or purchase has (rule B5).",
    `SELECT g.id AS "grant", g.quantity, coalesce(s.quantity, bought.quantity) AS sold
     FROM benefit_grants g
     LEFT JOIN subscriptions s ON s.organization_id = g.organization_id AND s.id = g.subscription_id
     LEFT JOIN (
       SELECT invoice_id, coalesce(max((basis->>'quantity')::integer), 1) AS quantity
       FROM invoice_lines WHERE organization_id = $1 AND subscription_id IS NULL GROUP BY invoice_id
     ) bought ON bought.invoice_id = g.invoice_id
     WHERE g.organization_id = $1 AND g.status = 'active' AND g.quantity <> coalesce(s.quantity, bought.quantity)`,
  ),
  rule(
    "grants_told",
    "A grant shows another version of its Benefit than it reported (rule B1).",
    `SELECT g.id AS "grant", g.benefit_id AS benefit, g.benefit_version AS "benefitVersion",
      b.shown_version AS "shownVersion"
     FROM benefit_grants g JOIN benefits b ON b.organization_id = g.organization_id AND b.id = g.benefit_id
     WHERE g.organization_id = $1 AND g.status = 'active' AND b.sync_at IS NULL
     AND g.benefit_version < b.shown_version`,
  ),
  rule(
    "grants_activations",
    "A license key is not used as often as it has activations (rule B4).",
    `SELECT g.id AS "grant", g.activations, coalesce(a.devices, 0) AS devices
     FROM benefit_grants g LEFT JOIN (
       SELECT grant_id, count(*) AS devices FROM license_activations WHERE organization_id = $1 GROUP BY grant_id
     ) a ON a.grant_id = g.id
     WHERE g.organization_id = $1 AND g.activations <> coalesce(a.devices, 0)`,
  ),
];
