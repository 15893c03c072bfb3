import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { ImportRun } from "../domain/import/import.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { columnList } from "./driver/table.ts";

const COLUMNS = columnList([
  "organizationId",
  "id",
  "source",
  "account",
  "step",
  "startedAt",
  "finishedAt",
  "sums",
] satisfies (keyof ImportRun)[]);

const beginStatement = sql(
  "import_runs.begin",
  `INSERT INTO import_runs (organization_id, id, source, account, step, started_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);
const finishStatement = sql(
  "import_runs.finish",
  `UPDATE import_runs SET finished_at = $3, sums = $4 WHERE organization_id = $1 AND id = $2`,
);
const lastStatement = sql(
  "import_runs.last",
  `SELECT DISTINCT ON (source, account, step) ${COLUMNS} FROM import_runs WHERE organization_id = $1
   ORDER BY source, account, step, id DESC`,
);

type NewRun = Omit<ImportRun, "finishedAt" | "sums">;

/** Records that a step of an import has begun. */
export async function beginRun(
  tx: Tx,
  { organizationId, id, source, account, step, startedAt }: NewRun,
): Promise<void> {
  await tx.query(beginStatement, [organizationId, id, source, account, step, formatInstant(startedAt)]);
}

export async function finishRun(
  tx: Tx,
  { organizationId, id }: Pick<ImportRun, "organizationId" | "id">,
  sums: object,
  at: Instant,
): Promise<void> {
  await tx.query(finishStatement, [organizationId, id, formatInstant(at), JSON.stringify(sums)]);
}

/** The last run of each step, for each account. */
export function lastRuns(db: Queryable, organizationId: string): Promise<ImportRun[]> {
  return db.query<ImportRun>(lastStatement, [organizationId]);
}
