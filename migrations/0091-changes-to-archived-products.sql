-- A pending change is dropped when its Product is archived (rule P6). Until now the change waited for its day and was dropped then.
CREATE INDEX subscriptions_changing_to ON subscriptions (organization_id, (pending_change->>'productId'), id) WHERE pending_change IS NOT NULL;
UPDATE products p SET sync_at = statement_timestamp(), sync_cursor = NULL
WHERE p.archived AND EXISTS (
  SELECT 1 FROM subscriptions s WHERE s.organization_id = p.organization_id AND s.pending_change->>'productId' = p.id);
-- The e-mail about the dropped change tells the present state, so it is written before a sandbox's clock moves on (rule T5).
DROP INDEX emails_unwritten;
CREATE INDEX emails_unwritten ON emails (organization_id, id)
  WHERE status = 'queued' AND html IS NULL
    AND kind IN ('payment_failed', 'authentication_required', 'trial_started', 'trial_ending', 'renewal_upcoming',
      'cancellation_scheduled', 'cancellation_undone', 'change_dropped', 'card_expiring');
