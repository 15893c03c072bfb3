-- An index reads the whole table, so it comes before the change that locks the table.
CREATE INDEX imports_problem ON imports (organization_id) WHERE problem IS NOT NULL;

ALTER TABLE imports
  -- While a cut-over works on the row: the instant after which another process may go on.
  ADD COLUMN lease_until timestamptz,
  -- The e-mail about the alarm was queued; null: there is no alarm, or no e-mail about it yet.
  ADD COLUMN alarmed_at timestamptz;
