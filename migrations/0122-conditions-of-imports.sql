-- No row of before was imported, so each one keeps the condition of 0121. Validation lets readers and writers in.
ALTER TABLE subscriptions VALIDATE CONSTRAINT subscriptions_import_held;
