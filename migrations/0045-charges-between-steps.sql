-- A card is charged in multiples of the provider's step, and the rest of a total moves to the balance as a debt
-- (rule M5). So a Checkout that does not use the balance can have a settlement, too.
ALTER TABLE checkouts DROP CONSTRAINT checkouts_settlement;
ALTER TABLE checkouts ADD CONSTRAINT checkouts_settlement
  CHECK (settlement IS NULL OR status IN ('processing', 'completed'));
