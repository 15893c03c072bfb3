-- The day on which a licensed program last validated its key on this device, in billing time; null: never yet.
ALTER TABLE license_activations ADD COLUMN last_seen_at timestamptz;
