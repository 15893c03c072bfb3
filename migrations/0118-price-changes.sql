-- Rounds that bring new prices to present Subscriptions (rule N1).
CREATE TABLE price_changes (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  -- The prices of a unit at the time of the request, each as {"currency", "amount"}. An edit of the catalogue does not change them.
  prices json NOT NULL,
  -- Only Subscriptions that began before; null: all.
  subscribed_before timestamptz,
  -- Only Subscriptions with a smaller price of a unit, in minor units; null: all.
  price_below bigint,
  notice_days integer NOT NULL,
  consent text NOT NULL,
  -- The number of Subscriptions with another price when the request came.
  found integer NOT NULL,
  -- Real time. Not null: the round has Subscriptions left.
  sync_at timestamptz,
  -- The id of the last Subscription that is done.
  sync_cursor text COLLATE "C",
  version bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id),
  CHECK (status IN ('running', 'paused', 'stopped', 'completed', 'withdrawing', 'withdrawn')),
  CHECK ((sync_at IS NOT NULL) = (status IN ('running', 'withdrawing'))),
  CHECK (notice_days BETWEEN 0 AND 120),
  CHECK (consent IN ('notice', 'required'))
);
CREATE INDEX price_changes_product ON price_changes (organization_id, product_id, id);
-- A Product has one unfinished round.
CREATE UNIQUE INDEX price_changes_unfinished ON price_changes (organization_id, product_id)
  WHERE status IN ('running', 'paused', 'withdrawing');
CREATE INDEX price_changes_sync ON price_changes (sync_at) WHERE sync_at IS NOT NULL;

-- One row for each Subscription that a round has found, written in the transaction of its Customer (rule N9).
CREATE TABLE price_change_subscriptions (
  organization_id text COLLATE "C" NOT NULL,
  price_change_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  reason text,
  currency text NOT NULL,
  quantity integer NOT NULL,
  unit_amount_before bigint NOT NULL,
  unit_amount bigint NOT NULL,
  -- Null: the Subscription is left out.
  effective_at timestamptz,
  consented_at timestamptz,
  created_at timestamptz NOT NULL,
  -- The instant of the move, of the withdrawal or of the end; null: scheduled or left out.
  settled_at timestamptz,
  PRIMARY KEY (organization_id, price_change_id, subscription_id),
  FOREIGN KEY (organization_id, price_change_id) REFERENCES price_changes (organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  CHECK (status IN ('scheduled', 'applied', 'withdrawn', 'ended', 'left_out')),
  CHECK ((reason IS NOT NULL) = (status IN ('withdrawn', 'ended', 'left_out'))),
  CHECK ((effective_at IS NULL) = (status = 'left_out')),
  CHECK ((settled_at IS NULL) = (status IN ('scheduled', 'left_out')))
);
CREATE INDEX price_change_subscriptions_status
  ON price_change_subscriptions (organization_id, price_change_id, status, reason, subscription_id);
-- The explanation of an invoice names the notice of its new price.
CREATE INDEX price_change_subscriptions_subscription
  ON price_change_subscriptions (organization_id, subscription_id);

-- The prices of a Product with their time in the catalogue (rule N10).
CREATE TABLE product_prices (
  organization_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  valid_from timestamptz NOT NULL,
  -- Null: the price is in the catalogue.
  valid_until timestamptz,
  amount bigint NOT NULL,
  PRIMARY KEY (organization_id, product_id, currency, valid_from),
  FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id)
);
CREATE UNIQUE INDEX product_prices_present ON product_prices (organization_id, product_id, currency)
  WHERE valid_until IS NULL;

ALTER TABLE subscriptions
  -- The price that waits for its first period: {priceChangeId, unitAmount, effectiveAt, consent, consentedAt, remindAt}.
  ADD COLUMN price_change json,
  -- The price of a unit that a request without a Checkout has set: {productId, unitAmount}. No round moves it (rule N3).
  ADD COLUMN own_price json;
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_price_change
  CHECK (status <> 'canceled' OR price_change IS NULL) NOT VALID;
