-- Checkouts that change a Subscription (rule C6): bought by an Organization's link, or the page that finishes a change which could not be
-- paid (rule P1).

-- What is asked of the Subscription, and what it comes to, as it was last reckoned.
ALTER TABLE checkouts ADD COLUMN change json;

-- The Checkout whose payment applies the change; null: the card on file is charged.
ALTER TABLE changes ADD COLUMN checkout_id text COLLATE "C";
-- The page on which a change that was dropped can be finished.
ALTER TABLE changes ADD COLUMN page_id text COLLATE "C";
ALTER TABLE changes ALTER COLUMN request_id DROP NOT NULL;
ALTER TABLE changes ADD FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts (organization_id, id);
ALTER TABLE changes ADD FOREIGN KEY (organization_id, page_id) REFERENCES checkouts (organization_id, id);
CREATE INDEX changes_checkout ON changes (organization_id, checkout_id) WHERE checkout_id IS NOT NULL AND status = 'pending';
