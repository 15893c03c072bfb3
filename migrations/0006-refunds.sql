-- Refunds, and the credit notes that they make (rule I3).

CREATE TABLE refunds (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  invoice_id      text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  -- The charge that it gives back from; null: it goes to the balance.
  payment_id      text COLLATE "C",
  status          text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'unknown')),
  amount          bigint NOT NULL CHECK (amount > 0),
  tax_amount      bigint NOT NULL CHECK (tax_amount BETWEEN 0 AND amount),
  currency        text NOT NULL,
  "to"            text NOT NULL CHECK ("to" IN ('card', 'balance')),
  reason          text,
  revoke_grants   boolean NOT NULL,
  -- What it gives back of each line of the invoice, fixed when it is made.
  lines           json NOT NULL,
  -- By how much it lowered what the Subscription's period of this number was billed at (rule P); undone when it fails.
  rate_lowered    bigint NOT NULL CHECK (rate_lowered >= 0),
  period_number   integer,
  credit_note_id  text COLLATE "C",
  -- Real time: when the provider is to be called or asked (rule D2).
  check_at        timestamptz,
  checks          integer NOT NULL,
  settled_at      timestamptz,
  version         bigint NOT NULL,
  event_sequence  integer NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, payment_id) REFERENCES payments (organization_id, id),
  CHECK (("to" = 'card') = (payment_id IS NOT NULL)),
  CHECK ((status IN ('succeeded', 'failed')) = (settled_at IS NOT NULL)),
  CHECK ((settled_at IS NULL) = (check_at IS NOT NULL)),
  CHECK ((status = 'succeeded') = (credit_note_id IS NOT NULL)),
  CHECK (rate_lowered = 0 OR period_number IS NOT NULL)
);
CREATE INDEX refunds_check ON refunds (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX refunds_unsettled ON refunds (organization_id, id) WHERE check_at IS NOT NULL;
CREATE INDEX refunds_invoice ON refunds (organization_id, invoice_id, id);
CREATE INDEX refunds_customer ON refunds (organization_id, customer_id, id);

-- Immutable, as an invoice is; its lines are read and written as one.
CREATE TABLE credit_notes (
  organization_id     text COLLATE "C" NOT NULL,
  id                  text COLLATE "C" NOT NULL,
  number              text COLLATE "C" NOT NULL,
  customer_id         text COLLATE "C" NOT NULL,
  invoice_id          text COLLATE "C" NOT NULL,
  invoice_number      text COLLATE "C" NOT NULL,
  refund_id           text COLLATE "C" NOT NULL,
  currency            text NOT NULL,
  lines               json NOT NULL,
  subtotal_amount     bigint NOT NULL,
  tax_amount          bigint NOT NULL,
  tax_included_amount bigint NOT NULL,
  total_amount        bigint NOT NULL CHECK (total_amount > 0),
  seller              json NOT NULL,
  buyer               json NOT NULL,
  created_at          timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, number),
  UNIQUE (organization_id, refund_id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id),
  FOREIGN KEY (organization_id, refund_id) REFERENCES refunds (organization_id, id),
  CHECK (total_amount = subtotal_amount + tax_amount - tax_included_amount)
);
CREATE INDEX credit_notes_customer ON credit_notes (organization_id, customer_id, id);
CREATE INDEX credit_notes_invoice ON credit_notes (organization_id, invoice_id, id);

-- Counted where credit notes are numbered, and nowhere else (rule I3).
ALTER TABLE customers ADD COLUMN credit_note_sequence integer NOT NULL DEFAULT 0;

-- At most what was taken for it is given back of it.
ALTER TABLE invoices ADD CONSTRAINT invoices_refunded CHECK (refunded_amount <= LEAST(amount_paid, GREATEST(total_amount, 0)));
