-- The log of events is read by billing time, too, which runs otherwise than the ids.
CREATE INDEX events_created ON events (organization_id, created_at, id);
