import { isDeepStrictEqual } from "node:util";
import type { Bulk } from "../driver/bulk.ts";
import { listed, quoted, readOwnNames, readTables, type Table } from "./tables.ts";

/** The state of a database at one instant. */
export type TableSnapshot = {
  /** When the state was the present one, in ISO 8601. */
  takenAt: string;
  /** The version of PostgreSQL, as PostgreSQL reports it. */
  server: string;
  /** Null: no process has started on the database yet. */
  installationId: string | null;
  migrations: { name: string; checksum: string }[];
  tables: Table[];
  /** The tables of the schema that no migration has made. */
  foreignTables: string[];
};

const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
// The first statement that reads takes the snapshot, so the lock comes before.
const FACTS = `SELECT to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "takenAt",
    current_setting('server_version') AS server, (SELECT id FROM installation WHERE one) AS "installationId"`;
const MIGRATIONS = "SELECT name, checksum FROM schema_migrations ORDER BY name";
const KIND = `SELECT to_regclass('schema_migrations') IS NOT NULL AS migrated,
    to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus`;
const DISTRIBUTED = "SELECT count(*) > 0 AS distributed FROM pg_catalog.pg_dist_partition";

/** Why a database has no snapshot: it has not been migrated, or each of its nodes would have a snapshot of its own. */
export type NoSnapshot = "empty" | "distributed";

async function whyNone(bulk: Bulk): Promise<NoSnapshot | null> {
  const [kind] = await bulk.query<{ migrated: boolean; citus: boolean }>(KIND);
  if (!kind!.migrated) return "empty";
  const [found] = kind!.citus ? await bulk.query<{ distributed: boolean }>(DISTRIBUTED) : [];
  return found?.distributed ? "distributed" : null;
}

async function readOwnTables(bulk: Bulk): Promise<{ own: Table[]; foreign: string[] }> {
  const [names, all] = [await readOwnNames(), await readTables(bulk)];
  const foreign = all.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  return { own: all.filter(({ name }) => names.has(name)), foreign };
}

/**
 * Opens a transaction that sees one state of the whole database. Its locks keep a migration waiting, and let all other
 * work go on.
 */
export async function openTableSnapshot(bulk: Bulk): Promise<TableSnapshot | NoSnapshot> {
  const none = await whyNone(bulk);
  if (none !== null) return none;
  for (;;) {
    const { own, foreign } = await readOwnTables(bulk);
    await bulk.begin(BEGIN, `LOCK TABLE ${listed(own.map(({ name }) => name))} IN ACCESS SHARE MODE`);
    // A migration may have ended between the look and the lock.
    if (isDeepStrictEqual((await readOwnTables(bulk)).own, own)) {
      const [facts] = await bulk.query<Pick<TableSnapshot, "takenAt" | "server" | "installationId">>(FACTS);
      const migrations = await bulk.query<{ name: string; checksum: string }>(MIGRATIONS);
      return { ...facts!, migrations, tables: own, foreignTables: foreign };
    }
    await bulk.query("ROLLBACK");
  }
}

/** The rows of a table in PostgreSQL's text format, and at their end the number of the rows. */
export const copyTable = (bulk: Bulk, { name, columns }: Table): AsyncGenerator<Buffer, number, undefined> =>
  bulk.copyOut(`COPY (SELECT ${listed(columns)} FROM ${quoted(name)}) TO STDOUT`);
