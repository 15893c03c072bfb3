-- The last result of `billow verify` for each Organization, which the dashboard shows. The instant is real time.
CREATE TABLE verifications (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  checked_at      timestamptz NOT NULL,
  -- The rules that did not hold, each as {"rule", "says", "count"}.
  disagreements   json NOT NULL
);
