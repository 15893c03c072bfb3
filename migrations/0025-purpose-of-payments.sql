-- A payment says what it is for. Until now that was guessed from `kind`, `trigger`, `in_presence` and from the ids that were null.

-- Of most payments: so the fewest rows are written again.
ALTER TABLE payments ADD COLUMN purpose text NOT NULL DEFAULT 'renewal';
UPDATE payments SET purpose = CASE
  WHEN kind = 'setup' THEN 'setup'
  WHEN checkout_id IS NOT NULL THEN 'checkout'
  WHEN change_id IS NOT NULL THEN 'change'
  WHEN in_presence THEN 'page'
  WHEN trigger = 'product_change' THEN 'last_invoice'
  WHEN trigger = 'manual' THEN 'hand'
  ELSE trigger
END
WHERE kind = 'setup' OR checkout_id IS NOT NULL OR change_id IS NOT NULL OR trigger <> 'renewal';
ALTER TABLE payments ALTER COLUMN purpose DROP DEFAULT;

-- With the columns go their checks. `change_id` was the source of a change, and null of all else.
ALTER TABLE payments DROP COLUMN kind, DROP COLUMN trigger, DROP COLUMN in_presence, DROP COLUMN change_id;

ALTER TABLE payments
  ADD CONSTRAINT payments_amount CHECK (purpose = 'setup' OR amount > 0),
  ADD CONSTRAINT payments_request CHECK (request IS NULL OR purpose = 'hand'),
  ADD CONSTRAINT payments_purpose CHECK (CASE
    WHEN purpose IN ('checkout', 'setup') THEN checkout_id IS NOT DISTINCT FROM source_id
    WHEN purpose = 'change' THEN checkout_id IS NULL AND subscription_id IS NOT NULL
    WHEN purpose IN ('renewal', 'retry', 'new_card', 'page', 'hand', 'last_invoice')
      THEN checkout_id IS NULL AND invoice_id IS NOT DISTINCT FROM source_id AND subscription_id IS NOT NULL
    ELSE false
  END);
