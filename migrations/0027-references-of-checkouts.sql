-- Every Checkout of a Product locked the Product's row, and many at once did so together. Why these keys go, and how an orphan is found
-- without them: docs/decisions/0029-references-without-a-key.md.
ALTER TABLE checkouts DROP CONSTRAINT checkouts_organization_id_customer_id_fkey;
ALTER TABLE checkouts DROP CONSTRAINT checkouts_organization_id_product_id_fkey;
