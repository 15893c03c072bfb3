-- The quantity of the Subscription or of the purchase that a grant belongs to (rule B5). The constant default rewrites
-- no row.
ALTER TABLE benefit_grants
  ADD COLUMN quantity integer NOT NULL DEFAULT 1;
ALTER TABLE benefit_grants
  ADD CONSTRAINT benefit_grants_quantity CHECK (quantity BETWEEN 1 AND 100000);
UPDATE benefit_grants g SET quantity = s.quantity
FROM subscriptions s
WHERE s.organization_id = g.organization_id AND s.id = g.subscription_id AND s.quantity > 1;
