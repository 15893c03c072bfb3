-- The uses of Discounts that the seller gave to running Subscriptions (rule X4c). Their number is part of discounts.redemptions.
CREATE TABLE discount_gifts (
  organization_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  discount_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, subscription_id, discount_id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  FOREIGN KEY (organization_id, discount_id) REFERENCES discounts (organization_id, id)
);
CREATE INDEX discount_gifts_discount ON discount_gifts (organization_id, discount_id);

ALTER TABLE subscriptions
  -- The discount from the next period on, if it is not the held one: {discount}, which may be null (rule X4a).
  ADD COLUMN pending_discount json,
  -- The former discounts, each with the number of the last event that had it: {until, discount}. They count the MRR of earlier events.
  ADD COLUMN past_discounts json NOT NULL DEFAULT '[]';
