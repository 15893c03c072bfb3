-- The e-mail about a longer trial tells the present state, so it is written before a sandbox's clock moves on (rule T5l). Only new e-mails
-- wait while the index is built.
CREATE INDEX emails_unwritten_with_longer_trials ON emails (organization_id, id)
  WHERE status = 'queued' AND html IS NULL
    AND kind IN ('payment_failed', 'authentication_required', 'trial_started', 'trial_extended', 'trial_ending',
      'renewal_upcoming', 'cancellation_scheduled', 'cancellation_undone', 'pause_scheduled', 'pause_undone',
      'pause_begun', 'resume_upcoming', 'price_change', 'price_change_reminder', 'change_dropped', 'card_expiring',
      'card_request');
DROP INDEX emails_unwritten;
ALTER INDEX emails_unwritten_with_longer_trials RENAME TO emails_unwritten;
