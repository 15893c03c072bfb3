-- The changes and the refused requests of each API key, for the search of a request by its id. The rows are written a
-- moment after the answer, in batches, and are deleted after a week. There are no bodies.
CREATE TABLE api_requests (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  -- The Request-Id of the answer.
  id              text COLLATE "C" NOT NULL,
  -- Real time.
  at              timestamptz NOT NULL,
  key_id          text COLLATE "C" NOT NULL,
  method          text NOT NULL,
  -- With names in braces.
  path            text NOT NULL,
  -- The last id in the path; null: there is none.
  resource_id     text COLLATE "C",
  status          integer NOT NULL,
  -- Null: the request succeeded.
  error_code      text,
  client_address  text NOT NULL,
  duration_ms     integer NOT NULL,
  idempotency_key text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT api_requests_error CHECK ((error_code IS NOT NULL) = (status >= 400))
);
CREATE INDEX api_requests_key ON api_requests (organization_id, key_id, id);
CREATE INDEX api_requests_refused ON api_requests (organization_id, id) WHERE status >= 400;
CREATE INDEX api_requests_at ON api_requests (at);

-- The deliveries of an event, for its page.
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (organization_id, event_id);
-- The failed attempts, oldest first. An arrival changes no list.
ALTER TABLE webhook_deliveries ADD COLUMN failures json NOT NULL DEFAULT '[]';
