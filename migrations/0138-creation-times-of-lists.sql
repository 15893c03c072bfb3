-- The lists of the dashboard between two days. The invoices have their index already.
CREATE INDEX customers_created ON customers (organization_id, created_at, id);
CREATE INDEX subscriptions_created ON subscriptions (organization_id, created_at, id);
CREATE INDEX payments_created ON payments (organization_id, created_at, id);
CREATE INDEX refunds_created ON refunds (organization_id, created_at, id);
CREATE INDEX disputes_created ON disputes (organization_id, created_at, id);
CREATE INDEX checkouts_created ON checkouts (organization_id, created_at, id);
