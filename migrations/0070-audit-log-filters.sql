-- The audit log by caller and by operation.
CREATE INDEX audit_log_actor ON audit_log (organization_id, actor_id, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_log_operation ON audit_log (organization_id, operation, id);
-- People and commands are few among the keys of programs.
CREATE INDEX audit_log_actor_type ON audit_log (organization_id, actor_type, id) WHERE actor_type IN ('user', 'cli');
