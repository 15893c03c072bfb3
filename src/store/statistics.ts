import { sql, type Database, type Queryable } from "./db.ts";

// A connection keeps a plan until the table is analyzed. One that was made while the table had a row reads all of it, for as long as
// PostgreSQL's own analysis does not come by: a minute, or for ever where that is switched off. `reltuples` is what was counted then.
const grownStatement = sql(
  "statistics.grown",
  `SELECT s.relname AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
   WHERE s.schemaname = current_schema() AND c.relkind = 'r' AND s.n_mod_since_analyze > greatest(1000, 4 * c.reltuples)
   ORDER BY s.relname`,
);

/** Tables of which five times as many rows, and a thousand at least, were written as PostgreSQL has counted. */
async function grownTables(db: Queryable): Promise<string[]> {
  return (await db.query<{ name: string }>(grownStatement)).map(({ name }) => name);
}

/**
 * Has PostgreSQL count the rows of tables that have grown many times over since it last did, so that statements are planned anew. Each
 * table comes about ten times on its way to a million rows. Answers which tables were counted.
 */
export async function countGrownTables(db: Database): Promise<string[]> {
  const names = await grownTables(db.read);
  for (const name of names) await db.tx((tx) => tx.query(sql(`statistics.analyze_${name}`, `ANALYZE (SKIP_LOCKED) "${name}"`)));
  return names;
}
