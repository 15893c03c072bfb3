-- A refund to a card may fail after it has succeeded (rule I8). Refunds can be made at the payment provider (rule I9).
-- The credit note of a refund that fails late stays, because the document was issued.
ALTER TABLE refunds
  ADD COLUMN origin text NOT NULL DEFAULT 'billow',
  -- The provider's own id of the refund, if the provider has reported the refund.
  ADD COLUMN provider_ref text COLLATE "C",
  ADD COLUMN failed_at timestamptz,
  -- The reason of the failure. Null for refunds that failed before reasons were kept.
  ADD COLUMN failure_code text,
  -- Whether the refund failed after it had succeeded.
  ADD COLUMN failed_late boolean NOT NULL DEFAULT false;
UPDATE refunds SET failed_at = settled_at WHERE status = 'failed';
ALTER TABLE refunds
  ALTER COLUMN origin DROP DEFAULT,
  ALTER COLUMN failed_late DROP DEFAULT,
  DROP CONSTRAINT refunds_purpose,
  -- A refund that had failed before Billow heard of it takes no credit.
  ADD CONSTRAINT refunds_purpose CHECK (
    CASE purpose
      WHEN 'invoice' THEN invoice_id IS NOT NULL
      WHEN 'balance' THEN invoice_id IS NULL AND "to" = 'card'
        AND from_balance IN (amount, CASE WHEN origin = 'provider' AND status = 'failed' THEN 0 END)
      ELSE false
    END
  ),
  DROP CONSTRAINT refunds_credit_note,
  ADD CONSTRAINT refunds_credit_note CHECK (
    ((status = 'succeeded' OR failed_late) AND amount > from_balance) = (credit_note_id IS NOT NULL)
  ),
  ADD CONSTRAINT refunds_origin CHECK (
    CASE origin WHEN 'billow' THEN true WHEN 'provider' THEN provider_ref IS NOT NULL AND "to" = 'card' ELSE false END
  ),
  ADD CONSTRAINT refunds_failed CHECK (
    (status = 'failed') = (failed_at IS NOT NULL) AND (status = 'failed' OR failure_code IS NULL)
  ),
  ADD CONSTRAINT refunds_failed_late CHECK (NOT failed_late OR (status = 'failed' AND "to" = 'card'));
-- A payment belongs to one account of one provider, so a reference is unique for that account.
CREATE UNIQUE INDEX refunds_provider_ref ON refunds (organization_id, provider_ref, payment_id)
  WHERE provider_ref IS NOT NULL;

-- Credit from a refund that failed late. If a dispute was standing at the failure, the credit names no payment.
ALTER TABLE balance_entries
  DROP CONSTRAINT balance_entries_source,
  DROP CONSTRAINT balance_entries_charge,
  ADD CONSTRAINT balance_entries_source
    CHECK (source = ANY (ARRAY['payment', 'refund_failed', 'outside', 'granted'])),
  ADD CONSTRAINT balance_entries_charge CHECK (
    CASE source WHEN 'payment' THEN payment_id IS NOT NULL WHEN 'refund_failed' THEN true ELSE payment_id IS NULL END
  );
-- The operator's notices: refunds that failed late, with credit that is not used.
CREATE INDEX balance_entries_refund_failed ON balance_entries (organization_id, id)
  WHERE source = 'refund_failed' AND remaining > 0;

-- The sandbox provider's own book. A refund without a key of Billow was made in the provider's dashboard.
ALTER TABLE sandbox_refunds
  DROP CONSTRAINT sandbox_refunds_status_check,
  ADD CONSTRAINT sandbox_refunds_status_check CHECK (status IN ('succeeded', 'declined', 'failed')),
  ADD COLUMN outside boolean NOT NULL DEFAULT false,
  ADD COLUMN failure_code text,
  ADD CONSTRAINT sandbox_refunds_failed CHECK (status <> 'failed' OR failure_code IS NOT NULL);
ALTER TABLE sandbox_refunds ALTER COLUMN outside DROP DEFAULT;
