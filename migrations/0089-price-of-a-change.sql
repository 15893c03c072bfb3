-- A request for the present Product keeps the price as sold, unless the request asks for the catalogue's price (rules P6, P7). Until now such
-- a request moved to the catalogue's price if no change was pending. Open pages and payments under way of such requests keep their meaning.
UPDATE checkouts c SET change = (c.change::jsonb || '{"price": "catalogue"}')::json
FROM subscriptions s
WHERE c.organization_id = s.organization_id AND c.subscription_id = s.id AND c.product_id = s.product_id AND s.pending_change IS NULL
  AND c.change IS NOT NULL AND c.status IN ('open', 'processing');
UPDATE changes c SET plan = jsonb_set(c.plan::jsonb, '{asked,price}', '"catalogue"')::json
FROM subscriptions s
WHERE c.organization_id = s.organization_id AND c.subscription_id = s.id AND c.plan->'target'->>'productId' = s.product_id
  AND c.status = 'pending';
