-- What is told to buyers by e-mail. A row is written with the change that it tells of, and sent afterwards.

-- Kinds that the Organization does not want sent.
ALTER TABLE organizations ADD COLUMN emails_off json NOT NULL DEFAULT '[]';

CREATE TABLE emails (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  kind            text NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  -- What it is about.
  subscription_id text COLLATE "C",
  invoice_id      text COLLATE "C",
  payment_id      text COLLATE "C",
  -- The instant that it announces; null: it tells of what has happened. Billing time, as is created_at.
  announced_at    timestamptz,
  status          text NOT NULL CHECK (status IN ('queued', 'sent', 'kept', 'skipped', 'failed')),
  -- Why it was skipped or has failed, or why the last attempt at it did not succeed.
  reason          text,
  attempts        integer NOT NULL CHECK (attempts >= 0),
  -- When it is to be sent next; while it is being sent, when somebody else may. Real time, as is all that follows.
  attempt_at      timestamptz,
  -- Of one that is kept: since when it waits to be written to a file.
  file_at         timestamptz,
  -- The message as it was sent or kept; null before, and once its Customer is deleted.
  recipient       text,
  subject         text,
  text            text,
  html            text,
  created_at      timestamptz NOT NULL,
  queued_at       timestamptz NOT NULL,
  sent_at         timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id),
  FOREIGN KEY (organization_id, payment_id) REFERENCES payments (organization_id, id),
  CHECK ((status = 'queued') = (attempt_at IS NOT NULL)),
  CHECK (file_at IS NULL OR status = 'kept'),
  CHECK ((status = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX emails_waiting ON emails (organization_id, attempt_at, id) WHERE attempt_at IS NOT NULL;
CREATE INDEX emails_files ON emails (file_at) WHERE file_at IS NOT NULL;
CREATE INDEX emails_customer ON emails (organization_id, customer_id, id);
CREATE INDEX emails_kind ON emails (organization_id, kind, id);
CREATE INDEX emails_status ON emails (organization_id, status, id);
CREATE INDEX emails_queued ON emails (queued_at);
