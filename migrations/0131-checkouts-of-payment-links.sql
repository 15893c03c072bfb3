-- A link shows how many Checkouts its page made, and how many of them were paid.
CREATE INDEX checkouts_payment_link ON checkouts (organization_id, payment_link_id, status)
  WHERE payment_link_id IS NOT NULL;
