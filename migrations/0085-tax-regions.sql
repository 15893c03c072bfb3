-- Regions were compared as texts: a tax rate for "Quebec" missed an address with "QC". They are compared as regions now.
-- The step of this migration (src/store/tax-region-review.ts) looks through the addresses once, and keeps here the
-- Customers with a changed tax. The row is deleted when the seller saves the tax rates.
CREATE TABLE tax_region_reviews (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  -- Real time.
  reviewed_at     timestamptz NOT NULL,
  -- Each as {"country", "before", "after", "customers", "customerIds"}: the rate before (or null) and after, the number of
  -- the Customers, and the ids of the first ones.
  changes         json NOT NULL
);
