-- A deleted Customer is also forgotten by connected payment providers: the real time of the next request to them.
ALTER TABLE customers ADD COLUMN forget_at timestamptz;
CREATE INDEX customers_forget ON customers (forget_at) WHERE forget_at IS NOT NULL;
