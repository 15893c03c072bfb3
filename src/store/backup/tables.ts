import type { Bulk } from "../driver/bulk.ts";
import { readMigrations } from "../migrate.ts";

/** A table with the columns whose values a backup holds. */
export type Table = { name: string; columns: string[] };

/** A name that stands in a statement as it is. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const listed = (names: readonly string[]): string => names.map(quoted).join(", ");

/**
 * The tables of the schema with stored rows. A partition belongs to its table, and a table of an extension to the
 * extension.
 */
const TABLES = `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence = 'p'
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    AND NOT EXISTS (SELECT 1 FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  GROUP BY c.relname ORDER BY c.relname COLLATE "C"`;

export const readTables = (bulk: Bulk): Promise<Table[]> => bulk.query<Table>(TABLES);

/** The names of the tables that migrations make, and of the table of the migrations. */
export async function readOwnNames(): Promise<ReadonlySet<string>> {
  const migrations = await readMigrations();
  const made = migrations.flatMap(({ text }) => [...text.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name!));
  return new Set(["schema_migrations", ...made]);
}
