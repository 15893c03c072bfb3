import type { BalanceEntry, HeldBalance } from "../domain/model/balance.ts";
import type { ListBalanceEntriesQuery } from "../resources/balance.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineTable, recordsOf, toRecords } from "./driver/table.ts";

export const balanceEntries = defineTable<BalanceEntry>("balance_entries", {
  organizationId: "plain",
  id: "plain",
  customerId: "plain",
  currency: "plain",
  amount: "plain",
  remaining: "plain",
  reason: "plain",
  source: "plain",
  paymentId: "plain",
  creditedLineId: "plain",
  note: "plain",
  invoiceId: "plain",
  refundId: "plain",
  createdAt: "instant",
});

const addAllStatement = sql(
  "balances.add_all",
  `INSERT INTO balances AS b (organization_id, customer_id, currency, amount)
   SELECT r.organization_id, r.customer_id, r.currency, sum(r.amount) FROM ${recordsOf("balances")} r
   GROUP BY r.organization_id, r.customer_id, r.currency ORDER BY r.organization_id, r.customer_id, r.currency
   ON CONFLICT (organization_id, customer_id, currency) DO UPDATE SET amount = b.amount + excluded.amount`,
);

type Movement = Pick<BalanceEntry, "organizationId" | "customerId" | "currency" | "amount">;

/**
 * Adds movements to the balances of any Customers in one statement, without waiting for its answer. The balance
 * entries are written separately.
 */
export function addBalances(tx: Tx, movements: readonly Movement[]): void {
  const columns = { organizationId: "plain", customerId: "plain", currency: "plain", amount: "plain" } as const;
  if (movements.length > 0) tx.send(addAllStatement, [toRecords<Movement>(columns, movements)]);
}

const entriesStatement = sql(
  "balances.entries",
  `SELECT ${balanceEntries.columns()} FROM balance_entries
   WHERE organization_id = $1 AND customer_id = $2 AND ($3::text IS NULL OR id < $3)
   AND ($4::text IS NULL OR currency = $4)
   ORDER BY id DESC LIMIT $5`,
);
const forgetNotesStatement = sql(
  "balances.forget_notes",
  `UPDATE balance_entries SET note = NULL WHERE organization_id = $1 AND customer_id = $2 AND note IS NOT NULL`,
);

const heldStatement = sql(
  "balances.held",
  `SELECT b.currency, b.amount, COALESCE(sum(e.remaining), 0)::bigint AS held
   FROM balances b LEFT JOIN balance_entries e ON e.organization_id = b.organization_id
     AND e.customer_id = b.customer_id AND e.currency = b.currency AND e.remaining <> 0 AND e.source IS NOT NULL
     AND e.payment_id IN (
       SELECT d.payment_id FROM disputes d
       WHERE d.organization_id = $1 AND d.customer_id = $2 AND d.status IN ('open', 'lost'))
   WHERE b.organization_id = $1 AND b.customer_id = $2
   GROUP BY b.currency, b.amount ORDER BY b.currency COLLATE "C"`,
);

/**
 * A Customer's balance in each currency that ever had an entry, and the part of that credit that a dispute holds back
 * (rule D7). Reads no Subscription, because a Customer may have thousands.
 */
export function heldBalances(db: Queryable, organizationId: string, customerId: string): Promise<HeldBalance[]> {
  return db.query<HeldBalance>(heldStatement, [organizationId, customerId]);
}

/** Newest first; returns one row more than the page holds. */
export async function listBalanceEntries(
  db: Queryable,
  organizationId: string,
  customerId: string,
  { cursor, currency, limit }: ListBalanceEntriesQuery,
): Promise<BalanceEntry[]> {
  return db.query<BalanceEntry>(entriesStatement, [organizationId, customerId, cursor, currency, limit + 1]);
}

/** Blanks the notes that operators wrote about a Customer (rule I5m). */
export function forgetNotes(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(forgetNotesStatement, [organizationId, customerId]);
}
