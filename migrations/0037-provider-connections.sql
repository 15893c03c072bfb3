-- The accounts at payment providers that operators have connected. A key is encrypted here (src/sealed.ts), or stays in a
-- variable of the environment. After the end of a connection the key may be gone.
CREATE TABLE provider_connections (
  organization_id                text COLLATE "C" NOT NULL REFERENCES organizations (id),
  provider                       text COLLATE "C" NOT NULL,
  provider_account               text COLLATE "C" NOT NULL,
  key_sealed                     text,
  key_variable                   text CHECK (key_variable ~ '^BILLOW_PAYMENTS_[A-Z0-9_]+$'),
  -- Verifies the provider's notices. Without it the provider is polled.
  webhook_secret_sealed          text,
  -- Also verifies notices, while the provider replaces the secret.
  previous_webhook_secret_sealed text,
  -- Whether the key moves real money.
  livemode                       boolean NOT NULL,
  connected_at                   timestamptz NOT NULL,
  disconnected_at                timestamptz,
  created_at                     timestamptz NOT NULL,
  updated_at                     timestamptz NOT NULL,
  PRIMARY KEY (organization_id, provider, provider_account),
  CONSTRAINT provider_connections_key CHECK (num_nonnulls(key_sealed, key_variable) <= 1
    AND (disconnected_at IS NOT NULL OR num_nonnulls(key_sealed, key_variable) = 1)),
  CHECK (webhook_secret_sealed IS NOT NULL OR previous_webhook_secret_sealed IS NULL)
);
