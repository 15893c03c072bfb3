-- The rows of before in the columns and tables of 0118, in a file that locks no table.

-- Until now a price of a Subscription's own was not marked. A Subscription without a Checkout that pays another price than the
-- catalogue's counts as such, so that no round moves it by mistake. The values are joined as texts: a distributed table takes no
-- json_build_object with a column.
UPDATE subscriptions s
SET own_price = ('{"productId": "' || s.product_id || '", "unitAmount": ' || (s.amount / s.quantity)::text || '}')::json
FROM products p
WHERE p.organization_id = s.organization_id AND p.id = s.product_id AND s.checkout_id IS NULL AND s.status <> 'canceled'
  AND NOT p.prices::jsonb
    @> ('[{"currency": "' || s.currency || '", "amount": ' || (s.amount / s.quantity)::text || '}]')::jsonb;

-- The prices until now follow from the events of the Products. Each run of events with one price is one version.
INSERT INTO product_prices (organization_id, product_id, currency, valid_from, valid_until, amount)
WITH told AS (
  SELECT e.organization_id, e.resource_id AS product_id, e.created_at, e.data,
    row_number() OVER (PARTITION BY e.organization_id, e.resource_id ORDER BY e.sequence) AS n
  FROM products p JOIN events e ON e.organization_id = p.organization_id AND e.resource_id = p.id
  WHERE e.type IN ('product.created', 'product.updated')
), listed AS (
  SELECT t.organization_id, t.product_id, t.created_at, t.n, price->>'currency' AS currency,
    (price->>'amount')::bigint AS amount
  FROM told t CROSS JOIN LATERAL json_array_elements(t.data->'prices') AS price
), runs AS (
  SELECT l.*, l.n - row_number() OVER (PARTITION BY l.organization_id, l.product_id, l.currency, l.amount
    ORDER BY l.n) AS run
  FROM listed l
), versions AS (
  SELECT organization_id, product_id, currency, amount, min(created_at) AS valid_from, max(n) AS last
  FROM runs GROUP BY organization_id, product_id, currency, amount, run
)
SELECT v.organization_id, v.product_id, v.currency, v.valid_from, t.created_at, v.amount
FROM versions v
LEFT JOIN told t ON t.organization_id = v.organization_id AND t.product_id = v.product_id AND t.n = v.last + 1
WHERE t.created_at IS NULL OR t.created_at > v.valid_from;
-- The events of an old Product may be deleted because of their age. Its price is known since its last change.
INSERT INTO product_prices (organization_id, product_id, currency, valid_from, amount)
SELECT p.organization_id, p.id, price->>'currency', p.updated_at, (price->>'amount')::bigint
FROM products p CROSS JOIN LATERAL json_array_elements(p.prices) AS price
ON CONFLICT DO NOTHING;
