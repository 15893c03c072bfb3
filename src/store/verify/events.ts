import type { EventType } from "../../domain/event.ts";
import { mayLackEvents, rule, type Rule } from "./rule.ts";

/** Every table with rows that count their own events in `event_sequence`. */
export const TABLES_WITH_EVENTS = [
  "customers",
  "checkouts",
  "subscriptions",
  "invoices",
  "payments",
  "payment_methods",
  "benefit_grants",
  "webhook_endpoints",
  "products",
  "refunds",
  "disputes",
  "provider_connections",
  "payment_pauses",
] as const;

/**
 * A rule on the number of events of each row of `rows` (a table or a query). `expected`: for each type the number, as
 * SQL on the columns of the row `r`. There may be fewer if old events of the row were deleted.
 */
function eventRule(
  name: string,
  says: string,
  rows: string,
  expected: Partial<Record<EventType, string>>,
  where = "true",
): Rule {
  const wanted = Object.entries(expected).map(([type, times], n) => ({ type, times, column: `count_${n}` }));
  const columns = wanted.map(({ type, column }) => `coalesce(e.${column}, 0) AS "${type}"`);
  const more = wanted.map(({ column, times }) => `coalesce(e.${column}, 0) > ${times}`);
  const fewer = wanted.map(({ column, times }) => `coalesce(e.${column}, 0) < ${times}`);
  const counts = wanted.map(({ type, column }) => `count(*) FILTER (WHERE type = '${type}') AS ${column}`);
  const types = wanted.map(({ type }) => `'${type}'`);
  return rule(
    name,
    says,
    `SELECT r.id AS resource, ${columns.join(", ")}
     FROM ${rows} r LEFT JOIN (
       SELECT resource_id, ${counts.join(", ")} FROM events
       WHERE organization_id = $1 AND type IN (${types.join(", ")}) GROUP BY resource_id
     ) e ON e.resource_id = r.id
     WHERE r.organization_id = $1 AND ${where} AND (${more.join(" OR ")}
       OR (${fewer.join(" OR ")}) AND NOT ${mayLackEvents("r.id")})`,
  );
}

const is = (status: string) => `(r.status = '${status}')::integer`;
const INVOICES = `(
       SELECT i.organization_id, i.id, i.status, coalesce(f.refunds, 0) AS refunds
       FROM invoices i LEFT JOIN (
         SELECT invoice_id, count(*) AS refunds FROM refunds
         WHERE organization_id = $1 AND (status = 'succeeded' OR failed_late) GROUP BY invoice_id
       ) f ON f.invoice_id = i.id
       WHERE i.organization_id = $1
     )`;
const once = (what: string) => `${what} was not reported exactly once.`;

/**
 * Exactly one event for each resource and change, numbered without gaps. Of an old resource the first events, or all of
 * them, may be deleted (rule I4f).
 */
export const EVENT_RULES: readonly Rule[] = [
  rule(
    "event_numbers",
    "The events of a resource have a gap in their numbers, lack the first or last ones, or belong to no resource.",
    `WITH resource AS
      (${TABLES_WITH_EVENTS.map(
        (table) => `SELECT id, event_sequence FROM ${table}
        WHERE organization_id = $1`,
      ).join(" UNION ALL ")}), recorded AS (
       SELECT resource_id AS id, count(*) AS events, min(sequence) AS lowest, max(sequence) AS highest
       FROM events WHERE organization_id = $1 GROUP BY resource_id
     )
     SELECT id AS resource, r.event_sequence AS counted, coalesce(t.events, 0) AS events, t.lowest, t.highest
     FROM resource r FULL JOIN recorded t USING (id)
     WHERE r.event_sequence IS NULL OR t.highest <> r.event_sequence OR t.highest - t.lowest + 1 <> t.events
     OR (r.event_sequence <> coalesce(t.events, 0) AND NOT ${mayLackEvents("id")})`,
  ),
  eventRule("event_of_invoice", once("An invoice's state"), INVOICES, {
    "invoice.created": "1",
    "invoice.paid": is("paid"),
    "invoice.voided": is("void"),
    "invoice.refunded": "r.refunds",
  }),
  eventRule("event_of_refund", once("A refund or its failure"), "refunds", {
    "refund.created": "1",
    // A refund that failed before reasons were kept has no such event.
    "refund.failed": "(r.status = 'failed' AND r.failure_code IS NOT NULL)::integer",
  }),
  eventRule("event_of_dispute", once("A dispute's state"), "disputes", {
    "dispute.created": "1",
    "dispute.closed": "(r.closed_at IS NOT NULL)::integer",
  }),
  eventRule("event_of_payment_pause", once("A pause of the payments"), "payment_pauses", {
    "payments.paused": "1",
    "payments.resumed": "(r.ended_at IS NOT NULL)::integer",
  }),
  eventRule(
    "event_of_payment",
    once("A payment's outcome"),
    "payments",
    { "payment.succeeded": is("succeeded"), "payment.failed": is("failed") },
    "r.purpose <> 'setup'",
  ),
  eventRule("event_of_payment_method", once("The end of a card"), "payment_methods", {
    "payment_method.detached": "(r.detached_at IS NOT NULL)::integer",
  }),
  eventRule("event_of_checkout", once("A Checkout's state"), "checkouts", {
    // The page that finishes a change appears only in the answer to that change (rule P1), so its Checkout may have no
    // `checkout.created`.
    "checkout.created": "CASE WHEN r.change IS NULL THEN 1 ELSE coalesce(e.count_0, 0) END",
    "checkout.completed": is("completed"),
    "checkout.expired": is("expired"),
  }),
  eventRule("event_of_subscription", once("A Subscription's beginning or end"), "subscriptions", {
    "subscription.created": "1",
    "subscription.canceled": is("canceled"),
  }),
  eventRule("event_of_grant", "A grant was not reported as often as it was given.", "benefit_grants", {
    "benefit_grant.granted": `coalesce(e.count_1, 0) + ${is("active")}`,
    "benefit_grant.revoked": "coalesce(e.count_1, 0)",
  }),
];
