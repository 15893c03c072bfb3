-- The metrics count units beside Subscriptions (rule R9). Each Subscription of an earlier day counts as one unit.
ALTER TABLE mrr_states
  ADD COLUMN quantity integer NOT NULL DEFAULT 1;
ALTER TABLE mrr_movements
  ADD COLUMN quantity_before integer NOT NULL DEFAULT 1,
  ADD COLUMN quantity integer NOT NULL DEFAULT 1;
ALTER TABLE metric_days
  ADD COLUMN units bigint NOT NULL DEFAULT 0;
