-- Reports by month, and lists between two dates, read rows by the billing time of their creation.
CREATE INDEX invoices_created ON invoices (organization_id, created_at, id);
CREATE INDEX credit_notes_created ON credit_notes (organization_id, created_at, id);
