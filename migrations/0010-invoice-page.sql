-- Invoices that buyers pay on their page, to end a dunning (rules D2, D3).

-- The buyer gave the card on the invoice's page, and can be asked to authenticate there and then.
ALTER TABLE payments ADD COLUMN in_presence boolean NOT NULL DEFAULT false;
ALTER TABLE payments ADD CONSTRAINT payments_in_presence CHECK (NOT in_presence OR trigger = 'new_card');
