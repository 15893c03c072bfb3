import { mayLackEvents, rule, utc, type Rule } from "./rule.ts";

const STATUSES = "('trialing', 'active', 'past_due', 'paused')";

// The figures that the movements add up to, as `figuresOf` adds them up.
const SUMS = `SELECT currency, day, kind AS measure, amount, 1 AS subscriptions, 0 AS units FROM mrr_movements
     WHERE organization_id = $1 AND kind IS NOT NULL
   UNION ALL SELECT currency, day, status_before, 0, -1, -quantity_before FROM mrr_movements
     WHERE organization_id = $1 AND status_before IN ${STATUSES}
   UNION ALL SELECT currency, day, status, 0, 1, quantity FROM mrr_movements
     WHERE organization_id = $1 AND status IN ${STATUSES}`;

/** Rules R4 and R5: the counted MRR agrees with its movements, and the movements with the events. */
export const METRIC_RULES: readonly Rule[] = [
  rule(
    "mrr_movements",
    "The MRR of a Subscription is not the sum of its movements (rule R4).",
    `SELECT m.subscription_id AS subscription, m.mrr, coalesce(v.amount, 0) AS movements
     FROM (SELECT subscription_id, mrr FROM mrr_states WHERE organization_id = $1) m
     LEFT JOIN (
       SELECT subscription_id, sum(amount) AS amount FROM mrr_movements WHERE organization_id = $1 GROUP BY 1
     ) v USING (subscription_id)
     WHERE m.mrr <> coalesce(v.amount, 0)`,
  ),
  rule(
    "mrr_events",
    "A movement of MRR has another time, day, status or Customer than its event (rules R4, R5).",
    `SELECT v.subscription_id AS subscription, v.sequence, ${utc("v.at")} AS at, v.day, ${utc("e.created_at")} AS event,
       v.status, e.data ->> 'status' AS recorded
     FROM mrr_movements v LEFT JOIN events e
       ON e.organization_id = v.organization_id AND e.resource_id = v.subscription_id AND e.sequence = v.sequence
     WHERE v.organization_id = $1 AND (e.id IS NULL AND NOT (${mayLackEvents("v.subscription_id")} AND NOT EXISTS (
         SELECT 1 FROM events b WHERE b.organization_id = $1 AND b.resource_id = v.subscription_id
         AND b.sequence < v.sequence)) OR e.created_at <> v.at OR e.data ->> 'status' <> v.status
       OR e.data ->> 'customerId' <> v.customer_id OR e.data ->> 'currency' <> v.currency
       OR abs(v.day::date - (v.at AT TIME ZONE 'UTC')::date) > 1)`,
  ),
  rule(
    "metric_days",
    "A figure of a day is not the sum of the day's movements (rule R5).",
    `SELECT currency, day, measure, d.amount, d.subscriptions, d.units, coalesce(s.amount, 0) AS "movedAmount",
       coalesce(s.subscriptions, 0) AS "movedSubscriptions", coalesce(s.units, 0) AS "movedUnits"
     FROM (SELECT currency, day, measure, amount, subscriptions, units FROM metric_days WHERE organization_id = $1) d
     FULL JOIN (
       SELECT currency, day, measure, sum(amount) AS amount, sum(subscriptions) AS subscriptions,
         sum(units) AS units FROM (${SUMS}) moved
       GROUP BY 1, 2, 3
     ) s USING (currency, day, measure)
     WHERE coalesce(d.amount, 0) <> coalesce(s.amount, 0)
       OR coalesce(d.subscriptions, 0) <> coalesce(s.subscriptions, 0) OR coalesce(d.units, 0) <> coalesce(s.units, 0)`,
  ),
];
