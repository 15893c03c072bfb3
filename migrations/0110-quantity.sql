-- A Product says in which quantities it is sold, and may name its unit in the languages of the pages (rules Q1, Q2). Each column has a
-- constant default, so no table is rewritten: rows of before read as one unit. 0117 has the rows that need more, and 0120 validates.
ALTER TABLE products
  ADD COLUMN quantity_minimum integer NOT NULL DEFAULT 1,
  ADD COLUMN quantity_maximum integer NOT NULL DEFAULT 1,
  ADD COLUMN unit_name json;
ALTER TABLE products
  ADD CONSTRAINT products_quantity CHECK (quantity_minimum >= 1 AND quantity_minimum <= quantity_maximum AND quantity_maximum <= 100000)
  NOT VALID;

-- The quantity that a Checkout sells, and the quantities among which its buyer may choose; null: the buyer may not (rule Q3).
ALTER TABLE checkouts
  ADD COLUMN quantity integer NOT NULL DEFAULT 1,
  ADD COLUMN quantity_change json,
  ADD COLUMN unit_name json;

-- The amount of a Subscription stays the total of a period (rule Q4).
ALTER TABLE subscriptions
  ADD COLUMN quantity integer NOT NULL DEFAULT 1;

-- The defaults of a rise and of a fall of the quantity, apart (rule Q7). Until now, one default held for every change.
ALTER TABLE organizations
  ADD COLUMN quantity_rise text NOT NULL DEFAULT 'invoice_now',
  ADD COLUMN quantity_fall text NOT NULL DEFAULT 'invoice_now';
