-- By default autovacuum waits for a fifth of a table: of 100 million rows, 20 million. These tables grow with each
-- renewal, so it comes earlier there. A vacuum after inserts marks pages that all transactions see. An index-only scan
-- skips them, and the later vacuum against the wrap-around of transaction ids finds them done.
ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE emails SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE invoices SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE invoice_lines SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE ledger_transfers SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE payments SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- Rows that are deleted after days, or changed at each renewal. Their number stays within bounds.
ALTER TABLE api_requests SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE idempotency_keys SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE customers SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE subscriptions SET (autovacuum_vacuum_scale_factor = 0.05);

-- Events may be deleted after an age that the operator sets. Workers read this table all the time, so its lock is taken
-- last: the settings above wait for a vacuum of their table, which may take hours.
ALTER TABLE metric_progress
  -- The id of the last event that was deleted because of its age; empty: none.
  ADD COLUMN deleted_until text COLLATE "C" NOT NULL DEFAULT '',
  -- Real time: when a worker looks for old events next.
  ADD COLUMN delete_at timestamptz NOT NULL DEFAULT '-infinity';
CREATE INDEX metric_progress_delete ON metric_progress (delete_at);
