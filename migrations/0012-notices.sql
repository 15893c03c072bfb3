-- Notice is given of the end of a trial (3 days before) and of a period of a month or more (7 days before). For periods in progress too,
-- unless it would come late. `noticed_until`: the end of the period of which it was given.
ALTER TABLE subscriptions ADD COLUMN noticed_until timestamptz;

WITH notice AS (
  SELECT s.organization_id, s.id, COALESCE(o.clock_at, clock_timestamp()) AS now,
    CASE WHEN s.status = 'trialing' AND s.current_period_end - interval '72 hours' > s.current_period_start
           THEN s.current_period_end - interval '72 hours'
         WHEN s.status = 'active' AND (s.interval IN ('month', 'year') OR (s.interval = 'week' AND s.interval_count >= 5)
             OR (s.interval = 'day' AND s.interval_count >= 30))
           THEN s.current_period_end - interval '168 hours'
    END AS at
  FROM subscriptions s JOIN organizations o ON o.id = s.organization_id
  WHERE s.status IN ('trialing', 'active') AND NOT s.cancel_at_period_end
)
UPDATE subscriptions AS s SET
  noticed_until = CASE WHEN notice.at < notice.now THEN s.current_period_end END,
  due_at = CASE WHEN notice.at < notice.now OR s.due_at IS NULL THEN s.due_at ELSE LEAST(s.due_at, notice.at) END
FROM notice WHERE (s.organization_id, s.id) = (notice.organization_id, notice.id) AND notice.at IS NOT NULL;
