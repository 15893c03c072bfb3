-- Discounts (rules X1, X2) and tax (rule X3). What a line was computed from is kept beside it, so that it can be explained without
-- being guessed again.

CREATE TABLE discounts (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  code            text COLLATE "C" NOT NULL,
  -- What codes are compared by: upper case.
  code_key        text COLLATE "C" NOT NULL,
  type            text NOT NULL CHECK (type IN ('percentage', 'fixed')),
  basis_points    integer CHECK (basis_points BETWEEN 1 AND 10000),
  amount          bigint CHECK (amount > 0),
  currency        text,
  duration        text NOT NULL CHECK (duration IN ('once', 'repeating', 'forever')),
  months          integer CHECK (months > 0),
  max_redemptions integer CHECK (max_redemptions > 0),
  -- Its rows in discount_redemptions, counted here so that the last one can't be taken twice.
  redemptions     integer NOT NULL CHECK (redemptions >= 0),
  starts_at       timestamptz,
  ends_at         timestamptz,
  product_ids     json,
  deleted_at      timestamptz,
  version         bigint NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CHECK ((type = 'percentage') = (basis_points IS NOT NULL)),
  CHECK ((type = 'fixed') = (amount IS NOT NULL) AND (type = 'fixed') = (currency IS NOT NULL)),
  CHECK ((duration = 'repeating') = (months IS NOT NULL))
);
CREATE UNIQUE INDEX discounts_code ON discounts (organization_id, code_key) WHERE deleted_at IS NULL;

-- Reserved when a payment is submitted, given back when it fails (rule X1).
CREATE TABLE discount_redemptions (
  organization_id text COLLATE "C" NOT NULL,
  checkout_id     text COLLATE "C" NOT NULL,
  discount_id     text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, checkout_id),
  FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts (organization_id, id),
  FOREIGN KEY (organization_id, discount_id) REFERENCES discounts (organization_id, id)
);
CREATE INDEX discount_redemptions_discount ON discount_redemptions (organization_id, discount_id);

-- The discount's terms as they were when the Checkout was made; on a Subscription also since when it applies.
ALTER TABLE checkouts ADD COLUMN discount json;
-- Where the buyer said to be on the page; null: where the Customer is.
ALTER TABLE checkouts ADD COLUMN billing json;
-- The rate for that place; null while rates exist and the place is not known.
ALTER TABLE checkouts ADD COLUMN tax json DEFAULT '{"rate":null}';

ALTER TABLE subscriptions ADD COLUMN discount json;
-- The tax that the period in progress was billed at: a credit for it bears the same (rule X3).
ALTER TABLE subscriptions ADD COLUMN paid_tax json;
-- Of a buyer who only typed an e-mail; null: the Customer's.
ALTER TABLE subscriptions ADD COLUMN billing json;

ALTER TABLE invoice_lines ADD COLUMN tax json;
ALTER TABLE invoice_lines ADD COLUMN basis json;

ALTER TABLE invoices ADD COLUMN tax_included_amount bigint NOT NULL DEFAULT 0;
ALTER TABLE invoices ADD COLUMN balance_basis json;
ALTER TABLE invoices DROP CONSTRAINT invoices_check;
ALTER TABLE invoices ADD CONSTRAINT invoices_total
  CHECK (total_amount = subtotal_amount - discount_amount + tax_amount - tax_included_amount);
