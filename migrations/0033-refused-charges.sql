-- The times in which a payment provider refuses every charge of an account (rule D9). While a row is open, the charges,
-- card saves and refunds of the account wait, except one probe a minute.
CREATE TABLE payment_pauses (
  organization_id  text COLLATE "C" NOT NULL,
  id               text COLLATE "C" NOT NULL,
  provider         text NOT NULL,
  provider_account text NOT NULL,
  reason           text NOT NULL,
  ended_at         timestamptz,
  -- Real time: when the next probe may be sent.
  check_at         timestamptz,
  version          bigint NOT NULL,
  event_sequence   integer NOT NULL,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations (id),
  CHECK ((ended_at IS NULL) = (check_at IS NOT NULL))
);
CREATE UNIQUE INDEX payment_pauses_open ON payment_pauses (organization_id, provider, provider_account)
  WHERE ended_at IS NULL;
CREATE INDEX payment_pauses_check ON payment_pauses (check_at) WHERE check_at IS NOT NULL;

-- The sandbox provider refuses every charge of such an Organization.
CREATE TABLE sandbox_refusals (
  organization_id text COLLATE "C" NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id)
);

-- A charge that the sandbox provider refused. Once the provider takes charges again, the same key makes the charge.
ALTER TABLE sandbox_charges
  DROP CONSTRAINT sandbox_charges_status_check,
  ADD CONSTRAINT sandbox_charges_status_check CHECK (
    status IN ('pending_action', 'succeeded', 'declined', 'account_refused', 'charge_refused', 'processing')
  );

-- The provider refused the charge of this invoice alone: no attempt is made until an operator has looked (rule D9).
ALTER TABLE invoices
  ADD COLUMN held_reason text,
  ADD CONSTRAINT invoices_held CHECK (held_reason IS NULL OR (status = 'open' AND next_attempt_at IS NULL));

-- The provider has accepted the charge and has no outcome yet. The pages say so to the buyer.
ALTER TABLE payments ADD COLUMN processing boolean NOT NULL DEFAULT false;
ALTER TABLE payments
  ALTER COLUMN processing DROP DEFAULT,
  ADD CONSTRAINT payments_processing CHECK (NOT processing OR status <> 'pending');
