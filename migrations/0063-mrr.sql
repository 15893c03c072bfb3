-- The MRR of each Subscription, its movements, and their sums by day (rules R1 to R6). All of this follows from the
-- events and the Subscriptions. The count reads the events of Subscriptions in turns, so an Organization from before this
-- migration is counted by the workers.
CREATE TABLE metric_progress (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  -- The count has read all events up to this id.
  read_until      text COLLATE "C" NOT NULL,
  -- Real time: when a worker counts next, at the beginning of the Organization's next day.
  due_at          timestamptz NOT NULL
);
CREATE INDEX metric_progress_due ON metric_progress (due_at);
INSERT INTO metric_progress (organization_id, read_until, due_at) SELECT id, '', statement_timestamp() FROM organizations;

-- A Subscription as its event `sequence` showed it, the last one that was counted.
CREATE TABLE mrr_states (
  organization_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  currency        text NOT NULL,
  sequence        integer NOT NULL,
  status          text NOT NULL,
  mrr             bigint NOT NULL,
  -- Whether the MRR was ever above zero.
  has_paid        boolean NOT NULL,
  PRIMARY KEY (organization_id, subscription_id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions (organization_id, id),
  CONSTRAINT mrr_states_mrr CHECK (mrr >= 0 AND (has_paid OR mrr = 0))
);
CREATE INDEX mrr_states_customer ON mrr_states (organization_id, customer_id);

-- A change of a Subscription's MRR or status, made by its event `sequence`. Append-only.
CREATE TABLE mrr_movements (
  organization_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  sequence        integer NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  currency        text NOT NULL,
  -- Billing time of the event.
  at              timestamptz NOT NULL,
  -- The date of `at`, as 2026-10-31, in the Organization's time zone as of the count. A later zone does not change it.
  day             text COLLATE "C" NOT NULL,
  -- Null: the MRR stayed.
  kind            text,
  amount          bigint NOT NULL,
  status_before   text,
  status          text NOT NULL,
  PRIMARY KEY (organization_id, subscription_id, sequence),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES mrr_states (organization_id, subscription_id),
  CONSTRAINT mrr_movements_kind CHECK (CASE
    WHEN kind IS NULL THEN amount = 0
    WHEN kind IN ('new', 'reactivation', 'expansion') THEN amount > 0
    WHEN kind IN ('contraction', 'churn') THEN amount < 0
    ELSE false
  END)
);
CREATE INDEX mrr_movements_day ON mrr_movements (organization_id, currency, day, subscription_id, sequence);

-- The sums of the movements of a day by kind, and the differences of the number of Subscriptions by status.
CREATE TABLE metric_days (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  currency        text NOT NULL,
  day             text COLLATE "C" NOT NULL,
  measure         text COLLATE "C" NOT NULL,
  amount          bigint NOT NULL,
  subscriptions   integer NOT NULL,
  PRIMARY KEY (organization_id, currency, day, measure),
  CONSTRAINT metric_days_measure CHECK (
    measure IN ('new', 'reactivation', 'expansion', 'contraction', 'churn', 'trialing', 'active', 'past_due'))
);

-- The revenue of a span of billing time.
CREATE INDEX ledger_transfers_created ON ledger_transfers (organization_id, created_at);
