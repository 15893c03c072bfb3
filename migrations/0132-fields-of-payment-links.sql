-- The seller's own fields of the Checkouts of a link (rule C14a).
ALTER TABLE payment_links ADD COLUMN fields json;
