-- A bank may only ask about a charge. An inquiry moves no money, and ends as "closed" or becomes an open dispute.
ALTER TABLE disputes
  -- The provider's own id of the dispute.
  ADD COLUMN provider_ref text COLLATE "C",
  ADD COLUMN evidence_due_at timestamptz,
  -- The provider's fee, in minor units of its currency.
  ADD COLUMN fee bigint,
  ADD COLUMN fee_currency text,
  ADD CONSTRAINT disputes_fee CHECK (fee >= 0 AND (fee IS NULL) = (fee_currency IS NULL)),
  DROP CONSTRAINT disputes_status_check,
  ADD CONSTRAINT disputes_status_check CHECK (status IN ('inquiry', 'open', 'won', 'lost', 'closed')),
  DROP CONSTRAINT disputes_check,
  ADD CONSTRAINT disputes_closed CHECK ((status IN ('inquiry', 'open')) = (closed_at IS NULL));
DROP INDEX disputes_standing;
CREATE UNIQUE INDEX disputes_standing ON disputes (organization_id, payment_id) WHERE status IN ('open', 'lost');
CREATE UNIQUE INDEX disputes_provider_ref ON disputes (organization_id, provider_ref) WHERE provider_ref IS NOT NULL;
