-- What license keys are used on (rule B4).

CREATE TABLE license_activations (
  organization_id text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  grant_id        text COLLATE "C" NOT NULL,
  -- The program's own words for the device, and whatever else it wants to know of it.
  label           text,
  metadata        json NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, grant_id) REFERENCES benefit_grants (organization_id, id)
);
CREATE INDEX license_activations_grant ON license_activations (organization_id, grant_id, id);

-- As many rows as the grant has above, written with them: grants are read far more often than keys are activated.
ALTER TABLE benefit_grants ADD COLUMN activations integer NOT NULL DEFAULT 0 CHECK (activations >= 0);

-- By what a program knows: the Organization and the key.
CREATE UNIQUE INDEX benefit_grants_license_key ON benefit_grants (organization_id, (properties->>'key'))
  WHERE properties->>'key' IS NOT NULL;
