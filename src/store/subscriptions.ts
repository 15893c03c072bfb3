import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { DueRow } from "../domain/organization/clock.ts";
import type { Subscription } from "../domain/model/subscription.ts";
import type { ListSubscriptionsQuery } from "../resources/subscription.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList, type CreatedSpan } from "./driver/filtered-list.ts";
import { wireTime } from "./driver/sql-time.ts";
import { defineTable } from "./driver/table.ts";

export const subscriptions = defineTable<Subscription>(
  "subscriptions",
  {
    organizationId: "plain",
    id: "plain",
    status: "plain",
    customerId: "plain",
    productId: "plain",
    checkoutId: "plain",
    groupKey: "plain",
    currency: "plain",
    amount: "plain",
    quantity: "plain",
    interval: "plain",
    intervalCount: "plain",
    currentPeriodStart: "instant",
    currentPeriodEnd: "instant",
    periodNumber: "plain",
    anchorAt: "instant",
    anchorTimeZone: "plain",
    anchorIndex: "plain",
    paidRate: "plain",
    paidTax: "json",
    discount: "json",
    pendingDiscount: "json",
    pastDiscounts: "json",
    trialStart: "instant",
    trialEnd: "instant",
    cancelAtPeriodEnd: "plain",
    cancelAt: "instant",
    canceledAt: "instant",
    endedAt: "instant",
    cancellationReason: "plain",
    cancellationComment: "plain",
    pendingChange: "json",
    pause: "json",
    pausesBegun: "json",
    priceChange: "json",
    ownPrice: "json",
    imported: "json",
    fieldAnswers: "json",
    changeId: "plain",
    claimed: "plain",
    cardMissing: "plain",
    trialCovered: "plain",
    paymentMethodId: "plain",
    billing: "json",
    firstFailedAt: "instant",
    retryDays: "json",
    retriesDone: "plain",
    nextRetryAt: "instant",
    graceEndsAt: "instant",
    grantsSuspended: "plain",
    accessEndsAt: "instant",
    noticedUntil: "instant",
    cardRequestAt: "instant",
    metadata: "json",
    startedAt: "instant",
    dueAt: "instant",
    simulated: "plain",
    version: "plain",
    eventSequence: "plain",
    createdAt: "instant",
    updatedAt: "instant",
  },
  { queue: "subscriptions", at: ({ simulated, dueAt }) => (simulated ? null : dueAt) },
);

const liveInGroupStatement = sql(
  "subscriptions.live_in_group",
  `SELECT ${subscriptions.columns()} FROM subscriptions
   WHERE organization_id = $1 AND customer_id = $2 AND group_key = $3 AND status <> 'canceled'`,
);
// The due Subscriptions that have waited longest, on real time, taking the Organizations in turn. The Customer's lock
// decides which of them are still due. Not clock_timestamp(): its value may change from row to row, so PostgreSQL
// would read the whole index, not just the due rows.
const dueStatement = sql(
  "subscriptions.due",
  `SELECT organization_id AS "organizationId", customer_id AS "customerId" FROM (
     SELECT organization_id, customer_id, due_at, row_number() OVER (PARTITION BY organization_id
     ORDER BY due_at) AS turn
     FROM (SELECT organization_id, customer_id, due_at FROM subscriptions
       WHERE due_at <= statement_timestamp() AND NOT simulated AND held_at IS NULL ORDER BY due_at LIMIT $1) due
   ) waiting ORDER BY turn, due_at`,
);
const nextDueStatement = sql(
  "subscriptions.next_due",
  `SELECT due_at AS "dueAt", customer_id AS "customerId" FROM subscriptions
   WHERE organization_id = $1 AND due_at <= $2 ORDER BY due_at, customer_id LIMIT $3`,
);
const earliestStatement = sql(
  "subscriptions.earliest",
  `SELECT min(due_at) AS "dueAt" FROM subscriptions WHERE organization_id = $1 AND due_at IS NOT NULL`,
);
const simulateStatement = sql(
  "subscriptions.simulate",
  `UPDATE subscriptions SET simulated = true WHERE organization_id = $1 AND NOT simulated`,
);
const trialUsedStatement = sql(
  "subscriptions.trial_used",
  `SELECT 1 AS used FROM trials WHERE organization_id = $1 AND customer_id = $2 AND group_key = $3`,
);

const listLiveStatement = sql(
  "subscriptions.list_live",
  `SELECT ${subscriptions.columns()} FROM subscriptions
   WHERE organization_id = $1 AND customer_id = $2 AND status <> 'canceled' AND ($3::text IS NULL OR id > $3)
   ORDER BY id LIMIT $4`,
);

/** A Customer's Subscriptions that have not ended, oldest first; returns one row more than the page holds. */
export async function listLive(
  db: Queryable,
  organizationId: string,
  customerId: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Subscription[]> {
  return db.query<Subscription>(listLiveStatement, [organizationId, customerId, cursor, limit + 1]);
}

/** The one live Subscription of a Customer in a group (rule C4). */
export async function liveInGroup(
  db: Queryable,
  organizationId: string,
  customerId: string,
  groupKey: string,
): Promise<Subscription | null> {
  return (await db.query<Subscription>(liveInGroupStatement, [organizationId, customerId, groupKey]))[0] ?? null;
}

/** Customers with something due on real time. */
export async function dueCustomers(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: string; customerId: string }[]> {
  return db.query(dueStatement, [limit]);
}

/** The Subscriptions of an Organization that are due by `until`, earliest first. */
export function firstDue(db: Queryable, organizationId: string, until: Instant, limit: number): Promise<DueRow[]> {
  return db.query<DueRow>(nextDueStatement, [organizationId, formatInstant(until), limit]);
}

export async function earliestDue(db: Queryable, organizationId: string): Promise<Instant | null> {
  return (await db.query<{ dueAt: Instant | null }>(earliestStatement, [organizationId]))[0]?.dueAt ?? null;
}

/**
 * Marks the Subscriptions of an Organization with its own clock, so that the sweeps on real time pass over them
 * (rule T1).
 */
export async function simulate(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(simulateStatement, [organizationId]);
}

export async function trialUsed(
  db: Queryable,
  organizationId: string,
  customerId: string,
  groupKey: string,
): Promise<boolean> {
  return (await db.query(trialUsedStatement, [organizationId, customerId, groupKey])).length > 0;
}

const useTrialsStatement = sql(
  "subscriptions.use_trials",
  `INSERT INTO trials (organization_id, customer_id, group_key, subscription_id)
   SELECT organization_id, customer_id, group_key, subscription_id
   FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS r (organization_id, customer_id, group_key,
   subscription_id)
   ON CONFLICT DO NOTHING`,
);

type Trial = { organizationId: string; customerId: string; groupKey: string; subscriptionId: string };

/** Records the used trials of any Customers in one statement, without waiting for the answer. */
export function useTrials(tx: Tx, trials: readonly Trial[]): void {
  const column = (name: keyof Trial) => trials.map((trial) => trial[name]);
  if (trials.length === 0) return;
  tx.send(useTrialsStatement, [
    column("organizationId"),
    column("customerId"),
    column("groupKey"),
    column("subscriptionId"),
  ]);
}

const time = (column: string) => wireTime(`s.${column}`);

// The hottest read. PostgreSQL writes the same JSON as `presentSubscription` (a test compares them), which costs the
// server less than half of parsing 50 columns. The body is null for a Subscription with a pending change or discount, a
// pause, a new price or own fields, because these are not stored as they are shown.
const bodyStatement = sql(
  "subscriptions.body",
  `SELECT s.version, r."externalCustomerId", CASE
     WHEN s.pending_change IS NULL AND s.pending_discount IS NULL AND s.pause IS NULL AND s.price_change IS NULL
     AND s.field_answers IS NULL
     THEN row_to_json(r)::text END AS body
   FROM subscriptions s
   JOIN customers c ON (c.organization_id, c.id) = (s.organization_id, s.customer_id)
   CROSS JOIN LATERAL (SELECT s.id, s.status, s.customer_id AS "customerId", c.external_id AS "externalCustomerId",
     s.product_id AS "productId", s.checkout_id AS "checkoutId", s.currency, s.amount, s.quantity,
     s.amount / s.quantity AS "unitAmount", s."interval",
     s.interval_count AS "intervalCount",
     ${time("current_period_start")} AS "currentPeriodStart", ${time("current_period_end")} AS "currentPeriodEnd",
     ${time("trial_start")} AS "trialStart", ${time("trial_end")} AS "trialEnd",
     s.cancel_at_period_end AS "cancelAtPeriodEnd", ${time("cancel_at")} AS "cancelAt",
     ${time("canceled_at")} AS "canceledAt",
     ${time("ended_at")} AS "endedAt", s.cancellation_reason AS "cancellationReason",
     s.cancellation_comment AS "cancellationComment",
     NULL AS "pendingChange", NULL AS pause, NULL AS "priceChange",
     s.discount->>'id' AS "discountId", NULL AS "pendingDiscount",
     (SELECT row_to_json(m) FROM (SELECT s.imported->>'source' AS source,
       s.imported->>'ref' AS reference, (s.imported->>'isHeld')::boolean AS held) m
       WHERE s.imported IS NOT NULL) AS imported, NULL AS "fieldValues", s.metadata,
     ${time("started_at")} AS "startedAt", ${time("created_at")} AS "createdAt", ${time("updated_at")} AS "updatedAt") r
   WHERE s.organization_id = $1 AND s.id = $2`,
);

/** A Subscription as JSON, and the fields of its ETag. `body` null: read the Subscription with `readSubscription`. */
export type SubscriptionBody = { version: number; externalCustomerId: string | null; body: string | null };

export async function readSubscriptionBody(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<SubscriptionBody | null> {
  return (await db.query<SubscriptionBody>(bodyStatement, [organizationId, id]))[0] ?? null;
}

/** A Subscription with the shown field that is not in its own row. */
export type ReadSubscription = Subscription & { externalCustomerId: string | null };

const READ = `SELECT ${subscriptions.columns("s")}, c.external_id AS "externalCustomerId"
   FROM subscriptions s
   JOIN customers c ON (c.organization_id, c.id) = (s.organization_id, s.customer_id)`;
const readStatement = sql("subscriptions.read", `${READ} WHERE s.organization_id = $1 AND s.id = $2`);
type SubscriptionFilter = "cursor" | "customerId" | "externalCustomerId" | "productId";
const list = filteredList<ReadSubscription, SubscriptionFilter, "status">({
  name: "subscriptions.list",
  select: `${READ} WHERE s.organization_id = $1`,
  order: "s.id DESC",
  created: { table: "subscriptions", alias: "s" },
  values: {
    cursor: (value) => `s.id < ${value}`,
    customerId: (value) => `s.customer_id = ${value}`,
    externalCustomerId: (value) => `c.external_id = ${value}`,
    productId: (value) => `s.product_id = ${value}`,
  },
  words: { status: (word) => `s.status = '${word}'` },
});

export async function readSubscription(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<ReadSubscription | null> {
  return (await db.query<ReadSubscription>(readStatement, [organizationId, id]))[0] ?? null;
}

/** Newest first; returns one row more than the page holds. */
export async function listSubscriptions(
  db: Queryable,
  organizationId: string,
  query: ListSubscriptionsQuery & CreatedSpan,
): Promise<ReadSubscription[]> {
  return list(db, organizationId, query);
}

const ofProductStatement = sql(
  "subscriptions.of_product",
  `SELECT id, customer_id AS "customerId" FROM subscriptions
   WHERE organization_id = $1 AND product_id = $2 AND status <> 'canceled' AND id > $3 ORDER BY id LIMIT $4`,
);
const changingToProductStatement = sql(
  "subscriptions.changing_to_product",
  `SELECT id, customer_id AS "customerId" FROM subscriptions
   WHERE organization_id = $1 AND pending_change->>'productId' = $2 AND id > $3 ORDER BY id LIMIT $4`,
);

type FoundSource = { id: string; customerId: string };

/** Live Subscriptions that have a Product or are to change to it, ordered by id, after the id `after`. */
export async function liveOfProduct(
  db: Queryable,
  organizationId: string,
  productId: string,
  after: string,
  limit: number,
): Promise<FoundSource[]> {
  const params = [organizationId, productId, after, limit];
  const [having, changing] = await Promise.all([
    db.query<FoundSource>(ofProductStatement, params),
    db.query<FoundSource>(changingToProductStatement, params),
  ]);
  const found = new Map([...having, ...changing].map((each) => [each.id, each]));
  return [...found.values()].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
}

const countLiveStatement = sql(
  "subscriptions.count_live_of_products",
  `SELECT product_id AS "productId", count(*)::int AS count FROM subscriptions
   WHERE organization_id = $1 AND product_id = ANY($2) AND status <> 'canceled' GROUP BY product_id`,
);

/** The number of live Subscriptions of each Product that has one. */
export async function countLiveOfProducts(
  db: Queryable,
  organizationId: string,
  productIds: readonly string[],
): Promise<Map<string, number>> {
  const params = [organizationId, productIds];
  const rows = await db.query<{ productId: string; count: number }>(countLiveStatement, params);
  return new Map(rows.map(({ productId, count }) => [productId, count]));
}

const heldStatement = sql(
  "subscriptions.held_of_product",
  `SELECT 1 AS held FROM subscriptions
   WHERE organization_id = $1 AND product_id = $2 AND status <> 'canceled' AND imported->>'isHeld' = 'true' LIMIT 1`,
);

/** Whether a live Subscription of a Product is held for an import (rule V1). */
export async function hasHeld(db: Queryable, organizationId: string, productId: string): Promise<boolean> {
  return (await db.query(heldStatement, [organizationId, productId])).length > 0;
}

const forgetStatement = sql(
  "subscriptions.forget",
  `UPDATE subscriptions SET cancellation_comment = NULL, billing = NULL, field_answers = NULL, version = version + 1
   WHERE organization_id = $1 AND customer_id = $2
     AND (cancellation_comment IS NOT NULL OR billing IS NOT NULL OR field_answers IS NOT NULL)`,
);

/** Blanks the comments, billing details and values of own fields that subscribers gave (rule I5m). */
export function forgetSubscribers(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(forgetStatement, [organizationId, customerId]);
}
