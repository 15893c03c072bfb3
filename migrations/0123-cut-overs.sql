ALTER TABLE imports
  -- While a cut-over works on the row: the instant after which another process may go on.
  ADD COLUMN lease_until timestamptz,
  -- The e-mail about the alarm was queued; null: there is no alarm, or it is not told yet.
  ADD COLUMN alarmed_at timestamptz;
-- The alarms that are not told yet.
CREATE INDEX imports_untold ON imports (organization_id) WHERE problem IS NOT NULL AND alarmed_at IS NULL;
