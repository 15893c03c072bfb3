-- Subscriptions of other billing systems that move to Billow (rule V).
CREATE TABLE imports (
  organization_id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  -- The account at the other system, or the name that the seller gives it.
  account text COLLATE "C" NOT NULL,
  -- The ids of the subscription and of its Customer there.
  ref text COLLATE "C" NOT NULL,
  customer_ref text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C",
  subscription_id text COLLATE "C",
  state text NOT NULL,
  -- The reasons of the last reading for which the subscription stays.
  reasons json NOT NULL,
  currency text NOT NULL,
  -- Minor units of a month, before discounts and taxes.
  monthly bigint NOT NULL,
  next_charge_at timestamptz,
  -- The total of the next invoice there and here, in minor units, before the balance; null: not compared yet.
  expected_total bigint,
  own_total bigint,
  -- The causes of a difference between the two.
  causes json NOT NULL,
  -- The seller has agreed to the difference.
  accepted boolean NOT NULL DEFAULT false,
  -- The last reading that was used.
  snapshot json,
  -- Minor units of credit that were taken over, below zero for a debt; null: the balance was not taken over.
  balance_moved bigint,
  stopping_at timestamptz,
  stopped_at timestamptz,
  moved_at timestamptz,
  finished_at timestamptz,
  checked_at timestamptz,
  -- The reason of an alarm, in a word; null: there is none.
  problem text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, source, account, ref),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  CHECK (source IN ('stripe', 'csv')),
  CHECK (state IN ('assessed', 'imported', 'stopping', 'moved', 'finished', 'left')),
  CHECK (state NOT IN ('imported', 'stopping', 'moved', 'finished') OR (customer_id IS NOT NULL AND subscription_id IS NOT NULL)),
  CHECK (state <> 'stopping' OR stopping_at IS NOT NULL),
  CHECK (state NOT IN ('moved', 'finished') OR moved_at IS NOT NULL),
  CHECK (state <> 'finished' OR finished_at IS NOT NULL)
);
-- A Subscription comes from one subscription.
CREATE UNIQUE INDEX imports_subscription ON imports (organization_id, subscription_id) WHERE subscription_id IS NOT NULL;
CREATE INDEX imports_customer ON imports (organization_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX imports_state ON imports (organization_id, state, source, account, ref);
-- The search of the dashboard.
CREATE INDEX imports_ref ON imports (organization_id, ref);
CREATE INDEX imports_customer_ref ON imports (organization_id, customer_ref);
-- The alarm of a stop that does not go on, and the check of both sides.
CREATE INDEX imports_stopping ON imports (stopping_at) WHERE state = 'stopping';
CREATE INDEX imports_checked ON imports (checked_at) WHERE state IN ('stopping', 'moved', 'finished');

-- The headers of reports.
CREATE TABLE import_runs (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  account text COLLATE "C" NOT NULL,
  step text NOT NULL,
  started_at timestamptz NOT NULL,
  -- Null: the step runs, or was cut off.
  finished_at timestamptz,
  sums json,
  PRIMARY KEY (organization_id, id),
  CHECK (source IN ('stripe', 'csv')),
  CHECK (step IN ('assess', 'import', 'cut_over', 'csv')),
  CHECK (finished_at IS NOT NULL OR sums IS NULL)
);
CREATE INDEX import_runs_step ON import_runs (organization_id, source, step, id);

ALTER TABLE subscriptions
  -- The subscription of another system from which this one was imported: {source, ref, isHeld}. Held: until the cut-over the other system
  -- charges, and no work is due here (rule V1).
  ADD COLUMN imported json;
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_import_held
  CHECK (due_at IS NULL OR imported IS NULL OR imported->>'isHeld' = 'false') NOT VALID;
