-- The new conditions are NOT VALID, so no table is scanned while this file locks it. 0120 validates them.

-- A pause that is scheduled for the end of the period, or has begun: {resumesAt, access} (rule S8).
ALTER TABLE subscriptions ADD COLUMN pause json;
ALTER TABLE subscriptions DROP CONSTRAINT subscriptions_status_check;
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_status_check
  CHECK (status IN ('trialing', 'active', 'past_due', 'paused', 'canceled')) NOT VALID;
-- A pause and a planned end exclude each other, and a pause begins only if all invoices are paid.
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_pause CHECK (CASE status
  WHEN 'paused' THEN pause IS NOT NULL AND NOT cancel_at_period_end
  WHEN 'past_due' THEN pause IS NULL
  WHEN 'canceled' THEN pause IS NULL
  ELSE pause IS NULL OR NOT cancel_at_period_end END) NOT VALID;

ALTER TABLE mrr_movements DROP CONSTRAINT mrr_movements_kind;
ALTER TABLE mrr_movements ADD CONSTRAINT mrr_movements_kind CHECK (CASE
  WHEN kind IS NULL THEN amount = 0
  WHEN kind IN ('new', 'reactivation', 'expansion', 'resumption') THEN amount > 0
  WHEN kind IN ('contraction', 'churn', 'pause') THEN amount < 0
  ELSE false
END) NOT VALID;
ALTER TABLE metric_days DROP CONSTRAINT metric_days_measure;
ALTER TABLE metric_days ADD CONSTRAINT metric_days_measure CHECK (
  measure IN ('new', 'reactivation', 'expansion', 'resumption', 'contraction', 'churn', 'pause', 'trialing', 'active',
    'past_due', 'paused')) NOT VALID;
