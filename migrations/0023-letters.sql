-- E-mails that say how things stand, and are not written yet: before a sandbox's clock moves on they have to be.
CREATE INDEX emails_unwritten ON emails (organization_id, id)
  WHERE status = 'queued' AND html IS NULL AND kind IN ('payment_failed', 'authentication_required', 'trial_ending', 'renewal_upcoming');
