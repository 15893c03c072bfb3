-- The seller's own address for news about the Organization's payments. An e-mail to the seller has no Customer.
ALTER TABLE organizations ADD COLUMN contact_email text;
ALTER TABLE emails ALTER COLUMN customer_id DROP NOT NULL;

-- A connection has events of its own.
ALTER TABLE provider_connections
  ADD COLUMN id text COLLATE "C",
  ADD COLUMN version bigint NOT NULL DEFAULT 1,
  ADD COLUMN event_sequence integer NOT NULL DEFAULT 0;
UPDATE provider_connections SET id = 'pac_' || lpad(row_number::text, 26, '0')
  FROM (SELECT organization_id AS o, provider AS p, provider_account AS a, row_number() OVER () FROM provider_connections) n
  WHERE (organization_id, provider, provider_account) = (n.o, n.p, n.a);
ALTER TABLE provider_connections
  ALTER COLUMN id SET NOT NULL,
  ALTER COLUMN version DROP DEFAULT,
  ALTER COLUMN event_sequence DROP DEFAULT;
CREATE UNIQUE INDEX provider_connections_id ON provider_connections (organization_id, id);
