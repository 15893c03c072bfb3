-- Charges that a buyer's bank takes back (rule D5). At most one of a payment is open or lost.

CREATE TABLE disputes (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  payment_id      text COLLATE "C" NOT NULL,
  invoice_id      text COLLATE "C",
  subscription_id text COLLATE "C",
  customer_id     text COLLATE "C" NOT NULL,
  status          text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  reason          text NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  currency        text NOT NULL,
  -- By how much losing it lowers what the Subscription's period of this number was billed at (rule P).
  rate_at_stake   bigint NOT NULL CHECK (rate_at_stake >= 0),
  period_number   integer,
  closed_at       timestamptz,
  version         bigint NOT NULL,
  event_sequence  integer NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, payment_id) REFERENCES payments (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  CHECK ((status = 'open') = (closed_at IS NULL)),
  CHECK (rate_at_stake = 0 OR (period_number IS NOT NULL AND subscription_id IS NOT NULL))
);
-- What was given back of a period may be more than a change has left of it: below zero, nothing is credited.
ALTER TABLE subscriptions DROP CONSTRAINT subscriptions_paid_rate_check;

CREATE UNIQUE INDEX disputes_standing ON disputes (organization_id, payment_id) WHERE status <> 'won';
CREATE INDEX disputes_customer ON disputes (organization_id, customer_id, id);
CREATE INDEX disputes_invoice ON disputes (organization_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX disputes_subscription ON disputes (organization_id, subscription_id, id) WHERE subscription_id IS NOT NULL;
