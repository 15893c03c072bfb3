-- An earlier release has stored the renewal as the next due item of Subscriptions that are not renewed any more
-- (rule D8): access is suspended, or the suspension waits for the outcome of a retry. LEAST ignores NULL.
UPDATE subscriptions SET due_at = LEAST(cancel_at, next_retry_at)
WHERE status = 'past_due' AND change_id IS NULL
  AND (grants_suspended OR (next_retry_at IS NULL AND grace_ends_at <= current_period_end));
