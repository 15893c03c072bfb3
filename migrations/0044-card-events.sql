-- Cards on file have events: the bank or the provider changes a card, or ends the card (rule D10).
ALTER TABLE payment_methods
  -- The instant of the event `payment_method.detached`. Null for cards that ended before cards had events.
  ADD COLUMN detached_at timestamptz,
  -- Real time just before the provider's answer that the row shows; null: the row shows the card as the buyer gave it.
  ADD COLUMN provider_read_at timestamptz,
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN event_sequence integer NOT NULL DEFAULT 0,
  ADD COLUMN updated_at timestamptz,
  ADD CONSTRAINT payment_methods_detached CHECK (detached_at IS NULL OR dead);
UPDATE payment_methods SET updated_at = created_at;
ALTER TABLE payment_methods
  ALTER COLUMN version DROP DEFAULT,
  ALTER COLUMN event_sequence DROP DEFAULT,
  ALTER COLUMN updated_at SET NOT NULL;
