import { rule, utc, type Rule } from "./rule.ts";

const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** Rules of new prices: each round against its Subscriptions, and the catalogue against its versions. */
export const PRICE_CHANGE_RULES: readonly Rule[] = [
  rule(
    "price_change_waits",
    "A new price waits on a Subscription but not in its price change, or the other way round (rules N4, N9).",
    `SELECT coalesce(s.id, r.subscription_id) AS subscription, r.price_change_id AS "priceChange",
       s.price_change AS waits, r.unit_amount AS "unitAmount", ${utc("r.effective_at")} AS "effectiveAt"
     FROM (SELECT * FROM price_change_subscriptions WHERE organization_id = $1 AND status = 'scheduled') r
     FULL JOIN (SELECT id, price_change, price_change->>'priceChangeId' AS price_change_id FROM subscriptions
       WHERE organization_id = $1 AND price_change IS NOT NULL) s
       ON s.id = r.subscription_id AND s.price_change_id = r.price_change_id
     WHERE s.id IS NULL OR r.subscription_id IS NULL OR (s.price_change->>'unitAmount')::bigint <> r.unit_amount
       OR (s.price_change->>'effectiveAt')::bigint <> ${milliseconds("r.effective_at")}
       OR (s.price_change->>'consentedAt')::bigint IS DISTINCT FROM ${milliseconds("r.consented_at")}`,
  ),
  rule(
    "price_change_applied",
    "The first period at a new price was billed at another one, or begins too early (rule N5).",
    `SELECT r.subscription_id AS subscription, r.price_change_id AS "priceChange", r.unit_amount AS "unitAmount",
       ${utc("r.effective_at")} AS "effectiveAt", ${utc("r.settled_at")} AS "settledAt", l.id AS line
     FROM price_change_subscriptions r
     LEFT JOIN invoices i ON i.organization_id = $1 AND i.subscription_id = r.subscription_id
       AND i.period_start = r.settled_at AND i.reason = 'renewal'
     LEFT JOIN invoice_lines l ON l.organization_id = $1 AND l.invoice_id = i.id AND l.basis->>'kind' = 'period'
     WHERE r.organization_id = $1 AND r.status = 'applied' AND (r.settled_at < r.effective_at
       OR i.id IS NULL
       OR (l.basis->>'price')::bigint <> r.unit_amount * coalesce((l.basis->>'quantity')::bigint, 1))`,
  ),
  rule(
    "price_change_ended",
    "A Subscription ended for want of consent, but not so in its price change, or the other way round (rule N6).",
    `SELECT coalesce(s.id, r.subscription_id) AS subscription, r.price_change_id AS "priceChange", r.reason
     FROM (SELECT * FROM price_change_subscriptions WHERE organization_id = $1 AND status = 'ended'
       AND reason = 'price_not_accepted') r
     FULL JOIN (SELECT id FROM subscriptions
       WHERE organization_id = $1 AND cancellation_reason = 'price_not_accepted') s ON s.id = r.subscription_id
     WHERE s.id IS NULL OR r.subscription_id IS NULL`,
  ),
  rule(
    "product_prices",
    "The prices of a Product are not the last ones of its versions (rule N10).",
    `SELECT coalesce(p.id, v.product_id) AS product, coalesce(p.currency, v.currency) AS currency, p.amount,
       v.amount AS version
     FROM (SELECT id, price->>'currency' AS currency, (price->>'amount')::bigint AS amount
       FROM (SELECT id, json_array_elements(prices) AS price FROM products WHERE organization_id = $1) each_price) p
     FULL JOIN (SELECT product_id, currency, amount FROM product_prices
       WHERE organization_id = $1 AND valid_until IS NULL) v ON v.product_id = p.id AND v.currency = p.currency
     WHERE p.amount IS DISTINCT FROM v.amount`,
  ),
];
