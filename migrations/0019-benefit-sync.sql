-- An edited Benefit is told of by each grant that shows it (rule B1): Customers are gone through in batches, up to the cursor so far.
-- Grants show the same since the version that a Benefit has in shown_version; a grant has told of the one in benefit_version. Of those that
-- there are it isn't known (0): the first edit is told by all of them.
ALTER TABLE benefits
  ADD COLUMN sync_at timestamptz,
  ADD COLUMN sync_cursor text COLLATE "C",
  ADD COLUMN shown_version bigint NOT NULL DEFAULT 0;
ALTER TABLE benefit_grants ADD COLUMN benefit_version bigint NOT NULL DEFAULT 0;
CREATE INDEX benefits_sync ON benefits (sync_at) WHERE sync_at IS NOT NULL;
CREATE INDEX benefit_grants_benefit ON benefit_grants (organization_id, benefit_id, customer_id) WHERE status = 'active';
