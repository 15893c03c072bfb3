-- What an operator does about an open invoice: a manual attempt (rule D3), paid outside, void (rule S5).

-- The request that a manual attempt answers: its settlement keeps the answer, even after a crash.
ALTER TABLE payments ADD COLUMN request json;
ALTER TABLE payments ADD CONSTRAINT payments_request CHECK (request IS NULL OR trigger = 'manual');

-- Paid, but not through a payment provider: there is no payment for it.
ALTER TABLE invoices ADD COLUMN paid_outside boolean NOT NULL DEFAULT false;
ALTER TABLE invoices ADD COLUMN payment_note text;
ALTER TABLE invoices ADD COLUMN void_reason text;
ALTER TABLE invoices ADD CONSTRAINT invoices_paid_outside CHECK (status = 'paid' OR NOT paid_outside);
ALTER TABLE invoices ADD CONSTRAINT invoices_payment_note CHECK (paid_outside OR payment_note IS NULL);
ALTER TABLE invoices ADD CONSTRAINT invoices_void_reason CHECK (status = 'void' OR void_reason IS NULL);
