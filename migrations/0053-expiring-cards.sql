-- A card that expires is announced 30 days ahead, once (rule D11).
ALTER TABLE payment_methods
  -- Billing time at which the expiry is announced; null: no Subscription goes on with the card, or it is announced.
  ADD COLUMN due_at timestamptz,
  ADD COLUMN simulated boolean NOT NULL DEFAULT false,
  -- Whether the expiry in the row was announced.
  ADD COLUMN expiry_announced boolean NOT NULL DEFAULT false;

UPDATE payment_methods m SET simulated = true
  FROM organizations o WHERE o.id = m.organization_id AND o.clock_at IS NOT NULL;

-- The cards that Subscriptions go on with. A card that expires within 30 days is due at once.
UPDATE payment_methods m SET due_at = CASE WHEN e.ends - interval '720 hours' > e.now THEN e.ends - interval '720 hours' ELSE e.now END
  FROM (
    SELECT c.organization_id, c.id, COALESCE(o.clock_at, date_trunc('milliseconds', statement_timestamp())) AS now,
      (make_date(c.exp_year, c.exp_month, 1) + interval '1 month') AT TIME ZONE o.time_zone AS ends
    FROM payment_methods c JOIN organizations o ON o.id = c.organization_id
    WHERE NOT c.dead AND c.exp_month BETWEEN 1 AND 12 AND c.exp_year BETWEEN 2000 AND 9998) e
  WHERE (m.organization_id, m.id) = (e.organization_id, e.id) AND e.ends > e.now AND EXISTS (
    SELECT 1 FROM subscriptions s JOIN customers b ON (b.organization_id, b.id) = (s.organization_id, s.customer_id)
    WHERE s.organization_id = m.organization_id AND s.customer_id = m.customer_id
      AND s.status <> 'canceled' AND NOT s.cancel_at_period_end
      AND (COALESCE((s.pending_change ->> 'amount')::bigint, 0) > 0 OR NOT (s.amount = 0 OR (
        COALESCE(s.discount ->> 'duration', '') = 'forever'
        AND (s.discount ->> 'productIds' IS NULL OR s.discount::jsonb -> 'productIds' @> to_jsonb(s.product_id))
        AND CASE s.discount ->> 'type'
          WHEN 'percentage' THEN round(s.amount * (s.discount ->> 'basisPoints')::numeric / 10000) >= s.amount
          ELSE (s.discount ->> 'amount')::bigint >= s.amount END)))
      AND m.id = COALESCE(s.payment_method_id, CASE WHEN s.customer_named THEN b.default_payment_method_id END));

ALTER TABLE payment_methods
  ALTER COLUMN simulated DROP DEFAULT,
  ALTER COLUMN expiry_announced DROP DEFAULT,
  ADD CONSTRAINT payment_methods_due CHECK (due_at IS NULL OR NOT (dead OR expiry_announced));
CREATE INDEX payment_methods_due ON payment_methods (due_at) WHERE due_at IS NOT NULL AND NOT simulated;
CREATE INDEX payment_methods_due_organization ON payment_methods (organization_id, due_at) WHERE due_at IS NOT NULL;

-- The announcement says how things stand, so it is written before a sandbox's clock moves on.
DROP INDEX emails_unwritten;
CREATE INDEX emails_unwritten ON emails (organization_id, id)
  WHERE status = 'queued' AND html IS NULL
    AND kind IN ('payment_failed', 'authentication_required', 'trial_ending', 'renewal_upcoming', 'card_expiring');
