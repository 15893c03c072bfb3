-- The provider and its account where a card or a payment is kept. An Organization's own pair takes new payments; without
-- it a sandbox uses the built-in provider, and a live Organization takes no payments.
ALTER TABLE organizations
  ADD COLUMN provider text,
  ADD COLUMN provider_account text,
  -- How buyers of a sandbox give their card to the built-in provider.
  ADD COLUMN sandbox_entry text NOT NULL DEFAULT 'typed',
  ADD CONSTRAINT organizations_provider CHECK ((provider IS NULL) = (provider_account IS NULL)),
  ADD CONSTRAINT organizations_sandbox_entry CHECK (sandbox_entry IN ('typed', 'hosted'));
ALTER TABLE organizations ALTER COLUMN sandbox_entry DROP DEFAULT;

ALTER TABLE payment_methods ADD COLUMN provider_account text NOT NULL DEFAULT 'sandbox';
ALTER TABLE payment_methods ALTER COLUMN provider_account DROP DEFAULT;

-- A buyer who gives the card on the provider's page has no card here before the payment succeeds.
ALTER TABLE payments
  ADD COLUMN provider text NOT NULL DEFAULT 'sandbox',
  ADD COLUMN provider_account text NOT NULL DEFAULT 'sandbox',
  ALTER COLUMN payment_method_id DROP NOT NULL,
  ALTER COLUMN method DROP NOT NULL,
  ADD CONSTRAINT payments_card CHECK ((payment_method_id IS NULL) = (method IS NULL)),
  ADD CONSTRAINT payments_paid_by CHECK (status <> 'succeeded' OR payment_method_id IS NOT NULL);
ALTER TABLE payments ALTER COLUMN provider DROP DEFAULT, ALTER COLUMN provider_account DROP DEFAULT;
