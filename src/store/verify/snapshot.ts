import { sql, type Tx } from "../db.ts";

/** How many rows there are, by what they are. */
export type Counts = Record<string, number>;

const TABLES = {
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

const isolateStatement = sql("verify.isolate", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
// A million rows take longer than any request may. Each query is planned for its Organization, whose size is anything; and since all of
// it is read anyway, rows are never looked up one by one, as they would be where the statistics are of an emptier database.
const settingsStatement = sql(
  "verify.settings",
  `SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
     set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true)`,
);
const counts = Object.entries(TABLES).map(([name, table]) => `(SELECT count(*) FROM ${table} WHERE organization_id = $1) AS "${name}"`);
const countStatement = sql("verify.count", `SELECT ${counts.join(", ")}`);

/** To be the first in its transaction: from here on it sees one moment, writes nothing, and takes the time that it takes. */
export function takeSnapshot(tx: Tx): void {
  tx.send(isolateStatement, []);
  tx.send(settingsStatement, []);
}

export async function count(tx: Tx, organizationId: string): Promise<Counts> {
  return (await tx.query<Counts>(countStatement, [organizationId]))[0]!;
}
