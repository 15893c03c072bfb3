-- A link that a person of the dashboard made, to be sent to the Customer: the link is good for a day, and shows a button.
ALTER TABLE portal_links ADD COLUMN for_support boolean NOT NULL DEFAULT false;
