-- Credit on an invoice that was held went to the balance and did not lower the invoice's price (rules I3, D7): the money that was
-- paid beside it can be refunded.
ALTER TABLE invoices DROP CONSTRAINT invoices_refunded;
ALTER TABLE invoices ADD CONSTRAINT invoices_refunded CHECK (
  refunded_amount <= LEAST(amount_paid, GREATEST(total_amount + coalesce((balance_basis ->> 'held')::bigint, 0), 0))
);
