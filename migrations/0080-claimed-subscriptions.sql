-- A purchase by a typed e-mail address is unclaimed until the Customer or the seller acts on it
-- (rule C12). Purchases that named the Customer are the Customer's own from the start.
ALTER TABLE subscriptions RENAME COLUMN customer_named TO claimed;
-- An attempt to save a card in the portal may be for one Subscription alone (rule C12).
ALTER TABLE payments
  DROP CONSTRAINT payments_purpose,
  ADD CONSTRAINT payments_purpose CHECK (CASE
    WHEN purpose = 'setup' AND checkout_id IS NULL THEN source_id = id AND invoice_id IS NULL
    WHEN purpose IN ('checkout', 'setup') THEN checkout_id IS NOT DISTINCT FROM source_id
    WHEN purpose = 'change' THEN checkout_id IS NULL AND subscription_id IS NOT NULL
    WHEN purpose IN ('renewal', 'retry', 'new_card', 'page', 'hand', 'last_invoice')
      THEN checkout_id IS NULL AND invoice_id IS NOT DISTINCT FROM source_id AND subscription_id IS NOT NULL
    ELSE false
  END) NOT VALID;
