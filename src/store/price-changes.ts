import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { RepricedGroup } from "../domain/metrics/repricing.ts";
import type { PriceChange, PriceChangeStatus, PriceTerms } from "../domain/model/price-change.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineRounds } from "./rounds.ts";
import { defineTable } from "./driver/table.ts";
import { subscriptions } from "./subscriptions.ts";
import type { Subscription } from "../domain/model/subscription.ts";

export const priceChanges = defineTable<PriceChange>(
  "price_changes",
  {
    organizationId: "plain",
    id: "plain",
    productId: "plain",
    status: "plain",
    prices: "json",
    subscribedBefore: "instant",
    priceBelow: "plain",
    noticeDays: "plain",
    consent: "plain",
    found: "plain",
    syncAt: "instant",
    syncCursor: "plain",
    version: "plain",
    createdAt: "instant",
    updatedAt: "instant",
  },
  { queue: "price-changes", at: ({ syncAt }) => syncAt },
);

/** Rounds over the Subscriptions of a Product with another price (rule N1). */
export const priceChangeRounds = defineRounds<PriceChange>("price_changes");

const finishStatement = sql(
  "price_changes.finish",
  `UPDATE price_changes SET status = $5, sync_at = NULL, sync_cursor = NULL, version = version + 1,
     updated_at = greatest(updated_at, $6)
   WHERE organization_id = $1 AND id = $2 AND version = $3 AND sync_cursor IS NOT DISTINCT FROM $4
   RETURNING id`,
);

/** Ends a round, as `move` of the rounds without a cursor. Returns false if the round has moved meanwhile. */
export async function finishRound(
  tx: Tx,
  { organizationId, id, version, syncCursor }: PriceChange,
  status: PriceChangeStatus,
  at: Instant,
): Promise<boolean> {
  const parameters = [organizationId, id, version, syncCursor, status, formatInstant(at)];
  return (await tx.query(finishStatement, parameters)).length > 0;
}

const listStatement = sql(
  "price_changes.list",
  `SELECT ${priceChanges.columns()} FROM price_changes
   WHERE organization_id = $1 AND product_id = $2 AND ($3::text IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
);

type Page = { cursor?: string | undefined; limit: number };

/** The rounds of a Product, newest first; returns one row more than the page holds. */
export function listPriceChanges(
  db: Queryable,
  organizationId: string,
  productId: string,
  { cursor, limit }: Page,
): Promise<PriceChange[]> {
  return db.query<PriceChange>(listStatement, [organizationId, productId, cursor, limit + 1]);
}

const unfinishedStatement = sql(
  "price_changes.unfinished",
  `SELECT id FROM price_changes
   WHERE organization_id = $1 AND product_id = $2 AND status IN ('running', 'paused', 'withdrawing')`,
);

/** The id of the one unfinished round of a Product; null: there is none. */
export async function findUnfinished(db: Queryable, organizationId: string, productId: string): Promise<string | null> {
  return (await db.query<{ id: string }>(unfinishedStatement, [organizationId, productId]))[0]?.id ?? null;
}

// The prices are rows, so that one condition compares each Subscription with the price in its currency.
const FOUND = `FROM subscriptions s JOIN unnest($3::text[], $4::bigint[]) AS p (currency, amount)
     ON p.currency = s.currency
   WHERE s.organization_id = $1 AND s.product_id = $2 AND s.status <> 'canceled' AND s.amount <> p.amount * s.quantity
     AND (s.price_change->>'unitAmount')::bigint IS DISTINCT FROM p.amount
     AND ($5::timestamptz IS NULL OR s.started_at < $5) AND ($6::bigint IS NULL OR s.amount / s.quantity < $6)`;

const parametersOf = (organizationId: string, terms: PriceTerms): unknown[] => [
  organizationId,
  terms.productId,
  terms.prices.map(({ currency }) => currency),
  terms.prices.map(({ amount }) => amount),
  terms.subscribedBefore && formatInstant(terms.subscribedBefore),
  terms.priceBelow,
];

const nextStatement = sql(
  "price_changes.next_found",
  `SELECT s.id, s.customer_id AS "customerId" ${FOUND} AND s.id > $7 AND NOT EXISTS (
     SELECT 1 FROM price_change_subscriptions r
     WHERE r.organization_id = $1 AND r.price_change_id = $9 AND r.subscription_id = s.id)
   ORDER BY s.id LIMIT $8`,
);

/** A Subscription, and its Customer. */
export type FoundSubscription = { id: string; customerId: string };

/**
 * Subscriptions that a round is for and has not come to, by the prices that are stored now, ordered by id, after the id
 * `after`.
 */
export function findRepriced(
  db: Queryable,
  round: PriceTerms & { organizationId: string; id: string },
  after: string,
  limit: number,
): Promise<FoundSubscription[]> {
  const { organizationId, id } = round;
  return db.query<FoundSubscription>(nextStatement, [...parametersOf(organizationId, round), after, limit, id]);
}

const samplesStatement = sql(
  "price_changes.samples",
  `SELECT ${subscriptions.columns("s")} ${FOUND} AND s.id > $7 ORDER BY s.id LIMIT $8`,
);

/** Subscriptions that a round with these terms would be for, with all columns, ordered by id, after the id `after`. */
export function readRepriced(
  db: Queryable,
  organizationId: string,
  terms: PriceTerms,
  after: string,
  limit: number,
): Promise<Subscription[]> {
  return db.query<Subscription>(samplesStatement, [...parametersOf(organizationId, terms), after, limit]);
}

// Few Subscriptions have a discount, and only theirs depend on the period. The others are a few groups.
const groupsStatement = sql(
  "price_changes.groups",
  `SELECT s.status, s.product_id AS "productId", s.currency, s.amount, s.quantity, s."interval",
     s.interval_count AS "intervalCount", s.discount::text::json AS discount, s.own_price::text::json AS "ownPrice",
     s.cancel_at_period_end AS "cancelAtPeriodEnd", s.paused AS "isPaused", s.changing AS "isChanging",
     s.held AS "isHeld",
     s.period_start AS "periodStart", s.period_end AS "periodEnd", s.count
   FROM (
     SELECT s.status, s.product_id, s.currency, s.amount, s.quantity, s."interval", s.interval_count,
       s.discount::text AS discount, s.own_price::text AS own_price, s.cancel_at_period_end,
       s.pause IS NOT NULL AS paused, s.pending_change IS NOT NULL OR s.change_id IS NOT NULL AS changing,
       coalesce((s.imported->>'isHeld')::boolean, false) AS held,
       CASE WHEN s.discount IS NOT NULL THEN s.current_period_start END AS period_start,
       CASE WHEN s.discount IS NOT NULL THEN s.current_period_end END AS period_end, count(*) AS count
     ${FOUND}
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
   ) s`,
);

/** The Subscriptions that a round is for, in groups. */
export function groupRepriced(db: Queryable, organizationId: string, terms: PriceTerms): Promise<RepricedGroup[]> {
  return db.query<RepricedGroup>(groupsStatement, parametersOf(organizationId, terms));
}

const countStatement = sql("price_changes.count_found", `SELECT count(*) AS n ${FOUND}`);

/** The number of Subscriptions that a round is for. */
export async function countRepriced(db: Queryable, organizationId: string, terms: PriceTerms): Promise<number> {
  return (await db.query<{ n: number }>(countStatement, parametersOf(organizationId, terms)))[0]!.n;
}
