import type { Instant } from "../domain/calendar.ts";
import type { PriceSettlement, RepricedSubscription } from "../domain/model/price-change.ts";
import { recordsSql, withRecords } from "./driver/batch-forms.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { columnList, recordsOf, toRecords } from "./driver/table.ts";

const TABLE = "price_change_subscriptions";

const STEP = {
  organizationId: "plain",
  priceChangeId: "plain",
  subscriptionId: "plain",
  status: "plain",
  reason: "plain",
  consentedAt: "instant",
  settledAt: "instant",
} as const;
const COLUMNS = {
  ...STEP,
  customerId: "plain",
  currency: "plain",
  quantity: "plain",
  unitAmountBefore: "plain",
  unitAmount: "plain",
  effectiveAt: "instant",
  createdAt: "instant",
} as const;

const names = Object.keys(COLUMNS)
  .map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  .join(", ");
const insertStatement = sql(
  "price_change_subscriptions.insert_all",
  `INSERT INTO ${TABLE} (${names}) SELECT ${names} FROM ${recordsOf(TABLE)}`,
);
const settleStatement = recordsSql(
  "price_change_subscriptions.settle",
  (records, keyOf) =>
    `UPDATE ${TABLE} t SET status = r.status, reason = r.reason, consented_at = r.consented_at,
       settled_at = r.settled_at
     FROM ${recordsOf(TABLE, records)} r WHERE t.organization_id = ${keyOf("r")}
     AND t.price_change_id = r.price_change_id AND t.subscription_id = r.subscription_id`,
);

type Steps = { found: readonly RepricedSubscription[]; settled: readonly PriceSettlement[] };

/**
 * Writes the steps of any Customers, without waiting for the answer. A Subscription that takes several steps in one
 * transaction ends with the last one. Without steps no statement is sent.
 */
export function storeRepriced(tx: Tx, steps: readonly Steps[]): void {
  const found = steps.flatMap((each) => each.found);
  const settled = new Map(
    steps.flatMap((each) => each.settled).map((step) => [`${step.priceChangeId} ${step.subscriptionId}`, step]),
  );
  if (found.length > 0) tx.send(insertStatement, [toRecords<RepricedSubscription>(COLUMNS, found)]);
  if (settled.size === 0) return;
  const rows = [...settled.values()];
  tx.send(...withRecords(tx, settleStatement, rows, toRecords<PriceSettlement>(STEP, rows)));
}

/** A row with the id of its Subscription as the cursor of a page. */
export type ListedRepriced = RepricedSubscription & { id: string };

/** The column list of a SELECT of whole rows. */
export const repricedColumns = (alias: string): string => columnList(Object.keys(COLUMNS), alias);

type Word = "status";
const list = filteredList<ListedRepriced, "cursor" | "priceChangeId", Word>({
  name: "price_change_subscriptions.list",
  select: `SELECT r.subscription_id AS id, ${repricedColumns("r")} FROM ${TABLE} r
   WHERE r.organization_id = $1`,
  order: "r.subscription_id",
  values: {
    cursor: (value) => `r.subscription_id > ${value}`,
    priceChangeId: (value) => `r.price_change_id = ${value}`,
  },
  words: { status: (word) => `r.status = '${word}'` },
});

/** The Subscriptions of a round by their ids; returns one row more than the page holds. */
export function listRepriced(
  db: Queryable,
  organizationId: string,
  query: { priceChangeId: string; limit: number; cursor?: string | undefined; status?: string | undefined },
): Promise<ListedRepriced[]> {
  return list(db, organizationId, query);
}

const waitingStatement = sql(
  "price_change_subscriptions.waiting",
  `SELECT subscription_id AS id, customer_id AS "customerId" FROM ${TABLE}
   WHERE organization_id = $1 AND price_change_id = $2 AND status = 'scheduled' AND subscription_id > $3
   ORDER BY subscription_id LIMIT $4`,
);

/** The Subscriptions of a round that wait for their price, ordered by id, after the id `after`. */
export function findWaiting(
  db: Queryable,
  organizationId: string,
  priceChangeId: string,
  after: string,
  limit: number,
): Promise<{ id: string; customerId: string }[]> {
  return db.query(waitingStatement, [organizationId, priceChangeId, after, limit]);
}

const noticesStatement = sql(
  "price_change_subscriptions.notices",
  `SELECT i.id, r.created_at AS at FROM invoices i JOIN ${TABLE} r
     ON r.organization_id = i.organization_id AND r.subscription_id = i.subscription_id
     AND r.settled_at = i.period_start
   WHERE i.organization_id = $1 AND i.id = ANY($2) AND i.reason = 'renewal' AND r.status = 'applied'`,
);

/** The notices of new prices, by the id of the invoice of the first period at each price. */
export async function noticesOf(
  db: Queryable,
  organizationId: string,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await db.query<{ id: string; at: Instant }>(noticesStatement, [organizationId, invoiceIds]);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

const progressStatement = sql(
  "price_change_subscriptions.progress",
  `SELECT price_change_id AS "priceChangeId", status, reason, count(*) AS count FROM ${TABLE}
   WHERE organization_id = $1 AND price_change_id = ANY($2) GROUP BY price_change_id, status, reason`,
);

/** The number of Subscriptions of a round, by status and reason. */
export type RepricedCount = Pick<RepricedSubscription, "priceChangeId" | "reason" | "status"> & { count: number };

/** The numbers of these rounds. */
export function countSteps(db: Queryable, organizationId: string, ids: readonly string[]): Promise<RepricedCount[]> {
  return db.query<RepricedCount>(progressStatement, [organizationId, ids]);
}
