-- The changes that people, API keys and commands make to an Organization. A row is written in the transaction of its
-- change, and never changes, except that it is blanked when its Customer is deleted.
CREATE TABLE audit_log (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  -- Real time.
  at              timestamptz NOT NULL,
  actor_type      text NOT NULL,
  -- The user or the key; null: a command.
  actor_id        text COLLATE "C",
  operation       text NOT NULL,
  resource_id     text COLLATE "C",
  customer_id     text COLLATE "C",
  -- The names of the changed fields, and the values of those that are not personal. Null: blanked.
  fields          json,
  values          json,
  -- The address of the client; null: a command.
  client_address  text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT audit_log_actor CHECK (CASE actor_type
    WHEN 'user' THEN actor_id IS NOT NULL
    WHEN 'key' THEN actor_id IS NOT NULL
    WHEN 'cli' THEN actor_id IS NULL
    ELSE false
  END)
);
CREATE INDEX audit_log_customer ON audit_log (organization_id, customer_id) WHERE customer_id IS NOT NULL;
