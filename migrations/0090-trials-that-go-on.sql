-- A trial without a card shows the end of access unless no amount is due at its end (rule C2). Until now a pending change to a free Product
-- made no difference. The next write on the Customer also counts the balance.
ALTER TABLE subscriptions ADD COLUMN trial_covered boolean NOT NULL DEFAULT false;
ALTER TABLE subscriptions ALTER COLUMN trial_covered DROP DEFAULT;
UPDATE subscriptions SET trial_covered = true, access_ends_at = CASE WHEN cancel_at_period_end THEN cancel_at END
WHERE status = 'trialing' AND card_missing
  AND (access_ends_at IS DISTINCT FROM CASE WHEN cancel_at_period_end THEN least(cancel_at, trial_end) ELSE trial_end END
    OR (pending_change->>'amount')::bigint = 0);
