-- eva@bücher.example and eva@xn--bcher-kva.example are one mailbox, so the key of an e-mail address has the ASCII form of
-- the domain. The step of this migration (src/store/email-keys.ts) computes the keys anew. Two Customers without an
-- externalId that got one key in this way both keep it: the later one shares the key.
ALTER TABLE customers ADD COLUMN shares_email boolean NOT NULL DEFAULT false;
DROP INDEX customers_email;
CREATE UNIQUE INDEX customers_email ON customers (organization_id, email_key)
  WHERE external_id IS NULL AND deleted_at IS NULL AND NOT shares_email;
CREATE INDEX customers_sharing ON customers (organization_id, id) WHERE shares_email AND deleted_at IS NULL;
