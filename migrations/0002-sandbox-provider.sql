-- The sandbox payment provider's own book, kept as an outside party would: no reference to Billow's tables, none from them, and real
-- time only. Of a card it holds what may be shown of it and how it behaves; never its number or its CVC.

CREATE TABLE sandbox_cards (
  organization_id text COLLATE "C" NOT NULL,
  ref             text COLLATE "C" NOT NULL,
  behaviour       text NOT NULL,
  brand           text NOT NULL,
  last4           text NOT NULL CHECK (length(last4) = 4),
  exp_month       integer NOT NULL CHECK (exp_month BETWEEN 1 AND 12),
  exp_year        integer NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, ref)
);

-- The primary key is what makes one charge of any number of requests with one key (rule D1).
CREATE TABLE sandbox_charges (
  organization_id text COLLATE "C" NOT NULL,
  key             text COLLATE "C" NOT NULL,
  card_ref        text COLLATE "C" NOT NULL,
  -- 0 and no currency: a card was saved, not charged.
  amount          bigint NOT NULL CHECK (amount >= 0),
  currency        text,
  presence        text NOT NULL CHECK (presence IN ('buyer', 'off_session')),
  status          text NOT NULL CHECK (status IN ('pending_action', 'succeeded', 'declined')),
  decline_code    text,
  -- In the address of the challenge page; not a digest, because a read gives that address again.
  action_token    text COLLATE "C",
  return_url      text NOT NULL,
  created_at      timestamptz NOT NULL,
  settled_at      timestamptz,
  PRIMARY KEY (organization_id, key),
  FOREIGN KEY (organization_id, card_ref) REFERENCES sandbox_cards (organization_id, ref),
  CHECK ((amount = 0) = (currency IS NULL)),
  CHECK ((status = 'pending_action') = (settled_at IS NULL)),
  CHECK (status <> 'pending_action' OR action_token IS NOT NULL),
  CHECK ((status = 'declined') = (decline_code IS NOT NULL))
);
CREATE UNIQUE INDEX sandbox_charges_action ON sandbox_charges (organization_id, action_token) WHERE action_token IS NOT NULL;

CREATE TABLE sandbox_refunds (
  organization_id text COLLATE "C" NOT NULL,
  key             text COLLATE "C" NOT NULL,
  charge_key      text COLLATE "C" NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  status          text NOT NULL CHECK (status IN ('succeeded', 'declined')),
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key),
  FOREIGN KEY (organization_id, charge_key) REFERENCES sandbox_charges (organization_id, key)
);
CREATE INDEX sandbox_refunds_charge ON sandbox_refunds (organization_id, charge_key);
