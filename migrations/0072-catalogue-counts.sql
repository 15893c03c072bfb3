-- The dashboard says whom an edit of the catalogue touches. It counts the live Subscriptions of a Product and the grants
-- of a Benefit among a million rows, and reads these indexes alone. The columns beside the keys are only carried along.
DROP INDEX subscriptions_product;
CREATE INDEX subscriptions_product ON subscriptions (organization_id, product_id, id)
  INCLUDE (status, customer_id, grants_suspended);

DROP INDEX benefit_grants_benefit;
CREATE INDEX benefit_grants_benefit ON benefit_grants (organization_id, benefit_id, customer_id)
  INCLUDE (subscription_id, invoice_id) WHERE status = 'active';
