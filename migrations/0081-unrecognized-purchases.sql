-- The overview of the dashboard counts the purchases that Customers did not recognize in the last 30 days (rule C13).
CREATE INDEX subscriptions_unrecognized ON subscriptions (organization_id, ended_at)
  WHERE cancellation_reason = 'unrecognized';
