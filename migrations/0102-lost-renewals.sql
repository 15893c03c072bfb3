-- The overview of the dashboard names the Subscriptions that ended lately because no card paid them.
CREATE INDEX subscriptions_unpaid_end ON subscriptions (organization_id, ended_at, id)
 WHERE status = 'canceled' AND cancellation_reason = 'payment_failed';
