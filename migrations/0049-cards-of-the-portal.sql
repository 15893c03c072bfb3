-- A buyer can give another card in the portal. Such an attempt to save a card is for no Checkout: its source is itself.
ALTER TABLE payments
  DROP CONSTRAINT payments_purpose,
  ADD CONSTRAINT payments_purpose CHECK (CASE
    WHEN purpose = 'setup' AND checkout_id IS NULL
      THEN source_id = id AND invoice_id IS NULL AND subscription_id IS NULL
    WHEN purpose IN ('checkout', 'setup') THEN checkout_id IS NOT DISTINCT FROM source_id
    WHEN purpose = 'change' THEN checkout_id IS NULL AND subscription_id IS NOT NULL
    WHEN purpose IN ('renewal', 'retry', 'new_card', 'page', 'hand', 'last_invoice')
      THEN checkout_id IS NULL AND invoice_id IS NOT DISTINCT FROM source_id AND subscription_id IS NOT NULL
    ELSE false
  END) NOT VALID;
