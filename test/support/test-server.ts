import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { joinEmbeddedDatabase } from "../../src/embedded-database.ts";
import { openDatabase } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { administer, dropCopies, type Connection } from "./database.ts";
import { copyInstalled, prepareInstalled } from "./installed.ts";

type Server = {
  connection: Omit<Connection, "database">;
  installed: string | null;
  /** The database that is migrated, or else is empty. */
  source: string;
  stop(): Promise<void>;
};

function useServer(url: string): Server {
  const { host, port, user = "postgres", password = "" } = new pg.Client({ connectionString: url });
  const connection = { host, port, user, password };
  return { connection, installed: null, source: "template0", stop: async () => undefined };
}

const MEMORY = "/dev/shm";
/** The databases of a run and the log of their writes take less. */
const ROOM = 4e9;

/**
 * A folder in memory, where a commit waits for no disk. No test of this server cuts its power. Without enough memory:
 * the folder for temporary files.
 */
async function fastFolder(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => null);
  return found && found.bavail * found.bsize > ROOM && freemem() > ROOM ? MEMORY : tmpdir();
}

async function startServer(): Promise<Server> {
  const directory = await mkdtemp(join(await fastFolder(), "billow-run-"));
  // Under root, PostgreSQL runs as another user, which must be able to enter the directory.
  await chmod(directory, 0o755);
  const [installed, dataDir] = [join(directory, "installed"), join(directory, "server")];
  await prepareInstalled(installed);
  await copyInstalled(installed, dataDir);
  const { connection, leave } = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
  // The databases of tests are tiny and short-lived: to plan a statement again costs more than to run it.
  await administer({ ...connection, database: "postgres" }, "ALTER ROLE ALL SET plan_cache_mode = force_generic_plan");
  return {
    connection,
    installed,
    source: connection.database,
    async stop() {
      await leave();
      await rm(directory, { recursive: true });
    },
  };
}

/** A migrated database without connections, from which others can be copied. */
export type Template = Pick<Server, "installed"> & { connection: Connection; drop(): Promise<void> };

/** Uses the server of TEST_DATABASE_URL, or an embedded one in a directory of its own. */
export async function createTemplate(): Promise<Template> {
  const url = process.env["TEST_DATABASE_URL"];
  const server = url ? useServer(url) : await startServer();
  const connection = { ...server.connection, database: `billow_template_${randomBytes(6).toString("hex")}` };
  await administer(connection, `CREATE DATABASE ${connection.database} TEMPLATE ${server.source}`);
  const db = openDatabase(connection, { transactions: 2 });
  await migrate(db);
  await db.end();
  return {
    connection,
    installed: server.installed,
    async drop() {
      await dropCopies(connection);
      await administer(connection, `DROP DATABASE ${connection.database} WITH (FORCE)`);
      await server.stop();
    },
  };
}
