-- A person who signs in through the OpenID provider alone has no password.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;

-- The account of a person at the OpenID provider. The account is recognized by issuer and subject, never by its e-mail
-- address. The instant is real time.
CREATE TABLE user_identities (
  issuer     text COLLATE "C" NOT NULL,
  subject    text COLLATE "C" NOT NULL,
  user_id    text COLLATE "C" NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX user_identities_user ON user_identities (user_id);
