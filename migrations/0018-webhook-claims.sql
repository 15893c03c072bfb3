-- Whether a delivery is on its way, said outright instead of guessed from its instant; receivers that ask for a pause; secrets that were
-- replaced, each with an end of its own.

ALTER TABLE webhook_deliveries
  -- Somebody is sending it, until attempt_at: then the sender has died.
  ADD COLUMN claimed boolean NOT NULL DEFAULT false CHECK (NOT claimed OR attempt_at IS NOT NULL),
  -- Before then its receiver does not want to see it again (Retry-After).
  ADD COLUMN not_before timestamptz,
  -- It was brought forward, as its receiver was well again: when it would have come.
  ADD COLUMN planned_at timestamptz,
  -- How often that was: those attempts are beside the schedule.
  ADD COLUMN brought integer NOT NULL DEFAULT 0 CHECK (brought >= 0);

-- What had failed before its receiver was well again, and may be brought forward, is found among all that waits.
CREATE INDEX webhook_deliveries_retrying ON webhook_deliveries (organization_id, endpoint_id, updated_at) WHERE status = 'retrying';

ALTER TABLE webhook_endpoints
  -- Before then its receiver wants nothing at all (429 or 503 with Retry-After).
  ADD COLUMN paused_until timestamptz,
  -- When it was well again, after a minute and more of nothing but failures: what had failed by then is brought forward.
  ADD COLUMN recovered_at timestamptz,
  -- The secrets before, newest first, as long as they sign, too: [{secret, until}], `until` in milliseconds.
  ADD COLUMN previous_secrets json NOT NULL DEFAULT '[]';

UPDATE webhook_endpoints SET previous_secrets = json_build_array(json_build_object(
  'secret', previous_secret, 'until', (extract(epoch FROM previous_secret_until) * 1000)::bigint))
WHERE previous_secret IS NOT NULL;

-- Also one that is disabled is told, for a while, so that it can be sent what it missed.
DROP INDEX webhook_endpoints_enabled;
CREATE INDEX webhook_endpoints_present ON webhook_endpoints (organization_id, id) WHERE deleted_at IS NULL;

ALTER TABLE webhook_endpoints DROP COLUMN previous_secret, DROP COLUMN previous_secret_until;
