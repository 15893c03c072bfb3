-- The balance of a Customer that the caller named pays their Checkouts (rule C7). Checkouts from before this rule,
-- those that are being paid among them, go on without the balance.
ALTER TABLE checkouts ADD COLUMN uses_balance boolean NOT NULL DEFAULT false;
-- The part of the total that the balance settles, fixed and reserved at the submission.
ALTER TABLE checkouts ADD COLUMN settlement json;
ALTER TABLE checkouts ADD CONSTRAINT checkouts_settlement
  CHECK (settlement IS NULL OR (uses_balance AND status IN ('processing', 'completed')));
