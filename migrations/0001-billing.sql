-- The whole of billing. Every table but the global ones (organizations, api_keys) has organization_id first in each key, so that a
-- reference across Organizations can't be written and the schema shards by it. No triggers, sequences, enums or functions of our own:
-- ids and instants come from the application. Text keys are COLLATE "C": the same order on every server. JSON is `json`, not `jsonb`:
-- it is not searched, and comes back as it was written, so that an answer keeps its bytes.

CREATE TABLE organizations (
  id                text COLLATE "C" PRIMARY KEY,
  name              text NOT NULL,
  mode              text NOT NULL CHECK (mode IN ('live', 'sandbox')),
  time_zone         text NOT NULL,
  default_currency  text NOT NULL,
  default_proration text NOT NULL CHECK (default_proration IN ('invoice_now', 'next_invoice', 'next_period', 'none')),
  retry_days        json NOT NULL,
  grace_days        integer NOT NULL CHECK (grace_days >= 0),
  tax_rates         json NOT NULL,
  branding          json NOT NULL,
  invoice_prefix    text NOT NULL,
  legal_name        text,
  address           json,
  tax_id            json,
  -- Billing time of a sandbox once its clock was set; null: real time (rule T1).
  clock_at          timestamptz,
  -- Where an advance is heading, and until when (real time) the process that carries it out may be believed alive (rule T5).
  clock_target      timestamptz,
  clock_lease_until timestamptz,
  clock_done        integer NOT NULL DEFAULT 0,
  version           bigint NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  CHECK (clock_at IS NULL OR mode = 'sandbox'),
  CHECK (clock_target IS NULL OR clock_at IS NOT NULL)
);
CREATE INDEX organizations_advancing ON organizations (clock_lease_until) WHERE clock_target IS NOT NULL;

-- Global, because a digest decides whose data a request is about.
CREATE TABLE api_keys (
  id              text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  name            text NOT NULL,
  scopes          json NOT NULL,
  digest          bytea NOT NULL UNIQUE,
  last4           text NOT NULL,
  replaced_by     text COLLATE "C",
  expires_at      timestamptz,
  revoked_at      timestamptz,
  last_used_at    timestamptz,
  created_at      timestamptz NOT NULL
);
CREATE INDEX api_keys_organization ON api_keys (organization_id, id);

CREATE TABLE benefits (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  key             text COLLATE "C",
  type            text NOT NULL CHECK (type IN ('feature', 'license_key', 'download', 'custom')),
  name            text NOT NULL,
  description     text,
  properties      json NOT NULL,
  metadata        json NOT NULL,
  deleted_at      timestamptz,
  version         bigint NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, key)
);

CREATE TABLE products (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  key             text COLLATE "C",
  name            text NOT NULL,
  description     text,
  -- A Customer has one live Subscription a group; null: the Product stands alone (rule C4).
  group_key       text COLLATE "C",
  "interval"      text CHECK ("interval" IN ('day', 'week', 'month', 'year')),
  interval_count  integer CHECK (interval_count > 0),
  trial_days      integer CHECK (trial_days > 0),
  trial_card      text NOT NULL CHECK (trial_card IN ('required', 'optional')),
  prices          json NOT NULL,
  benefit_ids     text[] NOT NULL,
  archived        boolean NOT NULL,
  metadata        json NOT NULL,
  -- Set when the benefits were edited: the sources of this Product are gone through in batches, up to the cursor so far (rule B1).
  sync_at         timestamptz,
  sync_cursor     text COLLATE "C",
  version         bigint NOT NULL,
  event_sequence  integer NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, key),
  CHECK (("interval" IS NULL) = (interval_count IS NULL)),
  CHECK ("interval" IS NOT NULL OR (trial_days IS NULL AND group_key IS NULL))
);
CREATE INDEX products_sync ON products (sync_at) WHERE sync_at IS NOT NULL;

CREATE TABLE customers (
  organization_id           text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id                        text COLLATE "C" NOT NULL,
  email                     text NOT NULL,
  -- What e-mail addresses are compared by: lower case, NFC.
  email_key                 text COLLATE "C" NOT NULL,
  name                      text,
  external_id               text COLLATE "C",
  billing_address           json,
  tax_id                    json,
  metadata                  json NOT NULL,
  default_payment_method_id text COLLATE "C",
  invoice_sequence          integer NOT NULL,
  version                   bigint NOT NULL,
  event_sequence            integer NOT NULL,
  created_at                timestamptz NOT NULL,
  updated_at                timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX customers_external_id ON customers (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX customers_email ON customers (organization_id, email_key) WHERE external_id IS NULL;
CREATE INDEX customers_email_any ON customers (organization_id, email_key, id);
-- Invoice numbers carry the last eight characters of the Customer's id, so these are unique too (rule I1).
CREATE UNIQUE INDEX customers_invoice_code ON customers (organization_id, right(id, 8));

CREATE TABLE payment_methods (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  provider        text NOT NULL,
  provider_ref    text NOT NULL,
  type            text NOT NULL CHECK (type IN ('card')),
  brand           text NOT NULL,
  last4           text NOT NULL,
  exp_month       integer NOT NULL,
  exp_year        integer NOT NULL,
  -- A hard decline (lost, stolen, closed): never charged again (rule D3).
  dead            boolean NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id)
);
CREATE INDEX payment_methods_customer ON payment_methods (organization_id, customer_id, id);

CREATE TABLE checkouts (
  organization_id      text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  status               text NOT NULL CHECK (status IN ('open', 'processing', 'completed', 'expired')),
  product_id           text COLLATE "C" NOT NULL,
  customer_id          text COLLATE "C",
  -- Whether the caller named the Customer; else a buyer typed an e-mail (their card never replaces a default).
  customer_named       boolean NOT NULL,
  subscription_id      text COLLATE "C",
  invoice_id           text COLLATE "C",
  -- Product and price as they were when the Checkout was made (rule C3).
  product_name         text NOT NULL,
  group_key            text COLLATE "C",
  currency             text NOT NULL,
  amount               bigint NOT NULL CHECK (amount >= 0),
  "interval"           text,
  interval_count       integer,
  trial_days           integer,
  trial_card           text NOT NULL,
  success_url          text,
  cancel_url           text,
  last_payment_error   json,
  failed_attempts      integer NOT NULL,
  submitted_at         timestamptz,
  metadata             json NOT NULL,
  expires_at           timestamptz NOT NULL,
  completed_at         timestamptz,
  due_at               timestamptz,
  simulated            boolean NOT NULL,
  version              bigint NOT NULL,
  event_sequence       integer NOT NULL,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
  CHECK (status NOT IN ('completed', 'processing') OR customer_id IS NOT NULL)
);
CREATE INDEX checkouts_customer ON checkouts (organization_id, customer_id, id);
CREATE INDEX checkouts_due ON checkouts (due_at) WHERE due_at IS NOT NULL AND NOT simulated;
CREATE INDEX checkouts_due_organization ON checkouts (organization_id, due_at) WHERE due_at IS NOT NULL;
-- A payment that was submitted reserves its (Customer, group): nothing can refuse its completion any more (rule C1).
CREATE UNIQUE INDEX checkouts_reserved_group ON checkouts (organization_id, customer_id, group_key)
  WHERE status = 'processing' AND group_key IS NOT NULL;

CREATE TABLE subscriptions (
  organization_id      text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  status               text NOT NULL CHECK (status IN ('trialing', 'active', 'past_due', 'canceled')),
  customer_id          text COLLATE "C" NOT NULL,
  product_id           text COLLATE "C" NOT NULL,
  checkout_id          text COLLATE "C",
  group_key            text COLLATE "C",
  currency             text NOT NULL,
  amount               bigint NOT NULL CHECK (amount >= 0),
  "interval"           text NOT NULL CHECK ("interval" IN ('day', 'week', 'month', 'year')),
  interval_count       integer NOT NULL CHECK (interval_count > 0),
  current_period_start timestamptz NOT NULL,
  current_period_end   timestamptz NOT NULL,
  -- Counts every period, also a trial and a restarted one; one invoice each (rule S2).
  period_number        integer NOT NULL CHECK (period_number > 0),
  -- Boundary n = anchor + n intervals in the anchor's zone; the current period ends at n = anchor_index (rule T2).
  anchor_at            timestamptz NOT NULL,
  anchor_time_zone     text NOT NULL,
  anchor_index         integer NOT NULL CHECK (anchor_index >= 0),
  -- What the period in progress was billed at; credits are counted from it (rules P, P3).
  paid_rate            bigint NOT NULL CHECK (paid_rate >= 0),
  trial_start          timestamptz,
  trial_end            timestamptz,
  cancel_at_period_end boolean NOT NULL,
  cancel_at            timestamptz,
  canceled_at          timestamptz,
  ended_at             timestamptz,
  cancellation_reason  text,
  cancellation_comment text,
  pending_change       json,
  -- The intent (rule P1) in whose charge the buyer's answer is awaited; what is due waits for it.
  change_id            text COLLATE "C",
  -- False: a buyer who typed an e-mail bought it; it is charged to their own card alone.
  customer_named       boolean NOT NULL,
  -- A trial that nothing can be charged for when it ends: then it is over (rule C2).
  card_missing         boolean NOT NULL,
  -- A card of its own; null: the Customer's default.
  payment_method_id    text COLLATE "C",
  first_failed_at      timestamptz,
  retry_days           json,
  retries_done         integer NOT NULL,
  next_retry_at        timestamptz,
  grace_ends_at        timestamptz,
  grants_suspended     boolean NOT NULL,
  -- From then on nothing is granted, whether or not a worker has come by: a planned end, the end of grace.
  access_ends_at       timestamptz,
  metadata             json NOT NULL,
  started_at           timestamptz NOT NULL,
  due_at               timestamptz,
  simulated            boolean NOT NULL,
  version              bigint NOT NULL,
  event_sequence       integer NOT NULL,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id),
  CHECK (current_period_start < current_period_end),
  CHECK ((status = 'canceled') = (ended_at IS NOT NULL)),
  CHECK (status <> 'canceled' OR (due_at IS NULL AND pending_change IS NULL AND change_id IS NULL)),
  CHECK (cancel_at_period_end = (cancel_at IS NOT NULL) OR status = 'canceled'),
  CHECK (NOT cancel_at_period_end OR canceled_at IS NOT NULL),
  CHECK (status <> 'trialing' OR (trial_end IS NOT NULL AND trial_end = current_period_end)),
  CHECK ((status = 'past_due') = (first_failed_at IS NOT NULL) OR status = 'canceled'),
  CHECK ((trial_start IS NULL) = (trial_end IS NULL))
);
CREATE INDEX subscriptions_customer ON subscriptions (organization_id, customer_id, id);
CREATE INDEX subscriptions_product ON subscriptions (organization_id, product_id, id);
CREATE UNIQUE INDEX subscriptions_group ON subscriptions (organization_id, customer_id, group_key)
  WHERE status <> 'canceled' AND group_key IS NOT NULL;
CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL AND NOT simulated;
CREATE INDEX subscriptions_due_organization ON subscriptions (organization_id, due_at) WHERE due_at IS NOT NULL;

-- One trial per Customer and group (rule C4), whatever became of its Subscription.
CREATE TABLE trials (
  organization_id text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  group_key       text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, customer_id, group_key),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id)
);

-- Changes that must charge now: recorded before the provider is called, applied or dropped by its answer (rule P1).
CREATE TABLE changes (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  status          text NOT NULL CHECK (status IN ('pending', 'applied', 'dropped')),
  plan            json NOT NULL,
  -- The target's group where it differs from the Subscription's: reserved until the change is settled.
  group_key       text COLLATE "C",
  decided_at      timestamptz NOT NULL,
  settled_at      timestamptz,
  -- Whose answer the settlement stores, even after a crash.
  request_id      text NOT NULL,
  idempotency     json,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  CHECK ((status = 'pending') = (settled_at IS NULL))
);
CREATE UNIQUE INDEX changes_pending ON changes (organization_id, subscription_id) WHERE status = 'pending';
CREATE INDEX changes_customer ON changes (organization_id, customer_id) WHERE status = 'pending';
CREATE UNIQUE INDEX changes_reserved_group ON changes (organization_id, customer_id, group_key)
  WHERE status = 'pending' AND group_key IS NOT NULL;

CREATE TABLE invoices (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  number          text COLLATE "C" NOT NULL,
  status          text NOT NULL CHECK (status IN ('open', 'paid', 'void')),
  reason          text NOT NULL CHECK (reason IN ('checkout', 'renewal', 'product_change')),
  customer_id     text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C",
  checkout_id     text COLLATE "C",
  -- The Subscription's period this invoice bills; null where it bills only lines within a period.
  period_number   integer,
  currency        text NOT NULL,
  subtotal_amount bigint NOT NULL,
  discount_amount bigint NOT NULL,
  tax_amount      bigint NOT NULL,
  total_amount    bigint NOT NULL,
  balance_applied bigint NOT NULL,
  amount_due      bigint NOT NULL CHECK (amount_due >= 0),
  amount_paid     bigint NOT NULL CHECK (amount_paid >= 0),
  refunded_amount bigint NOT NULL CHECK (refunded_amount >= 0),
  seller          json NOT NULL,
  buyer           json NOT NULL,
  period_start    timestamptz,
  period_end      timestamptz,
  next_attempt_at timestamptz,
  paid_at         timestamptz,
  voided_at       timestamptz,
  metadata        json NOT NULL,
  version         bigint NOT NULL,
  event_sequence  integer NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, number),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts (organization_id, id),
  CHECK (total_amount = subtotal_amount - discount_amount + tax_amount),
  CHECK (amount_due = total_amount - balance_applied),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK ((status = 'void') = (voided_at IS NOT NULL)),
  CHECK (amount_paid = CASE status WHEN 'paid' THEN amount_due ELSE 0 END)
);
CREATE UNIQUE INDEX invoices_period ON invoices (organization_id, subscription_id, period_number) WHERE period_number IS NOT NULL;
CREATE UNIQUE INDEX invoices_checkout ON invoices (organization_id, checkout_id) WHERE checkout_id IS NOT NULL;
CREATE INDEX invoices_customer ON invoices (organization_id, customer_id, id);
CREATE INDEX invoices_subscription ON invoices (organization_id, subscription_id, id);
CREATE INDEX invoices_open ON invoices (organization_id, subscription_id, id) WHERE status = 'open';

-- Lines without an invoice wait for the Subscription's next one (rules P, S4).
CREATE TABLE invoice_lines (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  invoice_id      text COLLATE "C",
  subscription_id text COLLATE "C",
  position        integer NOT NULL,
  description     text NOT NULL,
  product_id      text COLLATE "C" NOT NULL,
  amount          bigint NOT NULL,
  discount_amount bigint NOT NULL,
  tax_amount      bigint NOT NULL,
  proration       boolean NOT NULL,
  period_start    timestamptz,
  period_end      timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  CHECK (invoice_id IS NOT NULL OR subscription_id IS NOT NULL)
);
CREATE INDEX invoice_lines_invoice ON invoice_lines (organization_id, invoice_id, position) WHERE invoice_id IS NOT NULL;
CREATE INDEX invoice_lines_waiting ON invoice_lines (organization_id, subscription_id, id) WHERE invoice_id IS NULL;
CREATE INDEX invoice_lines_purchased ON invoice_lines (organization_id, product_id, invoice_id) WHERE subscription_id IS NULL;

CREATE TABLE payments (
  organization_id   text COLLATE "C" NOT NULL,
  id                text COLLATE "C" NOT NULL,
  -- A setup saves a card without charging it; it is no payment to anyone outside.
  kind              text NOT NULL CHECK (kind IN ('charge', 'setup')),
  status            text NOT NULL CHECK (status IN ('pending', 'requires_action', 'succeeded', 'failed', 'unknown')),
  customer_id       text COLLATE "C" NOT NULL,
  -- What is paid for: the Checkout, the change or the invoice.
  source_id         text COLLATE "C" NOT NULL,
  checkout_id       text COLLATE "C",
  change_id         text COLLATE "C",
  invoice_id        text COLLATE "C",
  subscription_id   text COLLATE "C",
  amount            bigint NOT NULL,
  currency          text NOT NULL,
  trigger           text NOT NULL CHECK (trigger IN ('checkout', 'renewal', 'product_change', 'retry', 'manual', 'new_card')),
  payment_method_id text COLLATE "C" NOT NULL,
  method            json NOT NULL,
  action_url        text,
  failure_code      text,
  -- Real time: when the provider is to be called or asked (rule D2).
  check_at          timestamptz,
  checks            integer NOT NULL,
  -- Nobody waits for the buyer any more: to be canceled at the provider, and settled by what that says.
  abandoned         boolean NOT NULL,
  settled_at        timestamptz,
  version           bigint NOT NULL,
  event_sequence    integer NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, payment_method_id) REFERENCES payment_methods (organization_id, id),
  CHECK ((status IN ('succeeded', 'failed')) = (settled_at IS NOT NULL)),
  CHECK ((status IN ('succeeded', 'failed')) = (check_at IS NULL)),
  CHECK (kind = 'setup' OR amount > 0)
);
-- At most one live or won attempt for one thing to be paid (rule D1).
CREATE UNIQUE INDEX payments_live ON payments (organization_id, source_id)
  WHERE status IN ('pending', 'requires_action', 'unknown', 'succeeded');
CREATE INDEX payments_check ON payments (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX payments_unsettled ON payments (organization_id, check_at) WHERE check_at IS NOT NULL;
CREATE INDEX payments_source ON payments (organization_id, source_id, id);
CREATE INDEX payments_customer ON payments (organization_id, customer_id, id);
CREATE INDEX payments_invoice ON payments (organization_id, invoice_id) WHERE invoice_id IS NOT NULL;

CREATE TABLE benefit_grants (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  benefit_id      text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C",
  invoice_id      text COLLATE "C",
  status          text NOT NULL CHECK (status IN ('active', 'revoked')),
  properties      json NOT NULL,
  reason          text NOT NULL,
  granted_at      timestamptz NOT NULL,
  revoked_at      timestamptz,
  version         bigint NOT NULL,
  event_sequence  integer NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, benefit_id) REFERENCES benefits (organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id),
  CHECK ((subscription_id IS NULL) <> (invoice_id IS NULL)),
  CHECK ((status = 'revoked') = (revoked_at IS NOT NULL))
);
-- A grant that comes back is the same row (rule B2).
CREATE UNIQUE INDEX benefit_grants_subscription ON benefit_grants (organization_id, customer_id, benefit_id, subscription_id)
  WHERE subscription_id IS NOT NULL;
CREATE UNIQUE INDEX benefit_grants_invoice ON benefit_grants (organization_id, customer_id, benefit_id, invoice_id)
  WHERE invoice_id IS NOT NULL;
CREATE INDEX benefit_grants_customer ON benefit_grants (organization_id, customer_id, id);
CREATE INDEX benefit_grants_source ON benefit_grants (organization_id, subscription_id) WHERE subscription_id IS NOT NULL;

-- In the Customer's favour when positive.
CREATE TABLE balances (
  organization_id text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  currency        text NOT NULL,
  amount          bigint NOT NULL,
  PRIMARY KEY (organization_id, customer_id, currency),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id)
);

CREATE TABLE balance_entries (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  currency        text NOT NULL,
  amount          bigint NOT NULL CHECK (amount <> 0),
  reason          text NOT NULL,
  invoice_id      text COLLATE "C",
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id)
);
CREATE INDEX balance_entries_customer ON balance_entries (organization_id, customer_id, id);

-- A row a transfer, so that debits equal credits by construction; each source is posted once a kind (rule I4). Append-only.
CREATE TABLE ledger_transfers (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  kind            text NOT NULL,
  source_id       text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  currency        text NOT NULL,
  debit_account   text NOT NULL,
  credit_account  text NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, source_id, kind, debit_account, credit_account),
  CHECK (debit_account <> credit_account)
);

CREATE TABLE events (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  type            text COLLATE "C" NOT NULL,
  resource_id     text COLLATE "C" NOT NULL,
  -- Counts that resource's own events, without gaps.
  sequence        integer NOT NULL,
  data            json NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, resource_id, sequence)
);
CREATE INDEX events_type ON events (organization_id, type, id);

-- Real time. The row is inserted in the transaction of the change, so a crash leaves no key stuck.
CREATE TABLE idempotency_keys (
  organization_id text COLLATE "C" NOT NULL,
  key             text COLLATE "C" NOT NULL,
  method          text NOT NULL,
  path            text COLLATE "C" NOT NULL,
  body_digest     bytea NOT NULL,
  status          integer,
  headers         json,
  body            text,
  -- The answer held a secret: known to have been given, not kept.
  withheld        boolean NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key, method, path)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
