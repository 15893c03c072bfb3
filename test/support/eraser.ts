import pg from "pg";
import type { Connection } from "./database.ts";
import { until } from "./until.ts";

/** Changes with each table, column, index, constraint, trigger and function. */
const SCHEMA = `SELECT md5(string_agg(part, ',' ORDER BY part)) AS digest FROM (
    SELECT 'class ' || oid || relname || relnatts AS part FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'constraint ' || oid FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'function ' || oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'trigger ' || oid || tgenabled::text FROM pg_trigger) AS parts`;
const TABLES = `SELECT relname::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migrations'`;
const BUSY = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend' AND state <> 'idle'`;
const DEADLINE_SECONDS = 2;
/**
 * After more deletions, PostgreSQL would choose slow plans for the next test: its statistics still count the deleted
 * rows.
 */
const MOST_ROWS = 2_000;

export type Eraser = {
  /**
   * Deletes every row once no statement runs. False if the database can't be used again: the schema has changed, a
   * statement does not end, or there were many rows.
   */
  erase(): Promise<boolean>;
  end(): Promise<void>;
};

/**
 * On a cluster, the deletion goes to each node in one transaction, with the setting that checks no foreign keys. Each
 * statement is a message of its own, because Citus sends the whole message of a setting to the nodes.
 */
const ON_NODES = [
  "BEGIN",
  "SET LOCAL citus.multi_shard_modify_mode = 'sequential'",
  "SET LOCAL citus.propagate_set_commands = 'local'",
  "SET LOCAL session_replication_role = replica",
];

/** @param connection of a role that may set `session_replication_role`, so that deletions check no foreign keys. */
export async function openEraser(connection: Connection): Promise<Eraser> {
  const client = new pg.Client(connection);
  // A test may stop PostgreSQL or end its connections. Then the next statement fails.
  client.on("error", () => undefined);
  await client.connect();
  await client.query("SET session_replication_role = replica");
  const readSchema = async () => (await client.query(SCHEMA)).rows[0].digest as string;
  const schema = await readSchema();
  const tables = (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
  const filled = tables.map((name) => `EXISTS (SELECT 1 FROM "${name}") AS "${name}"`);
  const look = { name: "filled", text: `SELECT ${filled.join(", ")}` };

  const isQuiet = async () => (await client.query({ name: "busy", text: BUSY })).rowCount === 0;

  return {
    async erase() {
      try {
        await until(isQuiet, { seconds: DEADLINE_SECONDS });
        if ((await readSchema()) !== schema) return false;
        const found = (await client.query<Record<string, boolean>>(look)).rows[0]!;
        const full = tables.filter((name) => found[name]);
        const deletions = full.map((name) => `DELETE FROM "${name}"`);
        const texts = connection.workers ? [...ON_NODES, ...deletions, "COMMIT"] : [deletions.join("; ")];
        const deleted: pg.QueryResult[] = [];
        for (const text of texts) deleted.push(...[await client.query(text)].flat());
        return deleted.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) <= MOST_ROWS;
      } catch {
        return false;
      }
    },
    end: () => client.end().catch(() => undefined),
  };
}
