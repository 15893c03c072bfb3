-- The filling of a sandbox with the purchases of a made-up company: a list of steps, which follows from the
-- Organization's id and these instants. A worker does the steps in their order.
CREATE TABLE sandbox_fills (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  -- Billing time: all steps lie between these instants.
  begins_at       timestamptz NOT NULL,
  ends_at         timestamptz NOT NULL,
  -- The number of steps that are done, and of all steps.
  done            integer NOT NULL,
  steps           integer NOT NULL,
  -- A sentence with the reason why the steps do not go on. Null: they go on, or all are done.
  fault           text,
  -- Real time: when a worker may take the next step. Null: all steps are done, or a person has to let them go on.
  lease_until     timestamptz,
  CONSTRAINT sandbox_fills_done CHECK (done BETWEEN 0 AND steps),
  CONSTRAINT sandbox_fills_lease CHECK (lease_until IS NULL OR fault IS NULL AND done < steps)
);
CREATE INDEX sandbox_fills_due ON sandbox_fills (lease_until) WHERE lease_until IS NOT NULL;
