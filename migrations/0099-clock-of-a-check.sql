-- The clock of a sandbox at its last check, for a page whose other dates are by this clock. NULL: the Organization
-- followed real time at the check, or the check is older than this column.
ALTER TABLE verifications ADD COLUMN clock_at timestamptz;
