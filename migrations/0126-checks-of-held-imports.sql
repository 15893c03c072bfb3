-- The daily check reads accounts with held subscriptions, too. The index is built before the old one goes, so that no lock waits for it.
CREATE INDEX imports_checked_with_held ON imports (checked_at) WHERE state IN ('imported', 'stopping', 'moved', 'finished');
DROP INDEX imports_checked;
ALTER INDEX imports_checked_with_held RENAME TO imports_checked;
