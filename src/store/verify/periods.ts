import { rule, utc, type Rule } from "./rule.ts";

const START = utc("i.period_start");
const END = utc("i.period_end");

// A trial is the first period and has no invoice. A Subscription without a Checkout may begin within a period that
// was paid elsewhere.
const FIRST = `CASE WHEN s.trial_end IS NOT NULL THEN 2 WHEN s.checkout_id IS NULL
  AND i.lowest IS DISTINCT FROM 1 THEN 2 ELSE 1 END`;

/** Rule S2: one invoice for each period, and periods that follow each other without gaps. */
export const PERIOD_RULES: readonly Rule[] = [
  rule(
    "period_invoices",
    "A Subscription does not have exactly one invoice for each of its periods (rule S2).",
    `SELECT id AS subscription, period_number AS periods, first AS "firstInvoiced", invoices, lowest, highest
     FROM (
       SELECT s.id, s.period_number, i.lowest, i.highest, ${FIRST} AS first, coalesce(i.invoices, 0) AS invoices,
         coalesce(i.different, 0) AS different
       FROM subscriptions s LEFT JOIN (
         SELECT subscription_id, count(*) AS invoices, count(DISTINCT period_number) AS different,
         min(period_number) AS lowest, max(period_number) AS highest
         FROM invoices WHERE organization_id = $1 AND period_number IS NOT NULL GROUP BY subscription_id
       ) i ON i.subscription_id = s.id
       WHERE s.organization_id = $1
     ) AS numbered
     WHERE invoices <> period_number - first + 1 OR different <> invoices
       OR (invoices > 0 AND (lowest, highest) <> (first, period_number))`,
  ),
  rule(
    "period_order",
    "A period begins neither where the one before ends, nor within that one because of a change, nor after a " +
      "suspension or a pause (rules S2, T2, D8, S8).",
    `SELECT id AS invoice, subscription_id AS subscription, period_number AS period, reason,
      ${utc("period_start")} AS "periodStart",
       ${utc("period_end")} AS "periodEnd", ${utc("before_start")} AS "previousStart",
       ${utc("before_end")} AS "previousEnd"
     FROM (
       SELECT i.id, i.subscription_id, i.period_number, i.reason, i.restarted, i.period_start, i.period_end,
       lag(i.period_start) OVER w AS before_start, lag(i.period_end) OVER w AS before_end, s.checkout_id, s.started_at,
       s.trial_end
       FROM invoices i JOIN subscriptions s ON s.organization_id = i.organization_id AND s.id = i.subscription_id
       WHERE i.organization_id = $1 AND i.period_number IS NOT NULL
       WINDOW w AS (PARTITION BY i.subscription_id ORDER BY i.period_number)
     ) AS invoice
     WHERE period_start >= period_end OR NOT coalesce(CASE
       WHEN period_number = 1 THEN period_start = started_at
       WHEN period_number = 2 AND trial_end IS NOT NULL
         THEN (period_start = trial_end OR restarted AND period_start > trial_end) AND reason = 'renewal'
       WHEN before_end IS NULL THEN checkout_id IS NULL
       WHEN restarted THEN period_start >= before_end
       WHEN reason = 'renewal' THEN period_start = before_end
       ELSE period_start >= before_start AND period_start < before_end END, false)`,
  ),
  rule(
    "period_current",
    "A Subscription's period is not that of its last invoice, or of its trial (rule S2).",
    `SELECT s.id AS subscription, s.period_number AS period, ${utc("s.current_period_start")} AS "periodStart",
       ${utc("s.current_period_end")} AS "periodEnd", i.id AS invoice, ${START} AS "invoiceStart",
       ${END} AS "invoiceEnd",
       ${utc("s.trial_start")} AS "trialStart", ${utc("s.trial_end")} AS "trialEnd"
     FROM subscriptions s
     LEFT JOIN invoices i ON i.organization_id = s.organization_id AND i.subscription_id = s.id
     AND i.period_number = s.period_number
     WHERE s.organization_id = $1 AND (s.current_period_start, s.current_period_end) <> (
       coalesce(i.period_start, CASE s.period_number WHEN 1 THEN s.trial_start END, s.current_period_start),
       coalesce(i.period_end, CASE s.period_number WHEN 1 THEN s.trial_end END, s.current_period_end))`,
  ),
];
