-- The quantity of the Subscription or of the purchase that a grant belongs to (rule B5). The constant default rewrites
-- no row.
ALTER TABLE benefit_grants
  ADD COLUMN quantity integer NOT NULL DEFAULT 1;
ALTER TABLE benefit_grants
  ADD CONSTRAINT benefit_grants_quantity CHECK (quantity BETWEEN 1 AND 100000) NOT VALID;
