-- A scheduled cancellation and its undoing are told to the buyer as they stand, so these e-mails are written before a
-- sandbox's clock moves on (rule T5).
DROP INDEX emails_unwritten;
CREATE INDEX emails_unwritten ON emails (organization_id, id)
  WHERE status = 'queued' AND html IS NULL
    AND kind IN ('payment_failed', 'authentication_required', 'trial_ending', 'renewal_upcoming',
      'cancellation_scheduled', 'cancellation_undone', 'card_expiring');
