import { formatInstant } from "../domain/calendar.ts";
import type { Event } from "../domain/event.ts";
import type { ListEventsQuery } from "../resources/event.ts";
import { tracedRows } from "../tracing/tracing.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { withRecords, type BatchStatement } from "./driver/batch-forms.ts";
import { DISTRIBUTED } from "./driver/statement.ts";
import { defineTable, recordsOf, toRecords } from "./driver/table.ts";
import { HEARS } from "./webhooks.ts";

const COLUMNS = {
  organizationId: "plain",
  id: "plain",
  type: "plain",
  resourceId: "plain",
  sequence: "plain",
  data: "json",
  createdAt: "instant",
} as const;
const table = defineTable<Event>("events", COLUMNS);

// An event waits to be spread only if an endpoint hears the event. The INSERT itself checks the endpoints, without an
// extra trip. Without the last condition, the event of an unknown Organization would vanish: that condition is computed
// once, before the rows, and a text other than `true` fails the statement. The place of the subquery keeps PostgreSQL
// from computing the failure when it plans.
const insertStatement = sql(
  "events.record",
  `INSERT INTO events AS e (organization_id, id, type, resource_id, sequence, data, created_at, dispatch_at)
   SELECT o.id, $2, $3, $4, $5::integer, $6::json, $7::timestamptz, CASE WHEN EXISTS (
     SELECT 1 FROM webhook_endpoints WHERE organization_id = $1 AND ${HEARS}) THEN statement_timestamp() END
   FROM organizations o WHERE o.id = $1
     AND COALESCE((SELECT 'true' FROM organizations WHERE id = $1), 'no Organization ' || $1)::boolean
   RETURNING dispatch_at IS NOT NULL AS due`,
);
const recordAll = (owner: string, key: string, from: string) =>
  `INSERT INTO events AS e (organization_id, id, type, resource_id, sequence, data, created_at, dispatch_at)
   SELECT ${owner}, r.id, r.type, r.resource_id, r.sequence, r.data, r.created_at, CASE WHEN EXISTS (
     SELECT 1 FROM webhook_endpoints w WHERE w.organization_id = ${key}
     AND ${HEARS}) THEN statement_timestamp() END
   FROM ${from}
   RETURNING dispatch_at IS NOT NULL AS due`;
const OWNER = "r.organization_id";
const insertAllStatement: BatchStatement = {
  any: sql("events.record_all", recordAll(OWNER, OWNER, `${recordsOf("events")} r`)),
  // Citus plans an INSERT with such a subquery only if the rows come from a table.
  ofOne: sql(
    `events.record_all${DISTRIBUTED}`,
    recordAll("o.id", "$1", `organizations o CROSS JOIN ${recordsOf("events", "$2")} r WHERE o.id = $1`),
  ),
};

export const events = {
  ...table,
  /** Inserts an event in the transaction of the change, to be spread later. Does not wait for the answer. */
  insert(tx: Tx, { organizationId, id, type, resourceId, sequence, data, createdAt }: Event): void {
    const values = [organizationId, id, type, resourceId, sequence, JSON.stringify(data), formatInstant(createdAt)];
    tracedRows("billow.event.id", [{ id }]);
    tx.send(insertStatement, values, "events");
  },
  /** Like `insert`, for events of any Organizations, in one statement. */
  insertAll(tx: Tx, rows: readonly Event[]): void {
    if (rows.length === 1) return events.insert(tx, rows[0]!);
    tracedRows("billow.event.id", rows);
    if (rows.length > 0) tx.send(...withRecords(tx, insertAllStatement, rows, toRecords(COLUMNS, rows)), "events");
  },
  /** Stores the event without spreading it. */
  insertSilently: table.insert,
};

const list = filteredList<Event, "cursor" | "type" | "resourceId">({
  name: "events.list",
  select: `SELECT ${events.columns()} FROM events WHERE organization_id = $1`,
  order: "id",
  values: {
    cursor: (value) => `id > ${value}`,
    type: (value) => `type = ${value}`,
    resourceId: (value) => `resource_id = ${value}`,
  },
});

// Ordered by time alone: in the order of ids, PostgreSQL would walk through all earlier years to find last week's
// events. If the event of the cursor is deleted (rule I4f), the page begins with the first kept event: a reader may get
// an event twice, but misses none.
const listByTimeStatement = sql(
  "events.list_by_time",
  `SELECT ${events.columns()} FROM events
   WHERE organization_id = $1 AND created_at >= $6 AND created_at < $7
     AND ($2::text IS NULL OR (created_at, id) > (COALESCE((SELECT created_at FROM events
     WHERE organization_id = $1 AND id = $2), '-infinity'), $2))
     AND ($3::text IS NULL OR type = $3) AND ($4::text IS NULL OR resource_id = $4)
   ORDER BY created_at, id LIMIT $5`,
);

/** In the order of writing, or of billing time if instants are given. Returns one row more than the page holds. */
export async function listEvents(db: Queryable, organizationId: string, query: ListEventsQuery): Promise<Event[]> {
  const { cursor, type, resourceId, limit, createdAfter, createdBefore } = query;
  if (createdAfter === undefined && createdBefore === undefined) return list(db, organizationId, query);
  const values = [organizationId, cursor, type, resourceId, limit + 1];
  const [from, to] = [createdAfter && formatInstant(createdAfter), createdBefore && formatInstant(createdBefore)];
  return db.query<Event>(listByTimeStatement, [...values, from ?? "-infinity", to ?? "infinity"]);
}

const newestStatement = sql(
  "events.list_newest",
  `SELECT ${events.columns()} FROM events WHERE organization_id = $1 ORDER BY id DESC LIMIT $2`,
);

/** The newest events of an Organization, the newest first. */
export function newestEvents(db: Queryable, organizationId: string, limit: number): Promise<Event[]> {
  return db.query<Event>(newestStatement, [organizationId, limit]);
}

// Rebuilds the JSON in `data` field by field, in the same order. `$3`: the replaced fields.
const BLANK = `UPDATE events SET data = (
     SELECT json_object_agg(field.key, COALESCE($3::json -> field.key, field.value) ORDER BY field.place)
     FROM json_each(data) WITH ORDINALITY AS field (key, value, place))
   WHERE organization_id = $1`;
const blankOwnStatement = sql("events.blank_own", `${BLANK} AND resource_id = $2`);
const blankRelatedStatement = sql(
  "events.blank_related",
  `${BLANK} AND resource_id IN (${["checkouts", "subscriptions", "invoices", "benefit_grants"]
    .map((name) => `SELECT id FROM ${name} WHERE organization_id = $1 AND customer_id = $2`)
    .join(" UNION ALL ")})`,
);
const blankRefundsStatement = sql(
  "events.blank_refunds",
  `${BLANK} AND resource_id IN (SELECT id FROM refunds WHERE organization_id = $1 AND customer_id = $2)`,
);

/**
 * Blanks a Customer in events (rule I5m). `own`: fields in events of the Customer. `related`: fields in events of the
 * Customer's Checkouts, Subscriptions, invoices and grants. `refunds`: fields in events of the Customer's refunds.
 */
export function blankEvents(
  tx: Tx,
  organizationId: string,
  customerId: string,
  blank: { own: object; related: object; refunds: object },
): void {
  tx.send(blankOwnStatement, [organizationId, customerId, JSON.stringify(blank.own)]);
  tx.send(blankRelatedStatement, [organizationId, customerId, JSON.stringify(blank.related)]);
  tx.send(blankRefundsStatement, [organizationId, customerId, JSON.stringify(blank.refunds)]);
}

// The ids of all resources of a Subscription: the Subscription itself, the Checkouts that sold or changed it, its
// invoices, and the refunds, payments, disputes and grants. Also the cards that were or are to be charged.
const OF_SUBSCRIPTION = `SELECT id FROM subscriptions WHERE organization_id = $1 AND id = $2
   UNION ALL SELECT checkout_id FROM subscriptions WHERE organization_id = $1 AND id = $2 AND checkout_id IS NOT NULL
   UNION ALL SELECT c.id FROM checkouts c JOIN subscriptions s
   ON (s.organization_id, s.customer_id) = (c.organization_id, c.customer_id)
     WHERE s.organization_id = $1 AND s.id = $2 AND c.subscription_id = $2 AND c.id IS DISTINCT FROM s.checkout_id
   UNION ALL SELECT id FROM invoices WHERE organization_id = $1 AND subscription_id = $2
   UNION ALL SELECT r.id FROM refunds r JOIN invoices i ON (i.organization_id, i.id) = (r.organization_id, r.invoice_id)
     WHERE i.organization_id = $1 AND i.subscription_id = $2
   UNION ALL SELECT p.id FROM payments p JOIN subscriptions s
   ON (s.organization_id, s.customer_id) = (p.organization_id, p.customer_id)
     WHERE s.organization_id = $1 AND s.id = $2 AND p.subscription_id = $2
   UNION ALL SELECT m.id FROM payment_methods m JOIN subscriptions s
   ON (s.organization_id, s.customer_id) = (m.organization_id, m.customer_id)
   JOIN customers c ON (c.organization_id, c.id) = (s.organization_id, s.customer_id)
     WHERE s.organization_id = $1 AND s.id = $2 AND (
       m.id = s.payment_method_id OR m.id = CASE WHEN s.claimed AND NOT EXISTS (SELECT 1 FROM payment_methods own
         WHERE own.organization_id = $1 AND own.id = s.payment_method_id AND NOT own.dead)
         THEN c.default_payment_method_id END
       OR EXISTS (SELECT 1 FROM payments q WHERE q.organization_id = $1
         AND q.customer_id = m.customer_id AND q.payment_method_id = m.id AND q.subscription_id = s.id))
   UNION ALL SELECT id FROM disputes WHERE organization_id = $1 AND subscription_id = $2
   UNION ALL SELECT id FROM benefit_grants WHERE organization_id = $1 AND subscription_id = $2`;
const timelineStatement = sql(
  "events.timeline",
  `SELECT ${events.columns()} FROM events
   WHERE organization_id = $1 AND resource_id IN (${OF_SUBSCRIPTION}) AND ($3::text IS NULL OR id > $3)
   ORDER BY id LIMIT $4`,
);
const beforeStatement = sql(
  "events.before",
  `SELECT ${events.columns()} FROM events
   WHERE organization_id = $1 AND resource_id = $2 AND sequence < $3 ORDER BY sequence DESC LIMIT 1`,
);

/** The events of a Subscription and of all its resources, in order; returns one row more than the page holds. */
export async function timelineEvents(
  db: Queryable,
  organizationId: string,
  subscriptionId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Event[]> {
  return db.query<Event>(timelineStatement, [organizationId, subscriptionId, cursor, limit + 1]);
}

/** The tables of a Customer's resources with events, beside the Customer's own row. */
const HELD = [
  "subscriptions",
  "checkouts",
  "invoices",
  "refunds",
  "payments",
  "disputes",
  "benefit_grants",
  "payment_methods",
];
/** The ids of a Customer and of all resources of the Customer. `$1`: the Organization; `customer`: the Customer. */
export const idsOfCustomer = (customer: string) =>
  [
    `SELECT id FROM customers WHERE organization_id = $1 AND id = ${customer}`,
    ...HELD.map((name) => `SELECT id FROM ${name} WHERE organization_id = $1 AND customer_id = ${customer}`),
  ].join(" UNION ALL ");
const ofCustomerStatement = sql(
  "events.of_customer",
  `SELECT ${events.columns()} FROM events
   WHERE organization_id = $1 AND resource_id IN (${idsOfCustomer("$2")}) AND ($3::text IS NULL OR id < $3)
   ORDER BY id DESC LIMIT $4`,
);

/** The events of a Customer and of all resources of the Customer, newest first; one row more than the page holds. */
export async function eventsOfCustomer(
  db: Queryable,
  organizationId: string,
  customerId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Event[]> {
  return db.query<Event>(ofCustomerStatement, [organizationId, customerId, cursor, limit + 1]);
}

/** The previous event of the same resource; null for the resource's first event. */
export async function eventBefore(
  db: Queryable,
  { organizationId, resourceId, sequence }: Event,
): Promise<Event | null> {
  return (await db.query<Event>(beforeStatement, [organizationId, resourceId, sequence]))[0] ?? null;
}
