import { SANDBOX, type ProviderAccount } from "../domain/model/payment-outcome.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";

const queueStatement = sql(
  "customers.queue_forgetting",
  `UPDATE customers SET forget_at = statement_timestamp() WHERE organization_id = $1 AND id = $2 AND EXISTS (
     SELECT 1 FROM payments p WHERE p.organization_id = $1 AND p.customer_id = $2 AND p.provider <> '${SANDBOX}')`,
);
const dueStatement = sql(
  "customers.due_forgetting",
  `SELECT organization_id AS "organizationId", id FROM customers
   WHERE forget_at <= statement_timestamp() ORDER BY forget_at LIMIT $1`,
);
const leaseStatement = sql(
  "customers.lease_forgetting",
  `UPDATE customers SET forget_at = statement_timestamp() + $3 * interval '1 millisecond'
   WHERE organization_id = $1 AND id = $2 AND forget_at <= statement_timestamp() RETURNING id`,
);
const accountsStatement = sql(
  "customers.accounts_of",
  `SELECT DISTINCT provider, provider_account AS "providerAccount" FROM payments
   WHERE organization_id = $1 AND customer_id = $2 AND provider <> '${SANDBOX}' ORDER BY 1, 2`,
);
const waitingStatement = sql(
  "customers.count_forgetting",
  "SELECT count(*)::int AS count FROM customers WHERE forget_at IS NOT NULL",
);
const endStatement = sql(
  "customers.end_forgetting",
  "UPDATE customers SET forget_at = NULL WHERE organization_id = $1 AND id = $2",
);

/** Queues a deleted Customer, if a connected provider knows the Customer. Does not wait for the answer. */
export function queueForgetting(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(queueStatement, [organizationId, customerId], "forgotten");
}

/** Deleted Customers that connected providers have to forget, in real time. */
export function dueForgetting(db: Queryable, limit: number): Promise<{ organizationId: string; id: string }[]> {
  return db.query(dueStatement, [limit]);
}

/** Leases a due Customer for `milliseconds`. Returns whether this process got the lease. */
export async function leaseForgetting(
  tx: Tx,
  organizationId: string,
  customerId: string,
  milliseconds: number,
): Promise<boolean> {
  return (await tx.query(leaseStatement, [organizationId, customerId, milliseconds])).length > 0;
}

/** The connected accounts that know a Customer, from their payments. */
export function accountsOf(db: Queryable, organizationId: string, customerId: string): Promise<ProviderAccount[]> {
  return db.query<ProviderAccount>(accountsStatement, [organizationId, customerId]);
}

/** The number of deleted Customers that connected providers still have to forget. */
export async function countForgetting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(waitingStatement, []);
  return row!.count;
}

export function endForgetting(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(endStatement, [organizationId, customerId]);
}
