-- Customers that are deleted (rule I5): their row stays for what refers to it, and says nothing of who they were.

ALTER TABLE customers ADD COLUMN deleted_at timestamptz;
ALTER TABLE customers ADD CONSTRAINT customers_blank CHECK (deleted_at IS NULL OR (
  email = '' AND email_key = '' AND name IS NULL AND external_id IS NULL AND billing_address IS NULL AND tax_id IS NULL
  AND metadata::text = '{}' AND default_payment_method_id IS NULL));

-- All that have no e-mail any more would be the same one.
DROP INDEX customers_email;
CREATE UNIQUE INDEX customers_email ON customers (organization_id, email_key) WHERE external_id IS NULL AND deleted_at IS NULL;

-- Counted where invoices are numbered, and nowhere else.
ALTER TABLE customers ALTER COLUMN invoice_sequence SET DEFAULT 0;

-- The operator's own words.
ALTER TABLE balance_entries ADD COLUMN note text;
