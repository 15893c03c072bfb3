-- A card of which a payment is disputed or lost is not charged off-session until the buyer pays with it again (rule D6).

-- By the fingerprint a card is known again that was given more than once. Cards that are on file already are told apart by what is known
-- of them, which for the sandbox provider is its fingerprint.
ALTER TABLE payment_methods ADD COLUMN fingerprint text COLLATE "C" NOT NULL DEFAULT '';
UPDATE payment_methods SET fingerprint = brand || '_' || last4 WHERE provider_ref <> '';
ALTER TABLE payment_methods ALTER COLUMN fingerprint DROP DEFAULT;

ALTER TABLE disputes ADD COLUMN card_cleared_at timestamptz;
-- Until now a disputed card was charged as ever. One that has paid since its dispute goes on being charged.
UPDATE disputes d SET card_cleared_at = since.at
FROM (
  SELECT d.organization_id, d.id, min(later.created_at) AS at
  FROM disputes d
  JOIN payments p ON (p.organization_id, p.id) = (d.organization_id, d.payment_id)
  JOIN payment_methods m ON (m.organization_id, m.id) = (p.organization_id, p.payment_method_id)
  JOIN payments later ON (later.organization_id, later.customer_id) = (d.organization_id, d.customer_id)
    AND later.kind = 'charge' AND later.status = 'succeeded' AND later.created_at > d.created_at
  JOIN payment_methods paying ON (paying.organization_id, paying.id) = (later.organization_id, later.payment_method_id)
    AND paying.fingerprint = m.fingerprint
  GROUP BY 1, 2
) since
WHERE (d.organization_id, d.id) = (since.organization_id, since.id) AND d.status <> 'won';
ALTER TABLE disputes ADD CHECK (card_cleared_at >= created_at);
