-- The e-mails about a pause tell the present state, so they are written before a sandbox's clock moves on (rule T5l). Only new e-mails
-- wait while the index is built. 0113 lets it take the place of the old one.
CREATE INDEX emails_unwritten_with_pauses ON emails (organization_id, id)
  WHERE status = 'queued' AND html IS NULL
    AND kind IN ('payment_failed', 'authentication_required', 'trial_started', 'trial_ending', 'renewal_upcoming',
      'cancellation_scheduled', 'cancellation_undone', 'pause_scheduled', 'pause_undone', 'pause_begun',
      'resume_upcoming', 'price_change', 'price_change_reminder', 'change_dropped', 'card_expiring');

-- This comes after the index, so that no payment waits for it. The first attempt at the invoice of a resume in the portal (rule S8k).
ALTER TABLE payments DROP CONSTRAINT payments_purpose;
ALTER TABLE payments
  ADD CONSTRAINT payments_purpose CHECK (CASE
    WHEN purpose = 'setup' AND checkout_id IS NULL THEN source_id = id AND invoice_id IS NULL
    WHEN purpose IN ('checkout', 'setup') THEN checkout_id IS NOT DISTINCT FROM source_id
    WHEN purpose = 'change' THEN checkout_id IS NULL AND subscription_id IS NOT NULL
    WHEN purpose IN ('renewal', 'resume', 'retry', 'new_card', 'page', 'hand', 'last_invoice')
      THEN checkout_id IS NULL AND invoice_id IS NOT DISTINCT FROM source_id AND subscription_id IS NOT NULL
    ELSE false END) NOT VALID;
