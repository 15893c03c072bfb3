-- The pages on which buyers see what they have: links that sign them in, the sessions these open, and who
-- asks for a link. All instants are real time.

CREATE TABLE portal_links (
  organization_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the secret in the link.
  digest          bytea NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  -- Where the pages lead back to.
  return_url      text,
  -- The e-mail that holds it; null: it was handed out on the API. No reference, since e-mails are forgotten by themselves.
  email_id        text COLLATE "C",
  expires_at      timestamptz NOT NULL,
  used_at         timestamptz,
  PRIMARY KEY (organization_id, digest),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id)
);
CREATE INDEX portal_links_customer ON portal_links (organization_id, customer_id);
-- Those of e-mails are kept for as long as what names their Customer.
CREATE INDEX portal_links_expired ON portal_links (expires_at) WHERE email_id IS NULL;
CREATE INDEX portal_links_mailed ON portal_links (expires_at) WHERE email_id IS NOT NULL;

CREATE TABLE portal_sessions (
  organization_id text COLLATE "C" NOT NULL,
  -- SHA-256 of what the browser's cookie holds.
  digest          bytea NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  return_url      text,
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, digest),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id)
);
CREATE INDEX portal_sessions_customer ON portal_sessions (organization_id, customer_id);
CREATE INDEX portal_sessions_expired ON portal_sessions (expires_at);

-- Addresses that were typed to be sent a link, until a worker looks whether a Customer has them: the page does the same work for each.
CREATE TABLE portal_requests (
  organization_id text COLLATE "C" NOT NULL,
  email_key       text NOT NULL,
  -- The client's address under a keyed hash.
  asked_from      text COLLATE "C" NOT NULL,
  asked_at        timestamptz NOT NULL,
  PRIMARY KEY (organization_id, email_key, asked_at),
  FOREIGN KEY (organization_id) REFERENCES organizations (id)
);
CREATE INDEX portal_requests_asked ON portal_requests (asked_at);

-- Of one that was asked for: by which client, as above.
ALTER TABLE emails ADD COLUMN asked_from text COLLATE "C";
