-- Events that are delivered to whoever integrates Billow, signed as Standard Webhooks have it. All instants here are real time.

-- Until when it has to be spread to the endpoints; null: it was, or there is nobody to hear of it.
ALTER TABLE events ADD COLUMN dispatch_at timestamptz;
CREATE INDEX events_dispatch ON events (dispatch_at, id) WHERE dispatch_at IS NOT NULL;

CREATE TABLE webhook_endpoints (
  organization_id       text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id                    text COLLATE "C" NOT NULL,
  -- A listener is a developer's command line that fetches its deliveries; everything else is posted to `url`.
  kind                  text NOT NULL CHECK (kind IN ('http', 'listener')),
  url                   text NOT NULL,
  description           text,
  events                json NOT NULL,
  -- What signs, as base64; kept as it is, because a digest can't sign.
  secret                text NOT NULL,
  previous_secret       text,
  previous_secret_until timestamptz,
  status                text NOT NULL CHECK (status IN ('enabled', 'disabled')),
  disabled_reason       text CHECK (disabled_reason IN ('by_hand', 'gone', 'failing')),
  -- Since when every attempt has failed.
  failing_since         timestamptz,
  -- Of a listener: when it counts as left, unless it asks again.
  expires_at            timestamptz,
  deleted_at            timestamptz,
  version               bigint NOT NULL,
  event_sequence        integer NOT NULL,
  created_at            timestamptz NOT NULL,
  updated_at            timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL)),
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL)),
  CHECK ((kind = 'listener') = (expires_at IS NOT NULL))
);
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (organization_id, id) WHERE status = 'enabled' AND deleted_at IS NULL;

CREATE TABLE webhook_deliveries (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  endpoint_id     text COLLATE "C" NOT NULL,
  event_id        text COLLATE "C" NOT NULL,
  event_type      text NOT NULL,
  resource_id     text COLLATE "C" NOT NULL,
  sequence        integer NOT NULL,
  status          text NOT NULL CHECK (status IN ('pending', 'retrying', 'succeeded', 'failed', 'skipped')),
  -- Somebody asked for it again: it holds nothing back.
  repeated        boolean NOT NULL,
  attempts        integer NOT NULL CHECK (attempts >= 0),
  -- When it is to be sent next; while it is being sent, when somebody else may.
  attempt_at      timestamptz,
  response_status integer,
  response_body   text,
  error           text,
  duration_ms     integer,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, endpoint_id, event_id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id),
  FOREIGN KEY (organization_id, event_id) REFERENCES events (organization_id, id),
  CHECK ((status IN ('pending', 'retrying')) = (attempt_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (organization_id, endpoint_id, attempt_at, event_id)
  WHERE attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_before ON webhook_deliveries (organization_id, endpoint_id, resource_id, sequence)
  WHERE attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (organization_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);
