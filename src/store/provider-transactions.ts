import { formatInstant, instant, type Instant } from "../domain/calendar.ts";
import {
  TRANSACTION_DAYS,
  type TransactionComparison,
  type TransactionImport,
} from "../domain/payment/transaction-import.ts";
import type { ConnectionKey } from "../domain/model/provider-connection.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { columnList } from "./driver/table.ts";
import { formOf } from "./driver/each-organization.ts";
import { DISTRIBUTED } from "./driver/statement.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

/** An import that this process may carry on until `importAt`, read at `now`. Both are real time. */
export type LeasedImport = TransactionImport & { importAt: Instant; failures: number; now: Instant };

/** An entry of a provider's book, or an orphan: a request at the provider that its adapter does not know. */
export type ProviderTransaction = {
  kind: "charge" | "refund" | "orphan";
  ref: string;
  key: string | null;
  chargeKey: string | null;
  amount: number;
  currency: string;
  createdAt: Instant;
};

const COLUMNS = columnList([
  "organizationId",
  "provider",
  "providerAccount",
  "importedFrom",
  "importedUntil",
  "readingFrom",
  "readingUntil",
  "cursor",
  "orphansUntil",
  "orphans",
  "late",
  "lateUntil",
  "heldSince",
  "heldDifferences",
  "createdAt",
  "importAt",
  "failures",
]);
const KEY = "organization_id = $1 AND provider = $2 AND provider_account = $3";
/** A mark that the provider refuses must not stop an import for good: after so many failures its span begins anew. */
const MOST_FAILURES = 3;

const unlessHopeless = (column: string) => `${column} = CASE WHEN failures + 1 < ${MOST_FAILURES} THEN ${column} END`;

const planStatement = sql(
  "provider_book_imports.plan",
  `INSERT INTO provider_book_imports (organization_id, provider, provider_account, import_at, failures, created_at)
   VALUES ($1, $2, $3, CASE WHEN $4::boolean THEN ${REAL_NOW} END, 0, ${REAL_NOW})
   ON CONFLICT (organization_id, provider, provider_account) DO UPDATE SET import_at = EXCLUDED.import_at, failures = 0
   RETURNING import_at IS NOT NULL AS due`,
);
const PLAN = `UPDATE provider_book_imports SET import_at = ${REAL_NOW} WHERE import_at > statement_timestamp()`;
const planAllStatement = sql("provider_book_imports.plan_all", `${PLAN} RETURNING true AS due`);
const planOfOneStatement = sql(
  `provider_book_imports.plan_all${DISTRIBUTED}`,
  `${PLAN} AND organization_id = $1 RETURNING true AS due`,
);
const ownersStatement = sql(
  "provider_book_imports.owners",
  `SELECT DISTINCT organization_id AS id FROM provider_book_imports WHERE import_at IS NOT NULL ORDER BY 1`,
);
const dueStatement = sql(
  "provider_book_imports.due",
  `SELECT organization_id AS "organizationId", provider, provider_account AS "providerAccount"
   FROM provider_book_imports WHERE import_at <= statement_timestamp() ORDER BY import_at LIMIT $1`,
);
const leaseStatement = sql(
  "provider_book_imports.lease",
  `UPDATE provider_book_imports SET import_at = ${REAL_NOW} + $4 * interval '1 millisecond'
   WHERE ${KEY} AND import_at <= statement_timestamp() RETURNING ${COLUMNS}`,
);
// A compare-and-set: after the end of a lease another process may have gone on, and a disconnection clears the instant.
const moveStatement = sql(
  "provider_book_imports.move",
  `UPDATE provider_book_imports SET import_at = ${REAL_NOW} + $5 * interval '1 millisecond', imported_from = $6,
     imported_until = $7, reading_from = $8, reading_until = $9, cursor = $10, orphans_until = $11, orphans = $12,
     late = $13, late_until = $14, held_since = $15, held_differences = $16, failures = 0
   WHERE ${KEY} AND import_at = $4 RETURNING ${COLUMNS}`,
);
const failStatement = sql(
  "provider_book_imports.fail",
  `UPDATE provider_book_imports SET
     import_at = to_timestamp(extract(epoch FROM ${REAL_NOW})::float8 + least(failures + 1, 12) * 300),
     failures = failures + 1, ${["cursor", "orphans", "late", "late_until"].map(unlessHopeless).join(", ")}
   WHERE ${KEY} AND import_at = $4`,
);
// An entry may come again, in the hour that two spans share. A page that names an entry twice counts once.
const storeStatement = sql(
  "provider_book.store",
  `INSERT INTO provider_book AS b (organization_id, provider, provider_account, ref, kind, key, charge_key, amount,
     currency, created_at)
   SELECT DISTINCT ON (ref) $1, $2, $3, ref, kind, key, charge_key, amount, currency, created_at
   FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::timestamptz[])
     AS e (ref, kind, key, charge_key, amount, currency, created_at) ORDER BY ref
   ON CONFLICT (organization_id, provider, provider_account, ref) DO UPDATE SET kind = EXCLUDED.kind,
     key = EXCLUDED.key, charge_key = EXCLUDED.charge_key, amount = EXCLUDED.amount, currency = EXCLUDED.currency,
     created_at = EXCLUDED.created_at
   WHERE EXCLUDED.kind <> 'orphan' OR b.kind = 'orphan'`,
);
const oldRows = defineOldRows({
  name: "provider_book.forget",
  table: "provider_book",
  keys: { provider: "text", provider_account: "text", ref: "text" },
  isOld: `created_at < statement_timestamp() - interval '${TRANSACTION_DAYS} days'`,
  by: "created_at",
});

const valuesOf = ({ organizationId, provider, providerAccount }: ConnectionKey) => [
  organizationId,
  provider,
  providerAccount,
];
const timestamp = (at: Instant | null) => at && formatInstant(at);
const json = (value: unknown) => value && JSON.stringify(value);

/** Plans an import of a connected account at once; without `isConnected` no import follows. The imported span stays. */
export function planImport(tx: Tx, key: ConnectionKey, isConnected: boolean): void {
  tx.send(planStatement, [...valuesOf(key), isConnected], "provider-books");
}

/** Plans an import of every connected account at once: of one Organization, or with null of all. */
export function planImports(tx: Tx, organizationId: string | null): void {
  tx.send(...formOf(planAllStatement, planOfOneStatement, organizationId), "provider-books");
}

/** The Organizations with a connected account. */
export async function connectedOrganizations(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>(ownersStatement)).map(({ id }) => id);
}

/** Accounts with a book that is to be read now, in real time. */
export function dueImports(db: Queryable, limit: number): Promise<ConnectionKey[]> {
  return db.query<ConnectionKey>(dueStatement, [limit]);
}

type Row = Omit<LeasedImport, "now">;
const leased = (row: Row, milliseconds: number): LeasedImport => ({
  ...row,
  now: instant(row.importAt - milliseconds),
});

/** Leases a due import for `milliseconds`; null if another process imports, or if the import is not due. */
export async function leaseImport(tx: Tx, key: ConnectionKey, milliseconds: number): Promise<LeasedImport | null> {
  const [row] = await tx.query<Row>(leaseStatement, [...valuesOf(key), milliseconds]);
  return row ? leased(row, milliseconds) : null;
}

/**
 * Keeps the state of an import and makes the import due after `milliseconds`: the lease of this process goes on until
 * then. Null: the lease had ended, so the transaction must be undone.
 */
export async function moveImport(tx: Tx, next: LeasedImport, milliseconds: number): Promise<LeasedImport | null> {
  const { importAt, importedFrom, importedUntil, readingFrom, readingUntil, cursor } = next;
  const instants = [importedFrom, importedUntil, readingFrom, readingUntil].map(timestamp);
  const orphans = [timestamp(next.orphansUntil), json(next.orphans)];
  const late = [json(next.late), timestamp(next.lateUntil)];
  const hold = [timestamp(next.heldSince), next.heldDifferences];
  const values = [timestamp(importAt), milliseconds, ...instants, cursor, ...orphans, ...late, ...hold];
  const [row] = await tx.query<Row>(moveStatement, [...valuesOf(next), ...values]);
  return row ? leased(row, milliseconds) : null;
}

/** Postpones an import that has failed by 5 minutes to an hour. The third failure in a row begins the span anew. */
export function postponeImport(tx: Tx, progress: LeasedImport): void {
  tx.send(failStatement, [...valuesOf(progress), timestamp(progress.importAt)]);
}

/** Writes entries, stored ones anew. An orphan never replaces a charge or a refund. */
export function storeTransactions(tx: Tx, key: ConnectionKey, entries: readonly ProviderTransaction[]): void {
  if (entries.length === 0) return;
  const columns = [
    entries.map(({ ref }) => ref),
    entries.map(({ kind }) => kind),
    entries.map((entry) => entry.key),
    entries.map(({ chargeKey }) => chargeKey),
    entries.map(({ amount }) => amount),
    entries.map(({ currency }) => currency),
    entries.map(({ createdAt }) => formatInstant(createdAt)),
  ];
  tx.send(storeStatement, [...valuesOf(key), ...columns]);
}

/** Deletes up to `limit` entries older than 35 days. Returns how many. */
export function forgetTransactions(db: Deleting, limit: number): Promise<number> {
  return forgetRows(db, oldRows, limit);
}

const COMPARISON = columnList(["organizationId", "differences", "unknownCharges", "differsSince", "comparedAt"]);
const comparisonStatement = sql(
  "provider_book_comparisons.find",
  `SELECT ${COMPARISON} FROM provider_book_comparisons WHERE organization_id = $1`,
);
const lockComparisonStatement = sql("provider_book_comparisons.lock", `${comparisonStatement.text} FOR UPDATE`);
const storeComparisonStatement = sql(
  "provider_book_comparisons.store",
  `INSERT INTO provider_book_comparisons AS c (organization_id, differences, unknown_charges, differs_since,
     compared_at) VALUES ($1, $2, $3, CASE WHEN $2 > 0 THEN ${REAL_NOW} END, ${REAL_NOW})
   ON CONFLICT (organization_id) DO UPDATE SET differences = EXCLUDED.differences,
     unknown_charges = EXCLUDED.unknown_charges, compared_at = EXCLUDED.compared_at,
     differs_since = CASE WHEN EXCLUDED.differences > 0 THEN coalesce(c.differs_since, EXCLUDED.differs_since) END`,
);
const differencesStatement = sql(
  "provider_book_comparisons.count",
  `SELECT coalesce(sum(differences), 0)::bigint AS differences FROM provider_book_comparisons`,
);

/** The last comparison of an Organization's books; null before the first import. */
export async function findComparison(db: Queryable, organizationId: string): Promise<TransactionComparison | null> {
  return (await db.query<TransactionComparison>(comparisonStatement, [organizationId]))[0] ?? null;
}

/** Keeps the result of a comparison, and answers the result of the comparison before. */
export async function storeComparison(
  tx: Tx,
  organizationId: string,
  { differences, unknownCharges }: Pick<TransactionComparison, "differences" | "unknownCharges">,
): Promise<TransactionComparison | null> {
  const [before] = await tx.query<TransactionComparison>(lockComparisonStatement, [organizationId]);
  tx.send(storeComparisonStatement, [organizationId, differences, unknownCharges]);
  return before ?? null;
}

/** The differences between the providers' books and ours, over all Organizations. */
export async function countDifferences(db: Queryable): Promise<number> {
  return (await db.query<{ differences: number }>(differencesStatement))[0]!.differences;
}
