import type { Queue } from "./driver/notifier.ts";
import { sql, type Read } from "./driver/db.ts";
import { FIRST_EMAIL } from "./email-queue.ts";
import { FIRST_DELIVERY } from "./webhook-queue.ts";

/**
 * The first instant of each queue, by an index that holds only waiting rows. In a queue without due instants every
 * waiting row counts as due.
 */
const FIRST: Record<Queue, string> = {
  payments: "SELECT min(check_at) FROM payments WHERE check_at IS NOT NULL",
  refunds: "SELECT min(check_at) FROM refunds WHERE check_at IS NOT NULL",
  subscriptions: `SELECT due_at FROM subscriptions
    WHERE due_at IS NOT NULL AND NOT simulated AND held_at IS NULL ORDER BY due_at LIMIT 1`,
  cards: "SELECT due_at FROM payment_methods WHERE due_at IS NOT NULL AND NOT simulated ORDER BY due_at LIMIT 1",
  checkouts: "SELECT due_at FROM checkouts WHERE due_at IS NOT NULL AND NOT simulated ORDER BY due_at LIMIT 1",
  products: "SELECT sync_at FROM products WHERE sync_at IS NOT NULL ORDER BY sync_at LIMIT 1",
  benefits: "SELECT sync_at FROM benefits WHERE sync_at IS NOT NULL ORDER BY sync_at LIMIT 1",
  skips: "SELECT skip_until FROM webhook_endpoints WHERE skip_until IS NOT NULL LIMIT 1",
  redeliveries: "SELECT statement_timestamp() FROM webhook_redeliveries LIMIT 1",
  "sign-ins": "SELECT asked_at FROM portal_requests ORDER BY asked_at LIMIT 1",
  clocks:
    "SELECT clock_lease_until FROM organizations WHERE clock_target IS NOT NULL ORDER BY clock_lease_until LIMIT 1",
  fills: "SELECT min(lease_until) FROM sandbox_fills WHERE lease_until IS NOT NULL",
  notices: "SELECT min(check_at) FROM provider_notices WHERE check_at IS NOT NULL",
  forgotten: "SELECT min(forget_at) FROM customers WHERE forget_at IS NOT NULL",
  polls: "SELECT min(poll_at) FROM provider_connections WHERE poll_at IS NOT NULL",
  "provider-books": "SELECT min(import_at) FROM provider_book_imports WHERE import_at IS NOT NULL",
  metrics: "SELECT min(due_at) FROM metric_progress",
  events: "SELECT dispatch_at FROM events WHERE dispatch_at IS NOT NULL LIMIT 1",
  deliveries: FIRST_DELIVERY,
  emails: FIRST_EMAIL,
};

/**
 * Milliseconds until a queue's first row is due, by the database's clock: 0 or less: a row is due now; null: the queue
 * is empty.
 */
export type QueueHeads = ReadonlyMap<Queue, number | null>;

const headsStatement = sql(
  "queue_heads.read",
  `SELECT ${Object.entries(FIRST)
    .map(([queue, first]) => `(extract(epoch FROM (${first}) - statement_timestamp()) * 1000)::float8 AS "${queue}"`)
    .join(",\n  ")}`,
);

/** Reads all queues in one statement, because workers poll it. */
export async function readQueueHeads(db: Read): Promise<QueueHeads> {
  const [row] = await db.query<Record<Queue, number | null>>(headsStatement);
  return new Map(Object.entries(row!) as [Queue, number | null][]);
}
