-- The daily check reads accounts with held subscriptions, too.
DROP INDEX imports_checked;
CREATE INDEX imports_checked ON imports (checked_at) WHERE state IN ('imported', 'stopping', 'moved', 'finished');
