import type { Instant } from "../domain/calendar.ts";
import type { EventType } from "../domain/event.ts";
import type { Subscription } from "../domain/model/subscription.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { subscriptions } from "./subscriptions.ts";

/** `customerId` and `customer` are null for a Checkout without a Customer. */
type Named = { dueAt: Instant; customerId: string | null; customer: string | null };
export type ComingSubscription = Subscription & { customer: string; product: string };
export type ComingCard = Named & { id: string; last4: string };
export type ComingCheckout = Named & { id: string; product: string };
export type Coming = { subscriptions: ComingSubscription[]; cards: ComingCard[]; checkouts: ComingCheckout[] };

const NAME = "COALESCE(c.name, c.company_name, c.email)";
// Each statement reads the first rows of an index that holds only due rows of one Organization.
const subscriptionsStatement = sql(
  "coming.subscriptions",
  `SELECT ${subscriptions.columns("s")}, ${NAME} AS customer, p.name AS product FROM subscriptions s
   JOIN customers c ON (c.organization_id, c.id) = (s.organization_id, s.customer_id)
   JOIN products p ON (p.organization_id, p.id) = (s.organization_id, s.product_id)
   WHERE s.organization_id = $1 AND s.due_at IS NOT NULL ORDER BY s.due_at LIMIT $2`,
);
const cardsStatement = sql(
  "coming.cards",
  `SELECT m.id, m.due_at AS "dueAt", m.customer_id AS "customerId", ${NAME} AS customer, m.last4
   FROM payment_methods m JOIN customers c ON (c.organization_id, c.id) = (m.organization_id, m.customer_id)
   WHERE m.organization_id = $1 AND m.due_at IS NOT NULL ORDER BY m.due_at LIMIT $2`,
);
const checkoutsStatement = sql(
  "coming.checkouts",
  `SELECT k.id, k.due_at AS "dueAt", k.customer_id AS "customerId", ${NAME} AS customer, p.name AS product
   FROM checkouts k JOIN products p ON (p.organization_id, p.id) = (k.organization_id, k.product_id)
   LEFT JOIN customers c ON (c.organization_id, c.id) = (k.organization_id, k.customer_id)
   WHERE k.organization_id = $1 AND k.due_at IS NOT NULL ORDER BY k.due_at LIMIT $2`,
);

/** The rows of an Organization that are due first, at most `limit` of each kind. */
export async function readComing(db: Queryable, organizationId: string, limit: number): Promise<Coming> {
  const values = [organizationId, limit];
  const [plans, cards, checkouts] = await Promise.all([
    db.query<ComingSubscription>(subscriptionsStatement, values),
    db.query<ComingCard>(cardsStatement, values),
    db.query<ComingCheckout>(checkoutsStatement, values),
  ]);
  return { subscriptions: plans, cards, checkouts };
}

const recentStatement = sql(
  "events.recent",
  `SELECT type, created_at AS "createdAt" FROM events WHERE organization_id = $1 ORDER BY id DESC LIMIT $2`,
);

/** The types and billing times of the newest events, newest first. */
export function recentEvents(
  db: Queryable,
  organizationId: string,
  limit: number,
): Promise<{ type: EventType; createdAt: Instant }[]> {
  return db.query(recentStatement, [organizationId, limit]);
}
