-- What there may be millions of is gone through in pieces, and Organizations take turns.

-- What was last touched until then and still waits for the endpoint is to be skipped; nothing is sent to it before that is done.
ALTER TABLE webhook_endpoints ADD COLUMN skip_until timestamptz;
CREATE INDEX webhook_endpoints_skipping ON webhook_endpoints (organization_id, id) WHERE skip_until IS NOT NULL;

-- Deliveries that somebody wants to be sent once more, as far as they were not come to yet.
CREATE TABLE webhook_redeliveries (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  endpoint_id     text COLLATE "C" NOT NULL,
  -- Deliveries made from then on, and before then.
  made_from       timestamptz,
  made_until      timestamptz NOT NULL,
  failed_only     boolean NOT NULL,
  -- The last delivery that was looked at.
  cursor          text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id)
);

DROP INDEX events_dispatch;
CREATE INDEX events_dispatch ON events (organization_id, dispatch_at, id) WHERE dispatch_at IS NOT NULL;

-- Made anew, after the index that lists an endpoint's deliveries: where there are no statistics yet and all look alike, PostgreSQL takes
-- the newest. The one for lists has each delivery of thirty days in it, these only what waits.
DROP INDEX webhook_deliveries_waiting;
DROP INDEX webhook_deliveries_before;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (organization_id, endpoint_id, attempt_at, event_id)
  WHERE attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_before ON webhook_deliveries (organization_id, endpoint_id, resource_id, sequence)
  WHERE attempt_at IS NOT NULL;

-- Made last, too, for the same reason: an event that is not spread yet holds back the later ones of its resource.
CREATE INDEX events_before ON events (organization_id, resource_id, sequence) WHERE dispatch_at IS NOT NULL;

-- What did not arrive is looked for among everything that did.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (organization_id, endpoint_id, id) WHERE status IN ('failed', 'skipped');

-- When an attempt last failed, to the minute: after a quiet time the failing begins anew.
ALTER TABLE webhook_endpoints ADD COLUMN failed_at timestamptz;
ALTER TABLE webhook_endpoints ADD COLUMN disabled_at timestamptz;
UPDATE webhook_endpoints SET disabled_at = updated_at WHERE status = 'disabled';
ALTER TABLE webhook_endpoints ADD CHECK ((status = 'disabled') = (disabled_at IS NOT NULL));
