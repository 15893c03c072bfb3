import type { Instant } from "../domain/calendar.ts";
import { newId } from "../ids.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export type Balance = { currency: string; amount: number };
/** Why a balance moved, and how far: positive in the Customer's favour. */
export type BalanceEntry = {
  organizationId: string;
  id: string;
  customerId: string;
  currency: string;
  amount: number;
  reason: "invoice" | "invoice_voided" | "unapplied_payment";
  invoiceId: string | null;
  createdAt: Instant;
};

const entries = defineTable<BalanceEntry>("balance_entries", {
  organizationId: "plain",
  id: "plain",
  customerId: "plain",
  currency: "plain",
  amount: "plain",
  reason: "plain",
  invoiceId: "plain",
  createdAt: "instant",
});

const listStatement = sql(
  "balances.list",
  `SELECT currency, amount FROM balances WHERE organization_id = $1 AND customer_id = $2 ORDER BY currency`,
);
const addStatement = sql(
  "balances.add",
  `INSERT INTO balances AS b (organization_id, customer_id, currency, amount) VALUES ($1, $2, $3, $4)
   ON CONFLICT (organization_id, customer_id, currency) DO UPDATE SET amount = b.amount + excluded.amount`,
);

/** Every currency the Customer ever had a balance in. */
export async function listBalances(db: Queryable, organizationId: string, customerId: string): Promise<Balance[]> {
  return db.query<Balance>(listStatement, [organizationId, customerId]);
}

export async function balanceIn(db: Queryable, organizationId: string, customerId: string, currency: string): Promise<number> {
  return (await listBalances(db, organizationId, customerId)).find((balance) => balance.currency === currency)?.amount ?? 0;
}

/** Moves the balance and writes the entry that says why; under the Customer's lock. An amount of 0 is no movement. */
export function moveBalance(tx: Tx, entry: Omit<BalanceEntry, "id">): void {
  if (entry.amount === 0) return;
  entries.insert(tx, { ...entry, id: newId("bal") });
  tx.send(addStatement, [entry.organizationId, entry.customerId, entry.currency, entry.amount]);
}
