-- Notices of payment providers. A notice only says that an object has changed; the object is then read at the provider.
CREATE TABLE provider_notices (
  organization_id  text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id               text COLLATE "C" NOT NULL,
  provider         text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  -- The provider's id of the notice. A repeated notice is not stored again.
  ref              text COLLATE "C" NOT NULL,
  type             text NOT NULL,
  object           text NOT NULL,
  status           text NOT NULL CHECK (status IN ('waiting', 'taken', 'unmatched')),
  -- Real time of the next look at the object.
  check_at         timestamptz,
  checks           integer NOT NULL,
  received_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, provider, provider_account, ref),
  CHECK ((status = 'waiting') = (check_at IS NOT NULL))
);
CREATE INDEX provider_notices_check ON provider_notices (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX provider_notices_unmatched ON provider_notices (organization_id, id) WHERE status = 'unmatched';
CREATE INDEX provider_notices_received ON provider_notices (received_at) WHERE status <> 'waiting';

-- A notice about a card names the card by the provider's id.
CREATE INDEX payment_methods_ref ON payment_methods (organization_id, provider_ref);

-- The place in the provider's list of notices up to which the list was read, and the real time of the next reading.
ALTER TABLE provider_connections
  ADD COLUMN poll_cursor text,
  ADD COLUMN poll_at timestamptz;
UPDATE provider_connections SET poll_at = now() WHERE disconnected_at IS NULL;
CREATE INDEX provider_connections_poll ON provider_connections (poll_at) WHERE poll_at IS NOT NULL;
