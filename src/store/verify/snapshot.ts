import { sql, type Snapshot as State } from "../driver/db.ts";
import { TABLES, type Table } from "./tables.ts";

/**
 * The data of one Organization at one moment. `filled`: for each table, whether the Organization has a row in it. The
 * rules on empty tables are left out, because to plan a statement takes longer than to run it on a few rows.
 */
export type Snapshot = { tx: State; organizationId: string; filled: Readonly<Record<Table, boolean>> };
/** The number of rows of each kind. */
export type Counts = Record<string, number>;

const COUNTED = {
  customers: "customers",
  checkouts: "checkouts",
  subscriptions: "subscriptions",
  invoices: "invoices",
  lines: "invoice_lines",
  payments: "payments",
  refunds: "refunds",
  disputes: "disputes",
  creditNotes: "credit_notes",
  grants: "benefit_grants",
  transfers: "ledger_transfers",
  events: "events",
};

// Without a time limit, because a million rows take longer than any request may. Each query is planned for the size of
// its Organization. Look-ups row by row are off: all rows are read anyway, and old statistics of an emptier database
// would suggest such look-ups.
const settingsStatement = sql(
  "verify.settings",
  `SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
     set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true)`,
);
const counts = Object.entries(COUNTED).map(
  ([name, table]) => `(SELECT count(*) FROM ${table} WHERE organization_id = $1) AS "${name}"`,
);
const countStatement = sql("verify.count", `SELECT ${counts.join(", ")}`);

const filled = TABLES.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE organization_id = $1) AS ${table}`);
const filledStatement = sql("verify.filled", `SELECT ${filled.join(", ")}`);

/**
 * Must be the first call in its transaction. Afterwards the transaction sees the data of one moment, only reads, and
 * has no time limit.
 */
export async function takeSnapshot(tx: State, organizationId: string): Promise<Snapshot> {
  tx.send(settingsStatement, []);
  const rows = await tx.query<Snapshot["filled"]>(filledStatement, [organizationId]);
  return { tx, organizationId, filled: rows[0]! };
}

export async function count({ tx, organizationId }: Snapshot): Promise<Counts> {
  return (await tx.query<Counts>(countStatement, [organizationId]))[0]!;
}
