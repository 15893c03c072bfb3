import type { Dispute } from "../domain/model/dispute.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Subscription } from "../domain/model/subscription.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { disputes } from "./disputes.ts";
import { subscriptions } from "./subscriptions.ts";

const heldStatement = sql(
  "attention.held",
  `SELECT (SELECT count(*) FROM subscriptions
       WHERE organization_id = $1 AND held_at IS NOT NULL AND due_at IS NOT NULL) AS subscriptions,
     (SELECT count(*) FROM invoices
       WHERE organization_id = $1 AND status = 'open' AND held_reason IS NOT NULL) AS invoices,
     (SELECT count(*) FROM provider_notices WHERE organization_id = $1 AND status = 'unmatched') AS notices`,
);

/**
 * The numbers of held Subscriptions (rule T4), of held invoices (rule D9g), and of notices of a provider that belong to
 * no payment.
 */
export type Held = { subscriptions: number; invoices: number; notices: number };

export async function countOfHeld(db: Queryable, organizationId: string): Promise<Held> {
  return (await db.query<Held>(heldStatement, [organizationId]))[0]!;
}

const disputesStatement = sql(
  "attention.disputes",
  `SELECT ${disputes.columns()} FROM disputes WHERE organization_id = $1 AND status IN ('inquiry', 'open')
   ORDER BY evidence_due_at, id LIMIT $2`,
);

/** Disputes that wait for evidence or for the bank, the first deadline first. */
export function openDisputes(db: Queryable, organizationId: string, limit: number): Promise<Dispute[]> {
  return db.query<Dispute>(disputesStatement, [organizationId, limit]);
}

const unpaidStatement = sql(
  "attention.unpaid_end",
  `SELECT ${subscriptions.columns()} FROM subscriptions
   WHERE organization_id = $1 AND status = 'canceled' AND cancellation_reason = 'payment_failed'
     AND ended_at >= (SELECT COALESCE(clock_at, statement_timestamp()) FROM organizations WHERE id = $1)
       - $2 * interval '1 day'
   ORDER BY ended_at DESC, id DESC LIMIT $3`,
);

/**
 * Subscriptions that ended in the last days of billing time because no charge of theirs succeeded (rule D4), the latest
 * end first.
 */
export function endedUnpaid(
  db: Queryable,
  organizationId: string,
  days: number,
  limit: number,
): Promise<Subscription[]> {
  return db.query<Subscription>(unpaidStatement, [organizationId, days, limit]);
}

const pastDueStatement = sql(
  "attention.past_due",
  `SELECT ${subscriptions.columns()} FROM subscriptions WHERE organization_id = $1 AND status = 'past_due'
   ORDER BY id DESC LIMIT $2`,
);

/** Subscriptions whose renewal is not paid, the newest Subscription first. */
export function pastDue(db: Queryable, organizationId: string, limit: number): Promise<Subscription[]> {
  return db.query<Subscription>(pastDueStatement, [organizationId, limit]);
}

const unrecognizedStatement = sql(
  "attention.unrecognized",
  `SELECT s.id, s.customer_id AS "customerId", s.ended_at AS "endedAt"
   FROM subscriptions s JOIN organizations o ON o.id = s.organization_id
   WHERE s.organization_id = $1 AND s.cancellation_reason = 'unrecognized'
     AND s.ended_at > COALESCE(o.clock_at, now()) - interval '30 days'
   ORDER BY s.ended_at DESC, s.id LIMIT $2`,
);

/** A purchase that its Customer did not recognize. */
export type Unrecognized = { id: string; customerId: string; endedAt: Instant };

/** The purchases that Customers did not recognize in the last 30 days, the newest first (rule C13c). */
export function unrecognizedPurchases(db: Queryable, organizationId: string, limit: number): Promise<Unrecognized[]> {
  return db.query<Unrecognized>(unrecognizedStatement, [organizationId, limit]);
}
