-- The Stripe adapter's own book: no reference to Billow's tables, none from them, and real time only. A row is written
-- before the first request to Stripe, so that each repetition finds the object that an earlier request made.
CREATE TABLE stripe_requests (
  organization_id  text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  key              text COLLATE "C" NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('charge', 'setup', 'charge_page', 'setup_page', 'refund')),
  -- A digest of card, amount and currency: a second request with this key and another digest is a fault of ours.
  request_hash     text NOT NULL,
  -- Of a charge or a refund: Stripe's amounts have a unit that follows the currency.
  currency         text,
  -- Of a refund: the key of the refunded charge.
  charge_key       text COLLATE "C",
  -- The number within the Idempotency-Key of the creation. A new number follows each definite refusal or failure,
  -- because Stripe repeats the first answer to a key for a day.
  attempt          integer NOT NULL CHECK (attempt > 0),
  -- The id of the PaymentIntent, SetupIntent, Checkout Session or refund; null until the answer to its creation.
  object_id        text COLLATE "C",
  -- The intent behind object_id. The intent of a Checkout Session is known when the buyer has paid.
  intent_id        text COLLATE "C",
  -- The bank asked for the buyer off-session, so the intent was confirmed once more for the buyer's presence.
  is_challenged    boolean NOT NULL,
  given_up         boolean NOT NULL,
  -- The outcome that was written down before the intent was canceled. The outcome is final after the cancellation.
  verdict          json,
  outcome          json,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, provider_account, key),
  CHECK ((kind = 'refund') = (charge_key IS NOT NULL)),
  CHECK (object_id IS NOT NULL OR intent_id IS NULL)
);
CREATE UNIQUE INDEX stripe_requests_object ON stripe_requests (organization_id, provider_account, object_id)
  WHERE object_id IS NOT NULL;
CREATE UNIQUE INDEX stripe_requests_intent ON stripe_requests (organization_id, provider_account, intent_id)
  WHERE intent_id IS NOT NULL;

CREATE TABLE stripe_customers (
  organization_id  text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  customer_id      text COLLATE "C" NOT NULL,
  ref              text COLLATE "C" NOT NULL,
  -- A digest of e-mail and name as Stripe has them, so that only a change is sent.
  payer_hash       text NOT NULL,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, provider_account, customer_id)
);
CREATE UNIQUE INDEX stripe_customers_ref ON stripe_customers (organization_id, provider_account, ref);
