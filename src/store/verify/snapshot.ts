import { sql, type Tx } from "../db.ts";

/** The number of rows of each kind. */
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
// A million rows take longer than any request may. Each query is planned for its Organization, of any size. All rows
// are read anyway, so they are never looked up one by one, as the statistics of an emptier database would suggest.
const settingsStatement = sql(
  "verify.settings",
  `SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
     set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true)`,
);
const counts = Object.entries(TABLES).map(
  ([name, table]) => `(SELECT count(*) FROM ${table} WHERE organization_id = $1) AS "${name}"`,
);
const countStatement = sql("verify.count", `SELECT ${counts.join(", ")}`);

/** Must come first in its transaction, which from here on sees one moment, only reads, and has no time limit. */
export function takeSnapshot(tx: Tx): void {
  tx.send(isolateStatement, []);
  tx.send(settingsStatement, []);
}

export async function count(tx: Tx, organizationId: string): Promise<Counts> {
  return (await tx.query<Counts>(countStatement, [organizationId]))[0]!;
}
