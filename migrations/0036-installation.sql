-- The database that this installation runs on, in one row. A database with another fingerprint is a copy, and a copy
-- charges, refunds and sends only after `billow adopt`.
CREATE TABLE installation (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id text COLLATE "C" NOT NULL,
  -- PostgreSQL's own identifier of the cluster; null: the role may not read the identifier.
  system_identifier text,
  database_oid text NOT NULL,
  created_at timestamptz NOT NULL,
  adopted_at timestamptz
);

-- The key of an attempt at the payment provider. Copies of a database derive the same key for the same charge.
ALTER TABLE payments ADD COLUMN provider_key text COLLATE "C";
UPDATE payments SET provider_key = id;
ALTER TABLE payments ALTER COLUMN provider_key SET NOT NULL;
CREATE UNIQUE INDEX payments_provider_key ON payments (organization_id, provider_key);

-- The number of attempts that Billow began by itself, for the keys of these attempts.
ALTER TABLE invoices ADD COLUMN collections integer NOT NULL DEFAULT 0;
ALTER TABLE invoices ALTER COLUMN collections DROP DEFAULT;
