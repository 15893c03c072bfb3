import type { Queue } from "./driver/notifier.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { FIRST_EMAIL, firstEmailsBy } from "./email-queue.ts";
import { FIRST_DELIVERY, firstDeliveriesBy } from "./webhook-queue.ts";

/** The queues that have no index by their instants, or no instants. */
type Other = "skips" | "redeliveries" | "events" | "deliveries" | "emails";
type ByInstant = Exclude<Queue, Other>;

/**
 * The waiting rows of a queue. `at`: the instant at which a row is due. An index holds these rows alone, by this
 * instant. `key`: the Organization's key.
 */
type Waiting = { table: string; at: string; where?: string; key?: string };
const BY_INSTANT: Record<ByInstant, Waiting> = {
  payments: { table: "payments", at: "check_at" },
  refunds: { table: "refunds", at: "check_at" },
  subscriptions: { table: "subscriptions", at: "due_at", where: "NOT simulated AND held_at IS NULL" },
  cards: { table: "payment_methods", at: "due_at", where: "NOT simulated" },
  checkouts: { table: "checkouts", at: "due_at", where: "NOT simulated" },
  products: { table: "products", at: "sync_at" },
  benefits: { table: "benefits", at: "sync_at" },
  "price-changes": { table: "price_changes", at: "sync_at" },
  "sign-ins": { table: "portal_requests", at: "asked_at" },
  clocks: { table: "organizations", at: "clock_lease_until", where: "clock_target IS NOT NULL", key: "id" },
  fills: { table: "sandbox_fills", at: "lease_until" },
  notices: { table: "provider_notices", at: "check_at" },
  forgotten: { table: "customers", at: "forget_at" },
  polls: { table: "provider_connections", at: "poll_at" },
  "provider-books": { table: "provider_book_imports", at: "import_at" },
  metrics: { table: "metric_progress", at: "due_at" },
};
const BY_INSTANT_ENTRIES = Object.entries(BY_INSTANT) as [ByInstant, Waiting][];

/** The first instant of each queue. In a queue without due instants every waiting row counts as due. */
const FIRST: Record<Other, string> = {
  skips: "SELECT skip_until FROM webhook_endpoints WHERE skip_until IS NOT NULL LIMIT 1",
  redeliveries: "SELECT statement_timestamp() FROM webhook_redeliveries LIMIT 1",
  events: "SELECT dispatch_at FROM events WHERE dispatch_at IS NOT NULL LIMIT 1",
  deliveries: FIRST_DELIVERY,
  emails: FIRST_EMAIL,
};
const firstByInstant = ({ table, at, where = "true" }: Waiting) =>
  `SELECT ${at} FROM ${table} WHERE ${at} IS NOT NULL AND ${where} ORDER BY ${at} LIMIT 1`;
const FIRST_ENTRIES = [
  ...BY_INSTANT_ENTRIES.map(([queue, waiting]) => [queue, firstByInstant(waiting)] as const),
  ...(Object.entries(FIRST) as [Other, string][]),
];

// Workers ask several times a second, so a distributed database reads only the rows that are due within a second.
const SOON = "statement_timestamp() + interval '1 second'";
const rowsOf = (queue: Queue, key: string, at: string, from: string) =>
  `SELECT ${key} AS organization_id, '${queue}' AS queue, ${at} AS at FROM ${from}`;
const dueOf = (queue: Queue, { table, at, where = "true", key = "organization_id" }: Waiting) =>
  rowsOf(queue, key, at, `${table} WHERE ${at} <= ${SOON} AND ${where}`);
const DUE: Record<Other, string> = {
  skips: rowsOf("skips", "organization_id", "skip_until", "webhook_endpoints WHERE skip_until IS NOT NULL"),
  redeliveries: rowsOf("redeliveries", "organization_id", "statement_timestamp()", "webhook_redeliveries"),
  events: rowsOf(
    "events",
    "o.id",
    "(SELECT min(dispatch_at) FROM events e WHERE e.organization_id = o.id AND e.dispatch_at IS NOT NULL)",
    `organizations o
     WHERE EXISTS (SELECT 1 FROM events e WHERE e.organization_id = o.id AND e.dispatch_at IS NOT NULL)`,
  ),
  deliveries: rowsOf("deliveries", "due.organization_id", "due.first_at", firstDeliveriesBy(SOON)),
  emails: `${rowsOf("emails", "due.organization_id", "due.first_at", `(${firstEmailsBy(SOON)}) due`)}
   UNION ALL ${rowsOf("emails", "organization_id", "file_at", "emails WHERE file_at IS NOT NULL")}`,
};
/**
 * The due rows of all queues. Each part has the Organization's key in the same place, so each shard reads all queues in
 * one task. With a LIMIT each queue would need a task of its own on each shard.
 */
const ALL_DUE = [...BY_INSTANT_ENTRIES.map(([queue, waiting]) => dueOf(queue, waiting)), ...Object.values(DUE)].join(
  "\n   UNION ALL ",
);

/**
 * Milliseconds until a queue's first row is due, by the database's clock: 0 or less: a row is due now; null: the queue
 * is empty, or a distributed database has no row in it that is due within a second.
 */
export type QueueHeads = ReadonlyMap<Queue, number | null>;

const milliseconds = (queue: Queue, first: string) =>
  `(extract(epoch FROM ${first} - statement_timestamp()) * 1000)::float8 AS "${queue}"`;
const columns = (of: (queue: Queue, first: string) => string) =>
  FIRST_ENTRIES.map(([queue, first]) => of(queue, first)).join(",\n  ");
const headsStatement = sql(
  "queue_heads.read",
  `SELECT ${columns((queue, first) => milliseconds(queue, `(${first})`))}`,
  `SELECT ${columns((queue) => milliseconds(queue, `min(at) FILTER (WHERE queue = '${queue}')`))}
   FROM (${ALL_DUE}) due`,
);

/** Reads all queues in one statement, because workers poll it. */
export async function readQueueHeads(db: Queryable): Promise<QueueHeads> {
  const [row] = await db.query<Record<Queue, number | null>>(headsStatement);
  return new Map(Object.entries(row!) as [Queue, number | null][]);
}
