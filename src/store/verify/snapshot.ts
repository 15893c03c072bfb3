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

// Without a time limit, because a million rows take longer than any request may.
const UNLIMITED =
  "set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)";
/**
 * For a small Organization, PostgreSQL keeps the plans: planning a rule takes longer than a few rows of it. Rows are
 * read by an index, because a kept plan does not know how large the tables are.
 */
const keptPlansStatement = sql(
  "verify.keep_plans",
  `SELECT ${UNLIMITED}, set_config('plan_cache_mode', 'force_generic_plan', true),
     set_config('enable_seqscan', 'off', true)`,
);
/**
 * For a large Organization, each rule is planned for its number of rows. Look-ups row by row are off: all rows are read
 * anyway, and old statistics of an emptier database would suggest such look-ups.
 */
const ownPlansStatement = sql(
  "verify.own_plans",
  `SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'on', true),
     set_config('enable_nestloop', 'off', true)`,
);
/** The most rows in a table of a small Organization. A plan for few rows takes at most some milliseconds for so many. */
const FEW_ROWS = 500;
const counts = Object.entries(COUNTED).map(
  ([name, table]) => `(SELECT count(*) FROM ${table} WHERE organization_id = $1) AS "${name}"`,
);
const countStatement = sql("verify.count", `SELECT ${counts.join(", ")}`);

const firstRows = TABLES.map(
  (table) =>
    `(SELECT count(*) FROM (SELECT FROM ${table} WHERE organization_id = $1 LIMIT ${FEW_ROWS + 1}) x) AS ${table}`,
);
const firstRowsStatement = sql("verify.first_rows", `SELECT ${firstRows.join(", ")}`);

/**
 * Must be the first call in its transaction. Afterwards the transaction sees the data of one moment, only reads, and
 * has no time limit.
 */
export async function takeSnapshot(tx: State, organizationId: string): Promise<Snapshot> {
  tx.send(keptPlansStatement, []);
  // Citus finds the node of a statement by the values of its parameters.
  if (tx.isDistributed) tx.send(ownPlansStatement, []);
  const [rows] = await tx.query<Record<Table, number>>(firstRowsStatement, [organizationId]);
  const counted = Object.entries(rows!);
  if (counted.some(([, many]) => many > FEW_ROWS)) tx.send(ownPlansStatement, []);
  const filled = Object.fromEntries(counted.map(([table, many]) => [table, many > 0])) as Snapshot["filled"];
  return { tx, organizationId, filled };
}

export async function count({ tx, organizationId }: Snapshot): Promise<Counts> {
  return (await tx.query<Counts>(countStatement, [organizationId]))[0]!;
}
