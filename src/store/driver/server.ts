import type { Database } from "./db.ts";
import { sql } from "./statement.ts";

/** A server or a role that Billow can't work with, in one line for the operator. */
export class ServerError extends Error {}

/** PostgreSQL 15, as `server_version_num`. */
const OLDEST_SERVER = 150_000;

type Facts = {
  version: number;
  encoding: string;
  fsync: string;
  zeroDamagedPages: string;
  replicationRole: string;
  readOnly: string;
  schema: string | null;
  schemas: string[];
};

const factsStatement = sql(
  "server.facts",
  `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
     current_setting('fsync') AS fsync, current_setting('zero_damaged_pages') AS "zeroDamagedPages",
     current_setting('session_replication_role') AS "replicationRole",
     current_setting('transaction_read_only') AS "readOnly", current_schema()::text AS schema,
     current_schemas(true)::text[] AS schemas`,
);

/** Why Billow can't work on a database, and the remedy as a sentence. */
export type Unfit = { says: string; advice: string };

function judge(facts: Facts): Unfit | null {
  const { version, encoding, replicationRole } = facts;
  if (version < OLDEST_SERVER)
    return {
      says: `PostgreSQL ${Math.floor(version / 10_000)} is too old`,
      advice: "Billow needs PostgreSQL 15 or newer.",
    };
  if (encoding !== "UTF8")
    return {
      says: `its encoding is ${encoding}, and names in other scripts don't fit`,
      advice: "Make a database with ENCODING 'UTF8'.",
    };
  if (facts.fsync !== "on")
    return { says: "fsync is off, so a power cut may destroy the database", advice: "Set fsync = on." };
  if (facts.zeroDamagedPages !== "off")
    return { says: "zero_damaged_pages is on, which destroys damaged rows", advice: "Set zero_damaged_pages = off." };
  if (replicationRole !== "origin")
    return {
      says: `session_replication_role is ${replicationRole}, so PostgreSQL checks no foreign keys`,
      advice: "Run ALTER ROLE … RESET session_replication_role.",
    };
  if (facts.readOnly !== "off")
    return {
      says: "it takes no writes: the server is a standby, or default_transaction_read_only is on",
      advice: "Name the primary in DATABASE_URL, or set default_transaction_read_only = off.",
    };
  if (facts.schema === null)
    return {
      says: "the search_path names no schema that exists",
      advice: "Create the schema, or change the search_path.",
    };
  if (facts.schemas.find((schema) => !schema.startsWith("pg_temp")) !== "pg_catalog")
    return {
      says: "the search_path names pg_catalog behind another schema",
      advice: "Leave pg_catalog out of the search_path.",
    };
  return null;
}

/** Null: Billow can work on this database. */
export async function whyUnfit(db: Database): Promise<Unfit | null> {
  const [facts] = await db.read.query<Facts>(factsStatement);
  const unfit = judge(facts!);
  if (unfit !== null) return unfit;
  if (db.pooling() !== "broken promise") return null;
  return {
    says: "DATABASE_POOL_MODE is session, but a pooler before it lends one session to several connections",
    advice: "Leave DATABASE_POOL_MODE out, or set pool_mode = session in the pooler.",
  };
}

/**
 * Must run before anything is written.
 * @throws ServerError for a server or a role with settings that no session can change, and for a pooler that gives one
 * session to several connections
 */
export async function requireFitServer(db: Database): Promise<void> {
  const unfit = await whyUnfit(db);
  if (unfit !== null) throw new ServerError(`Billow can't work on the database: ${unfit.says}. ${unfit.advice}`);
}
