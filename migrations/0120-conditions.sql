-- The rows of before keep the new conditions of 0110, 0111, 0112, 0114 and 0118 already: these allow more, or a default of a column keeps
-- them.
-- Validation scans each table under a lock (SHARE UPDATE EXCLUSIVE) that lets readers and writers in. Therefore this file changes no table.
ALTER TABLE products VALIDATE CONSTRAINT products_quantity;
ALTER TABLE subscriptions VALIDATE CONSTRAINT subscriptions_status_check;
ALTER TABLE subscriptions VALIDATE CONSTRAINT subscriptions_pause;
ALTER TABLE mrr_movements VALIDATE CONSTRAINT mrr_movements_kind;
ALTER TABLE metric_days VALIDATE CONSTRAINT metric_days_measure;
ALTER TABLE payments VALIDATE CONSTRAINT payments_purpose;
ALTER TABLE benefit_grants VALIDATE CONSTRAINT benefit_grants_quantity;
ALTER TABLE subscriptions VALIDATE CONSTRAINT subscriptions_price_change;
