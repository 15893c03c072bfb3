-- A buyer may give the card on a page of the built-in provider. Before that, the request for the payment names no card.
ALTER TABLE sandbox_charges
  ALTER COLUMN card_ref DROP NOT NULL,
  -- In the address of the page; not a digest, because a read gives that address again.
  ADD COLUMN page_token text COLLATE "C",
  -- In real time, also if the sandbox's clock is set: the provider is an outside party.
  ADD COLUMN page_expires_at timestamptz,
  -- The last card on the page was declined for this reason. The buyer may give another one.
  ADD COLUMN page_decline_code text,
  -- The address of a request that waits for the buyer is that of a challenge or of a page.
  DROP CONSTRAINT sandbox_charges_check2,
  ADD CONSTRAINT sandbox_charges_address
    CHECK (status <> 'pending_action' OR action_token IS NOT NULL OR page_token IS NOT NULL),
  ADD CONSTRAINT sandbox_charges_page_expiry CHECK ((page_token IS NULL) = (page_expires_at IS NULL)),
  ADD CONSTRAINT sandbox_charges_paid_by CHECK (status <> 'succeeded' OR card_ref IS NOT NULL);
CREATE UNIQUE INDEX sandbox_charges_page ON sandbox_charges (organization_id, page_token) WHERE page_token IS NOT NULL;
