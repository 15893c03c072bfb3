import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { DiscountHistory } from "../domain/metrics/mrr.ts";
import type { DatedMovement, DayFigure } from "../domain/metrics/day.ts";
import type { CountedState } from "../domain/metrics/movement.ts";
import type { SubscriptionResource } from "../resources/subscription.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { columnList, recordsOf, toRecords } from "./driver/table.ts";

const planStatement = sql(
  "metric_progress.plan",
  `INSERT INTO metric_progress (organization_id, read_until, due_at) VALUES ($1, '', ${REAL_NOW})
   RETURNING true AS due`,
);
const dueStatement = sql(
  "metric_progress.due",
  `SELECT organization_id AS "organizationId" FROM metric_progress WHERE due_at <= statement_timestamp()
   ORDER BY due_at LIMIT $1`,
);
const claimStatement = sql(
  "metric_progress.claim",
  `SELECT read_until AS "readUntil", ${REAL_NOW} AS now FROM metric_progress WHERE organization_id = $1
   FOR UPDATE SKIP LOCKED`,
);
const moveStatement = sql(
  "metric_progress.move",
  `UPDATE metric_progress SET read_until = GREATEST(read_until, $2), due_at = COALESCE($3::timestamptz, due_at)
   WHERE organization_id = $1`,
);

/** Lets a worker count a new Organization. */
export function planCount(tx: Tx, organizationId: string): void {
  tx.send(planStatement, [organizationId], "metrics");
}

/** Organizations of which the events are to be counted now, in real time. */
export async function dueCounts(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>(dueStatement, [limit]);
  return rows.map(({ organizationId }) => organizationId);
}

/** `readUntil`: the id of the event up to which the count has read. `now`: real time by the database's clock. */
export type ClaimedCount = { readUntil: string; now: Instant };

/**
 * Until the end of this transaction, no other transaction counts this Organization. Null: another one counts at the
 * moment.
 */
export async function claimCount(tx: Tx, organizationId: string): Promise<ClaimedCount | null> {
  return (await tx.query<ClaimedCount>(claimStatement, [organizationId]))[0] ?? null;
}

/** `dueAt`: when a worker counts next, in real time; null: as before. Does not wait for the answer. */
export function moveCount(tx: Tx, organizationId: string, readUntil: string, dueAt: Instant | null): void {
  tx.send(moveStatement, [organizationId, readUntil, dueAt && formatInstant(dueAt)]);
}

// The events in the order of their ids, which no other index has for all types of a Subscription together.
const windowStatement = sql(
  "mrr.window",
  `SELECT count(*) AS events, max(e.id) AS last,
     array_agg(DISTINCT e.data ->> 'customerId') FILTER (WHERE e.type LIKE 'subscription.%' AND NOT EXISTS (
       SELECT 1 FROM mrr_states m WHERE m.organization_id = $1 AND m.subscription_id = e.resource_id
       AND m.sequence >= e.sequence)) AS "customerIds"
   FROM (SELECT * FROM events WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3) e`,
);

/** A span of events. `customerIds`: the Customers with an event of a Subscription that was not counted yet. */
export type CountWindow = { events: number; last: string | null; customerIds: string[] };

/** The next `limit` events after the event id `after`. */
export async function readWindow(tx: Tx, organizationId: string, after: string, limit: number): Promise<CountWindow> {
  const [row] = await tx.query<Omit<CountWindow, "customerIds"> & { customerIds: string[] | null }>(windowStatement, [
    organizationId,
    after,
    limit,
  ]);
  return { ...row!, customerIds: row!.customerIds ?? [] };
}

/** An event of a Subscription that was not counted yet, with the Subscription's discounts. */
export type UncountedEvent = DiscountHistory & {
  subscriptionId: string;
  customerId: string;
  currency: string;
  sequence: number;
  at: Instant;
  data: SubscriptionResource;
};

const uncountedStatement = sql(
  "mrr.uncounted",
  `SELECT s.id AS "subscriptionId", s.customer_id AS "customerId", s.currency, s.discount,
     s.past_discounts AS "pastDiscounts", e.sequence,
     e.created_at AS at, e.data
   FROM subscriptions s JOIN events e ON (e.organization_id, e.resource_id) = (s.organization_id, s.id)
   LEFT JOIN mrr_states m ON (m.organization_id, m.subscription_id) = (s.organization_id, s.id)
   WHERE s.organization_id = $1 AND s.customer_id = ANY($2) AND e.sequence > COALESCE(m.sequence, 0)
   ORDER BY s.id, e.sequence`,
);

/** All events of the Customers' Subscriptions that were not counted yet, by Subscription, in order (rule R6). */
export function uncountedEvents(
  tx: Tx,
  organizationId: string,
  customerIds: readonly string[],
): Promise<UncountedEvent[]> {
  return tx.query<UncountedEvent>(uncountedStatement, [organizationId, customerIds]);
}

const STATE = {
  organizationId: "plain",
  subscriptionId: "plain",
  customerId: "plain",
  currency: "plain",
  sequence: "plain",
  status: "plain",
  quantity: "plain",
  mrr: "plain",
  hasPaid: "plain",
} as const;
const MOVEMENT = {
  organizationId: "plain",
  subscriptionId: "plain",
  sequence: "plain",
  customerId: "plain",
  currency: "plain",
  at: "instant",
  day: "plain",
  kind: "plain",
  amount: "plain",
  statusBefore: "plain",
  status: "plain",
  quantityBefore: "plain",
  quantity: "plain",
} as const;
const FIGURE = {
  organizationId: "plain",
  currency: "plain",
  day: "plain",
  measure: "plain",
  amount: "plain",
  subscriptions: "plain",
  units: "plain",
} as const;

const statesStatement = sql(
  "mrr_states.of_customers",
  `SELECT ${columnList(Object.keys(STATE))} FROM mrr_states WHERE organization_id = $1 AND customer_id = ANY($2)`,
);
const storeStatesStatement = sql(
  "mrr_states.store",
  `INSERT INTO mrr_states (organization_id, subscription_id, customer_id, currency, sequence, status, quantity, mrr,
     has_paid)
   SELECT organization_id, subscription_id, customer_id, currency, sequence, status, quantity, mrr, has_paid
   FROM ${recordsOf("mrr_states")}
   ON CONFLICT (organization_id, subscription_id) DO UPDATE SET sequence = EXCLUDED.sequence,
     status = EXCLUDED.status, quantity = EXCLUDED.quantity, mrr = EXCLUDED.mrr, has_paid = EXCLUDED.has_paid`,
);
const storeMovementsStatement = sql(
  "mrr_movements.store",
  `INSERT INTO mrr_movements (organization_id, subscription_id, sequence, customer_id, currency, at, day, kind, amount,
     status_before, status, quantity_before, quantity)
   SELECT organization_id, subscription_id, sequence, customer_id, currency, at, day, kind, amount, status_before,
     status, quantity_before, quantity
   FROM ${recordsOf("mrr_movements")}`,
);
const addFiguresStatement = sql(
  "metric_days.add",
  `INSERT INTO metric_days AS d (organization_id, currency, day, measure, amount, subscriptions, units)
   SELECT organization_id, currency, day, measure, amount, subscriptions, units FROM ${recordsOf("metric_days")}
   ON CONFLICT (organization_id, currency, day, measure) DO UPDATE SET amount = d.amount + EXCLUDED.amount,
     subscriptions = d.subscriptions + EXCLUDED.subscriptions, units = d.units + EXCLUDED.units`,
);

/** The counted states of the Customers' Subscriptions. */
export function countedStates(tx: Tx, organizationId: string, customerIds: readonly string[]): Promise<CountedState[]> {
  return tx.query<CountedState>(statesStatement, [organizationId, customerIds]);
}

/** Keeps the findings of a count. Figures are added to those of their days. Does not wait for the answer. */
export function storeCount(
  tx: Tx,
  { states, movements, figures }: { states: CountedState[]; movements: DatedMovement[]; figures: DayFigure[] },
): void {
  if (states.length > 0) tx.send(storeStatesStatement, [toRecords(STATE, states)]);
  if (movements.length > 0) tx.send(storeMovementsStatement, [toRecords(MOVEMENT, movements)]);
  if (figures.length > 0) tx.send(addFiguresStatement, [toRecords(FIGURE, figures)]);
}
