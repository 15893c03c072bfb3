import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readConfig } from "../src/config.ts";
import { createContext, type Context } from "../src/context.ts";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";
import { openDatabase } from "../src/store/driver/db.ts";
import { migrate } from "../src/store/migrate.ts";

/** Runs `work` on a new database, which is deleted afterwards. `client`: a connection for the work's own SQL. */
export async function withNewDatabase(work: (ctx: Context, client: pg.Client) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "billow-rows-"));
  chmodSync(folder, 0o711);
  const postgres = await joinEmbeddedDatabase({ dataDir: join(folder, "data"), log: () => undefined });
  const { host, port, user, password, database } = postgres.connection;
  const url = new URL(`postgres://localhost/${database}`);
  Object.assign(url, { username: user, password });
  url.searchParams.set("host", host);
  url.searchParams.set("port", String(port));
  const db = openDatabase(postgres.connection);
  const client = new pg.Client({ ...postgres.connection });
  try {
    await migrate(db);
    const config = readConfig({ DATABASE_URL: url.href, BILLOW_SECRET: "b".repeat(32), LOG_LEVEL: "warn" });
    await client.connect();
    await work(await createContext(config, { db }), client);
  } finally {
    await client.end();
    await db.end();
    await postgres.leave();
    rmSync(folder, { recursive: true });
  }
}
