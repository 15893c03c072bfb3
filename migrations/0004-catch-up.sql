-- What a live Organization missed is held until an operator approves it (rule T4).

-- When the clock was last seen at work; one row for the whole installation.
CREATE TABLE worker_heartbeat (
  one     boolean PRIMARY KEY DEFAULT true CHECK (one),
  seen_at timestamptz NOT NULL
);

-- From when on the clock had jumped: all that is due is held; null: only what fell behind by more than a period.
ALTER TABLE organizations ADD COLUMN catch_up_since timestamptz;
-- What was due by then may be carried out, however late.
ALTER TABLE organizations ADD COLUMN catch_up_approved_until timestamptz;
ALTER TABLE organizations ADD CONSTRAINT organizations_catch_up
  CHECK (mode = 'live' OR (catch_up_since IS NULL AND catch_up_approved_until IS NULL));

-- Since when what is due is held. A note for the sweeps and for reports: whether it is, is decided anew by whoever comes by.
ALTER TABLE subscriptions ADD COLUMN held_at timestamptz;
DROP INDEX subscriptions_due;
CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL AND NOT simulated AND held_at IS NULL;
CREATE INDEX subscriptions_held ON subscriptions (organization_id, id) WHERE held_at IS NOT NULL;
