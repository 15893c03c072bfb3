-- The lists of the dashboard and the management API find the few rows of a state, a Product or a Subscription among a
-- million. The newest row comes first, so each index ends with the id.
CREATE INDEX checkouts_product ON checkouts (organization_id, product_id, id);
CREATE INDEX checkouts_status ON checkouts (organization_id, status, id) WHERE status <> 'completed';
CREATE INDEX checkouts_subscription ON checkouts (organization_id, subscription_id, id)
  WHERE subscription_id IS NOT NULL;
CREATE INDEX invoices_unpaid ON invoices (organization_id, id) WHERE status = 'open';
CREATE INDEX refunds_status ON refunds (organization_id, status, id) WHERE status <> 'succeeded';

-- The search finds a Customer by the beginning of a name, of its last word, or of a company, and by a card.
CREATE INDEX customers_company ON customers (organization_id, (lower(company_name) COLLATE "C"), id)
  WHERE company_name IS NOT NULL;
CREATE INDEX customers_name ON customers (organization_id, (lower(name) COLLATE "C"), id) WHERE name IS NOT NULL;
CREATE INDEX customers_surname ON customers (organization_id, (lower(substring(name FROM '\S+$')) COLLATE "C"), id)
  WHERE name IS NOT NULL;
CREATE INDEX payment_methods_last4 ON payment_methods (organization_id, last4, id);
