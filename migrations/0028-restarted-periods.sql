-- While dunning suspends the access, no period begins (rule D8). The period that begins after such a gap is marked on
-- its invoice. The default of the column stands for all invoices from before this rule.
ALTER TABLE invoices ADD COLUMN restarted boolean NOT NULL DEFAULT false;
ALTER TABLE invoices ADD CONSTRAINT invoices_restarted CHECK (NOT restarted OR reason = 'renewal');
