-- The books of connected payment providers, imported each night by time, to be compared with our payments and refunds.
-- Entries of strangers on the same account are left out. Entries are kept for 35 days.
CREATE TABLE provider_book (
  organization_id  text COLLATE "C" NOT NULL,
  provider         text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  -- The provider's own id.
  ref              text COLLATE "C" NOT NULL,
  -- An orphan is a request of this installation at the provider that the provider's adapter does not know.
  kind             text NOT NULL CHECK (kind IN ('charge', 'refund', 'orphan')),
  -- The key of our request. Null for a refund that was made at the provider.
  key              text COLLATE "C",
  charge_key       text COLLATE "C",
  amount           bigint NOT NULL,
  currency         text NOT NULL,
  created_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, provider, provider_account, ref)
);
CREATE INDEX provider_book_created ON provider_book (created_at);

-- The span of real time that was imported from each account, and the part that is being read now.
CREATE TABLE provider_book_imports (
  organization_id  text COLLATE "C" NOT NULL,
  provider         text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  imported_from    timestamptz,
  imported_until   timestamptz,
  reading_from     timestamptz,
  reading_until    timestamptz,
  -- The provider's mark of the next page.
  cursor           text,
  -- The requests of this installation were looked through until then.
  orphans_until    timestamptz,
  -- Real time of the next import, or the end of the lease of the process that imports. Null after a disconnection.
  import_at        timestamptz,
  -- Failures since the last page.
  failures         integer NOT NULL,
  created_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, provider, provider_account),
  FOREIGN KEY (organization_id, provider, provider_account) REFERENCES provider_connections,
  CHECK ((imported_from IS NULL) = (imported_until IS NULL)),
  CHECK ((reading_from IS NULL) = (reading_until IS NULL) AND (cursor IS NULL OR reading_until IS NOT NULL))
);
CREATE INDEX provider_book_imports_due ON provider_book_imports (import_at) WHERE import_at IS NOT NULL;
ALTER TABLE provider_book
  ADD FOREIGN KEY (organization_id, provider, provider_account) REFERENCES provider_book_imports;

INSERT INTO provider_book_imports (organization_id, provider, provider_account, import_at, failures, created_at)
  SELECT organization_id, provider, provider_account, CASE WHEN disconnected_at IS NULL THEN now() END, 0, connected_at
  FROM provider_connections;

-- The result of the last comparison of each Organization, for its notice and for the metrics.
CREATE TABLE provider_book_comparisons (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  differences     integer NOT NULL,
  -- Charges and orphans with a key of this installation that no payment has.
  unknown_charges integer NOT NULL,
  -- The first comparison with a difference since the books last agreed.
  differs_since   timestamptz,
  compared_at     timestamptz NOT NULL,
  CHECK ((differences = 0) = (differs_since IS NULL))
);
