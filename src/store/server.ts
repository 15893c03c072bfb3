import type { Database } from "./db.ts";
import { sql } from "./statement.ts";

/** A server or a role that Billow can't work with, in one line for the operator. */
export class ServerError extends Error {}

/** PostgreSQL 15, as `server_version_num`. */
export const OLDEST_SERVER = 150_000;

type Facts = {
  version: number;
  encoding: string;
  fsync: string;
  zeroDamagedPages: string;
  replicationRole: string;
  readOnly: string;
  schema: string | null;
  schemas: string[];
  backend: number;
};

const factsStatement = sql(
  "server.facts",
  `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
     current_setting('fsync') AS fsync, current_setting('zero_damaged_pages') AS "zeroDamagedPages",
     current_setting('session_replication_role') AS "replicationRole",
     current_setting('transaction_read_only') AS "readOnly", current_schema()::text AS schema,
     current_schemas(true)::text[] AS schemas, pg_backend_pid() AS backend`,
);
const backendStatement = sql("server.backend", "SELECT pg_backend_pid() AS backend");

/** The reason why Billow can't work on this server, as a sentence with the remedy; null: Billow can. */
function whyUnfit(facts: Facts): string | null {
  if (facts.version < OLDEST_SERVER)
    return `The database is PostgreSQL ${Math.floor(facts.version / 10_000)}, but Billow needs 15 or newer.`;
  if (facts.encoding !== "UTF8")
    return `The database has the encoding ${facts.encoding}, but Billow needs UTF8: CREATE DATABASE … ENCODING 'UTF8'.`;
  if (facts.fsync !== "on")
    return "The server runs with fsync = off: a power cut may destroy the database. Set fsync = on.";
  if (facts.zeroDamagedPages !== "off")
    return "The server runs with zero_damaged_pages = on, which destroys damaged rows. Set zero_damaged_pages = off.";
  if (facts.replicationRole !== "origin")
    return (
      `The role has session_replication_role = ${facts.replicationRole}, so PostgreSQL checks no foreign keys. ` +
      "Run ALTER ROLE … RESET session_replication_role."
    );
  if (facts.readOnly !== "off")
    return (
      "The database takes no writes: the server is a standby, or default_transaction_read_only is on. " +
      "Name the primary in DATABASE_URL, or set default_transaction_read_only = off."
    );
  if (facts.schema === null)
    return "The search_path names no schema that exists. Create the schema, or change the search_path.";
  if (facts.schemas.find((schema) => !schema.startsWith("pg_temp")) !== "pg_catalog")
    return "The search_path names pg_catalog behind another schema. Leave pg_catalog out of the search_path.";
  return null;
}

/**
 * Must run before anything is written.
 * @throws ServerError for a server or a role with settings that no session can change, and for a pooler that gives one
 * session to several connections
 */
export async function requireFitServer(db: Database): Promise<void> {
  const [facts] = await db.read.query<Facts>(factsStatement);
  const why = whyUnfit(facts!);
  if (why !== null) throw new ServerError(why);
  // Both connections are open now. Only with a pooler in another mode they can have the same session.
  const [other] = await db.tx((tx) => tx.query<{ backend: number }>(backendStatement));
  if (other!.backend === facts!.backend)
    throw new ServerError(
      "A pooler before the database lends one session to several connections, so settings are lost. " +
        "Set its pool_mode = session.",
    );
}
