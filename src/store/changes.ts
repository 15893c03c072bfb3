import type { Change, FrozenPlan } from "../domain/frozen-plan.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export const changes = defineTable<Change>("changes", {
  organizationId: "plain",
  id: "plain",
  subscriptionId: "plain",
  customerId: "plain",
  checkoutId: "plain",
  pageId: "plain",
  status: "plain",
  plan: "json",
  groupKey: "plain",
  decidedAt: "instant",
  settledAt: "instant",
  requestId: "plain",
  idempotency: "json",
  createdAt: "instant",
});

const reservedStatement = sql(
  "changes.reserved",
  `SELECT subscription_id AS "subscriptionId" FROM changes
   WHERE organization_id = $1 AND customer_id = $2 AND group_key = $3 AND status = 'pending'`,
);

/** The Subscription whose change into this group is being paid, if any (rule C4). */
export async function reservedBy(tx: Tx, organizationId: string, customerId: string, groupKey: string): Promise<string | null> {
  return (await tx.query<{ subscriptionId: string }>(reservedStatement, [organizationId, customerId, groupKey]))[0]?.subscriptionId ?? null;
}

const pendingStatement = sql(
  "changes.pending",
  `SELECT plan FROM changes WHERE organization_id = $1 AND customer_id = $2 AND status = 'pending'`,
);

/** What the Customer's changes that are being paid will do. */
export async function pendingPlans(db: Queryable, organizationId: string, customerId: string): Promise<FrozenPlan[]> {
  return (await db.query<{ plan: FrozenPlan }>(pendingStatement, [organizationId, customerId])).map((row) => row.plan);
}

const ofCheckoutStatement = sql(
  "changes.of_checkout",
  `SELECT ${changes.columns()} FROM changes WHERE organization_id = $1 AND checkout_id = $2 AND status = 'pending'`,
);

/** The change that a Checkout is being paid for. */
export async function changeOfCheckout(tx: Tx, organizationId: string, checkoutId: string): Promise<Change | null> {
  return (await tx.query<Change>(ofCheckoutStatement, [organizationId, checkoutId]))[0] ?? null;
}
