-- A renewal writes fewer index entries and looks fewer rows up. docs/benchmarks.md has each index and key of these tables, its users and
-- its cost. Why these foreign keys go, and how an orphan is found without them: docs/decisions/0029-references-without-a-key.md.

ALTER TABLE emails DROP CONSTRAINT emails_organization_id_customer_id_fkey;
ALTER TABLE emails DROP CONSTRAINT emails_organization_id_invoice_id_fkey;
ALTER TABLE emails DROP CONSTRAINT emails_organization_id_payment_id_fkey;
ALTER TABLE emails DROP CONSTRAINT emails_organization_id_subscription_id_fkey;
ALTER TABLE invoice_lines DROP CONSTRAINT invoice_lines_organization_id_invoice_id_fkey;
ALTER TABLE invoice_lines DROP CONSTRAINT invoice_lines_organization_id_subscription_id_fkey;
ALTER TABLE invoices DROP CONSTRAINT invoices_organization_id_customer_id_fkey;
ALTER TABLE invoices DROP CONSTRAINT invoices_organization_id_subscription_id_fkey;
ALTER TABLE payments DROP CONSTRAINT payments_organization_id_customer_id_fkey;
ALTER TABLE payments DROP CONSTRAINT payments_organization_id_payment_method_id_fkey;

-- A transfer is found by its source alone, and no row names its id.
ALTER TABLE ledger_transfers DROP CONSTRAINT ledger_transfers_pkey;
ALTER TABLE ledger_transfers DROP CONSTRAINT ledger_transfers_organization_id_source_id_kind_debit_accou_key;
ALTER TABLE ledger_transfers ADD CONSTRAINT ledger_transfers_pkey
  PRIMARY KEY (organization_id, source_id, kind, debit_account, credit_account);

DROP INDEX emails_kind;
DROP INDEX emails_status;
-- For the filter of a list by kind, by status, or by both: there are few kinds and few statuses.
CREATE INDEX emails_kind ON emails (organization_id, kind, status, id);

-- The few invoices among the many that a list may ask for. A renewal that is paid is in neither.
CREATE INDEX invoices_void ON invoices (organization_id, id) WHERE status = 'void';
CREATE INDEX invoices_reason ON invoices (organization_id, reason, id) WHERE reason <> 'renewal';

-- An attempt at an invoice has the invoice as its source: `payments_live` finds those that did not fail, `payments_source` those that did.
-- Only the charge of a Checkout or of a change is for an invoice that was made afterwards.
DROP INDEX payments_invoice;
DROP INDEX payments_source;
CREATE INDEX payments_invoice ON payments (organization_id, invoice_id) WHERE invoice_id <> source_id;
CREATE INDEX payments_source ON payments (organization_id, source_id, id) WHERE status = 'failed';
-- The few payments among the many that a list may ask for.
CREATE INDEX payments_failed ON payments (organization_id, id) WHERE status = 'failed';
CREATE INDEX payments_purpose ON payments (organization_id, purpose, id) WHERE purpose <> 'renewal';

-- The few Subscriptions among the many that a list may ask for.
CREATE INDEX subscriptions_status ON subscriptions (organization_id, status, id) WHERE status <> 'active';

-- Only settled deliveries are ever deleted, and a delivery is written several times before.
DROP INDEX webhook_deliveries_created;
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at) WHERE attempt_at IS NULL;
CREATE INDEX webhook_endpoints_listeners ON webhook_endpoints (expires_at) WHERE kind = 'listener';

-- A page keeps room for a new version of each row: an update that touches no index then writes no index entry. Rows that renewals update
-- come to take this space in any case.
ALTER TABLE customers SET (fillfactor = 50);
ALTER TABLE subscriptions SET (fillfactor = 50);
ALTER TABLE balances SET (fillfactor = 70);
