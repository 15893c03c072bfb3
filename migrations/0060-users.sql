-- The people of the dashboard. A person belongs to the installation, and a membership gives the person a role in one
-- Organization. All instants are real time.
CREATE TABLE users (
  id            text COLLATE "C" PRIMARY KEY,
  email         text NOT NULL,
  email_key     text COLLATE "C" NOT NULL,
  name          text NOT NULL,
  -- Argon2id in the PHC string format.
  password_hash text NOT NULL,
  -- The key of the second factor (TOTP), encrypted; null: the person signs in by the password alone.
  totp_sealed   text,
  -- The last 30-second step of which a code was used. A code works once.
  totp_step     bigint,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (email_key);

CREATE TABLE user_sessions (
  -- SHA-256 of the secret in the browser's cookie.
  digest       bytea PRIMARY KEY,
  user_id      text COLLATE "C" NOT NULL REFERENCES users (id),
  -- The last time at which the person gave the password in this session.
  confirmed_at timestamptz NOT NULL,
  -- The password was right, and the code of the second factor is missing. Such a session opens no page.
  awaits_code  boolean NOT NULL,
  expires_at   timestamptz NOT NULL
);
CREATE INDEX user_sessions_user ON user_sessions (user_id);
CREATE INDEX user_sessions_expired ON user_sessions (expires_at);

CREATE TABLE memberships (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  user_id         text COLLATE "C" NOT NULL REFERENCES users (id),
  role            text NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id),
  CONSTRAINT memberships_role CHECK (role IN ('owner', 'developer', 'finance', 'support', 'read_only'))
);
CREATE INDEX memberships_user ON memberships (user_id);

-- Open invitations to an Organization. The link of an invitation is a signature of its id, so no secret is stored.
CREATE TABLE invitations (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  email           text NOT NULL,
  email_key       text COLLATE "C" NOT NULL,
  role            text NOT NULL,
  -- The name of the person or the command that invites.
  invited_by      text NOT NULL,
  -- The e-mail with the link. No reference, because e-mails are deleted on their own.
  email_id        text COLLATE "C" NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT invitations_role CHECK (role IN ('owner', 'developer', 'finance', 'support', 'read_only'))
);
CREATE UNIQUE INDEX invitations_email ON invitations (organization_id, email_key);
CREATE INDEX invitations_expired ON invitations (expires_at);

-- The most that support may refund at once, in the default currency; null: support makes no refund.
ALTER TABLE organizations ADD COLUMN support_refund_limit bigint;
ALTER TABLE organizations ADD CONSTRAINT organizations_support_refund_limit CHECK (support_refund_limit > 0);

-- Failed attempts to sign in, counted by account and client address in spans of a quarter of an hour.
CREATE TABLE sign_in_failures (
  -- A keyed digest of the span, and of the account, the address or both. The digest reveals neither.
  key      text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  ends_at  timestamptz NOT NULL
);
CREATE INDEX sign_in_failures_ended ON sign_in_failures (ends_at);
