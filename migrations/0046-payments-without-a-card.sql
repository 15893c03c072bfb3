-- A provider may take the money of a payment on its page and name no card, as with a wallet that hides the card.
ALTER TABLE payments
  DROP CONSTRAINT payments_paid_by,
  ADD CONSTRAINT payments_paid_by
    CHECK (status <> 'succeeded' OR payment_method_id IS NOT NULL OR purpose IN ('checkout', 'page'));
