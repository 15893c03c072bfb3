import type { Bulk } from "../driver/bulk.ts";
import type { Database } from "../driver/db.ts";
import { statementsOf } from "../driver/script.ts";
import { CREATE_TABLE, readMigrations } from "../migrate.ts";
import { listed, quoted, readOwnNames, readTables, type Table } from "./tables.ts";

const RELATIONS = `SELECT c.relname::text AS name FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT 1 FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname COLLATE "C"`;

/** Waits until the database has no other restore. The lock lasts as long as the transaction. */
export async function lockForRestore(bulk: Bulk): Promise<void> {
  await bulk.query("SELECT pg_advisory_xact_lock(hashtext('billow restore'))");
}

/** The names of the tables and views of the schema. */
export async function readRelations(bulk: Bulk): Promise<string[]> {
  return (await bulk.query<{ name: string }>(RELATIONS)).map(({ name }) => name);
}

/** An object that is made again from its definition after the rows are loaded. */
type Deferred = { drop: string; create: string };

const FOREIGN_KEYS = `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
      AS "create"
  FROM pg_constraint k WHERE k.connamespace = current_schema()::regnamespace AND k.contype = 'f'
  ORDER BY k.conrelid::regclass::text, k.conname`;
const INDEXES = `SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop,
    pg_get_indexdef(i.indexrelid) AS "create"
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
  ORDER BY i.indexrelid::regclass::text`;

/**
 * Makes the schema of these migrations without its indexes and foreign keys, and without a row, in the transaction that
 * is open. The queue of checks of foreign keys would take memory for each row of a table, and an index is built faster
 * from all rows than row by row. Returns the statements that complete the schema.
 */
export async function makeBareSchema(bulk: Bulk, names: ReadonlySet<string>): Promise<string[]> {
  await bulk.query(CREATE_TABLE);
  for (const { name, text } of await readMigrations()) {
    if (!names.has(name)) continue;
    for (const statement of statementsOf(text)) await bulk.query(statement);
  }
  // Some migrations insert rows.
  await bulk.query(`TRUNCATE ${listed((await readTables(bulk)).map(({ name }) => name))}`);
  const [keys, indexes] = [await bulk.query<Deferred>(FOREIGN_KEYS), await bulk.query<Deferred>(INDEXES)];
  const deferred = [...keys, ...indexes];
  for (const { drop } of deferred) await bulk.query(drop);
  return [...indexes, ...keys].map(({ create }) => create);
}

/** A column that no migration has made. */
export type ForeignColumn = { table: string; column: string };

/**
 * Gives the schema those columns of the tables that no migration has made, until `dropColumns`. Null: the tables are
 * not those of the schema, or lack a column of the schema.
 */
export async function addForeignColumns(bulk: Bulk, tables: readonly Table[]): Promise<ForeignColumn[] | null> {
  const names = await readOwnNames();
  const made = new Map((await readTables(bulk)).map(({ name, columns }) => [name, columns]));
  for (const name of made.keys()) if (!names.has(name)) made.delete(name);
  const foreign: ForeignColumn[] = [];
  for (const { name: table, columns } of tables) {
    const own = made.get(table);
    if (!own || own.some((column) => !columns.includes(column))) return null;
    made.delete(table);
    foreign.push(...columns.filter((column) => !own.includes(column)).map((column) => ({ table, column })));
  }
  if (made.size > 0) return null;
  // The text format of COPY has a text for each value.
  for (const { table, column } of foreign)
    await bulk.query(`ALTER TABLE ${quoted(table)} ADD COLUMN ${quoted(column)} text`);
  return foreign;
}

export async function dropColumns(bulk: Bulk, columns: readonly ForeignColumn[]): Promise<void> {
  for (const { table, column } of columns)
    await bulk.query(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(column)}`);
}

/** Loads the rows of a table as `copyTable` gave them. Answers the number of the rows. */
export const loadTable = (bulk: Bulk, { name, columns }: Table, data: AsyncIterable<Buffer>): Promise<number> =>
  bulk.copyIn(`COPY ${quoted(name)} (${listed(columns)}) FROM STDIN`, data);

// No database of PostgreSQL has the number 0. The timeline is that of another server.
const MARK = `INSERT INTO installation (id, system_identifier, database_oid, created_at)
  VALUES ($1, NULL, '0', statement_timestamp())
  ON CONFLICT (one) DO UPDATE SET system_identifier = excluded.system_identifier,
    database_oid = excluded.database_oid, timeline = NULL`;

/**
 * Makes the loaded database a copy (rule D1c), even if it has the number of the original. `id`: the id of an
 * installation that had none.
 */
export async function markAsCopy(bulk: Bulk, id: string): Promise<void> {
  await bulk.query(MARK, [id]);
}

/** Reads the statistics of the tables for PostgreSQL's plans, as a load leaves them empty. */
export async function analyzeTables(db: Database): Promise<void> {
  const names = await db.bulk(readTables);
  await db.script(`ANALYZE ${listed(names.map(({ name }) => name))}`);
}
