-- The e-mail about the start of a trial has the next charge as of now, so the e-mail is written before a sandbox's clock
-- moves on (rule T5).
DROP INDEX emails_unwritten;
CREATE INDEX emails_unwritten ON emails (organization_id, id)
  WHERE status = 'queued' AND html IS NULL
    AND kind IN ('payment_failed', 'authentication_required', 'trial_started', 'trial_ending', 'renewal_upcoming',
      'cancellation_scheduled', 'cancellation_undone', 'card_expiring');
