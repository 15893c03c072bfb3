import { sql, type Database, type Queryable } from "./db.ts";

// A connection keeps a plan until the table is analyzed. A plan that was made while the table had one row reads the
// whole table, until PostgreSQL's own analysis runs: after a minute, or never if autovacuum is switched off.
// `reltuples` is the count of the last analysis.
const grownStatement = sql(
  "statistics.grown",
  `SELECT s.relname AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
   WHERE s.schemaname = current_schema() AND c.relkind = 'r' AND s.n_mod_since_analyze > greatest(1000, 4 * c.reltuples)
   ORDER BY s.relname`,
);

/**
 * Tables in need of a new count. Since the last count more than 1,000 rows were written, and more than 4 times the
 * counted rows.
 */
async function grownTables(db: Queryable): Promise<string[]> {
  return (await db.query<{ name: string }>(grownStatement)).map(({ name }) => name);
}

/**
 * Makes PostgreSQL count the rows of tables that have grown many times over since their last analysis, so that
 * statements are planned anew. A table is counted about five times while it grows to a million rows. Returns the
 * counted tables.
 */
export async function countGrownTables(db: Database): Promise<string[]> {
  const names = await grownTables(db.read);
  for (const name of names)
    await db.tx((tx) => tx.query(sql(`statistics.analyze_${name}`, `ANALYZE (SKIP_LOCKED) "${name}"`)));
  return names;
}
