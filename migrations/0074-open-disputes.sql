-- The overview of the dashboard shows the open disputes with the first deadlines. Without this index, PostgreSQL reads
-- all disputes of the Organization for them.
CREATE INDEX disputes_open ON disputes (organization_id, evidence_due_at, id) WHERE status IN ('inquiry', 'open');
