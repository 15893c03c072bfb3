-- The pauses that Customers may make in the portal: {longestMonths, perYear, access}; null: none (rule S8l).
ALTER TABLE organizations ADD COLUMN portal_pause json;
-- The begins of the pauses of the last year, in milliseconds.
ALTER TABLE subscriptions ADD COLUMN pauses_begun json NOT NULL DEFAULT '[]';

DROP INDEX emails_unwritten;
ALTER INDEX emails_unwritten_with_pauses RENAME TO emails_unwritten;
