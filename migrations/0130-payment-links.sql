-- Public pages on which buyers choose among Products. A click on such a page makes a Checkout (decision 0120).
CREATE TABLE payment_links (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text,
  name text NOT NULL,
  -- In the order of the page.
  product_ids text[] NOT NULL,
  -- Null: each Product in its default currency.
  currency text,
  -- Null: the number in the visited address, else the smallest one of the Product.
  quantity integer,
  -- {"minimum", "maximum"}: the quantities among which the buyer may choose.
  quantity_change json,
  discount_code text,
  allow_discount_codes boolean NOT NULL,
  locale text,
  success_url text,
  metadata json NOT NULL,
  active boolean NOT NULL,
  -- Added by the servers in batches. No version counts a visit.
  visits bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CHECK (cardinality(product_ids) BETWEEN 1 AND 10)
);
CREATE UNIQUE INDEX payment_links_key ON payment_links (organization_id, key);

ALTER TABLE checkouts
  -- The link whose page made the Checkout.
  ADD COLUMN payment_link_id text COLLATE "C",
  -- False: the page takes no typed discount code.
  ADD COLUMN allow_discount_codes boolean NOT NULL DEFAULT true;
