-- An edited Benefit is told of by each grant that shows it (rule B1): Customers are gone through in batches, up to the cursor so far.
ALTER TABLE benefits
  ADD COLUMN sync_at timestamptz,
  ADD COLUMN sync_cursor text COLLATE "C";
CREATE INDEX benefits_sync ON benefits (sync_at) WHERE sync_at IS NOT NULL;
CREATE INDEX benefit_grants_benefit ON benefit_grants (organization_id, benefit_id, customer_id) WHERE status = 'active';
