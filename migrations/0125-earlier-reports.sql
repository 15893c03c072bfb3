-- Refunds and disputes at the provider of charges that another system made for a Customer before the import (decision 0114). No invoice
-- and no payment here belongs to such a charge.
CREATE TABLE earlier_reports (
  organization_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  -- The provider's ids of the refund or dispute, and of the charge.
  ref text COLLATE "C" NOT NULL,
  charge_ref text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  -- Of a dispute.
  reason text,
  amount bigint NOT NULL,
  currency text NOT NULL,
  -- Of a dispute that waits for evidence.
  evidence_due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, provider, provider_account, ref),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  CHECK (kind IN ('refund', 'dispute')),
  CHECK (status IN ('pending', 'succeeded', 'failed', 'inquiry', 'open', 'won', 'lost', 'closed')),
  CHECK ((kind = 'dispute') = (reason IS NOT NULL))
);
CREATE INDEX earlier_reports_customer ON earlier_reports (organization_id, customer_id, created_at DESC, ref);
-- The matters that wait for a person.
CREATE INDEX earlier_reports_open ON earlier_reports (organization_id, evidence_due_at, ref)
  WHERE status IN ('inquiry', 'open');
