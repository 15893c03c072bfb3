import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDatabase, sql, type Database, type Queryable } from "../../src/store/driver/db.ts";
import { FOR_REQUESTS, FOR_WORK, type Limits } from "../../src/store/driver/limits.ts";
import { isCurrent, migrate } from "../../src/store/migrate.ts";
import { findServers, startInstalledServer, type InstalledServer } from "../support/installed-server.ts";
import { startPooler, type Pooler } from "../support/pooler.ts";

// PgBouncer in session mode, with its defaults: it refuses unknown parameters of the startup message.

let server: InstalledServer;
beforeAll(async () => {
  server = await startInstalledServer({ bin: findServers()[0]!, settings: { timezone: "Asia/Kathmandu" } });
}, 180_000);
afterAll(() => server.stop());

async function pool(settings: Record<string, string> = {}): Promise<Pooler> {
  const pooler = await startPooler(server, settings);
  onTestFinished(() => pooler.stop());
  return pooler;
}

function open({ connection }: Pooler, limits: Partial<Limits>): Database {
  const db = openDatabase(connection, limits);
  onTestFinished(() => db.end());
  return db;
}

const sessionStatement = sql(
  "test.pooler_session",
  `SELECT pg_backend_pid() AS backend, current_setting('TimeZone') AS zone, current_setting('lock_timeout') AS lock,
     current_setting('statement_timeout') AS statement, current_setting('jit') AS jit`,
);
const sessionOf = async (db: Queryable) => (await db.query(sessionStatement))[0];

test("the schema is made, and each session has our settings and time limits", async () => {
  const pooler = await pool();
  const db = open(pooler, FOR_WORK);
  await migrate(db);
  expect(await isCurrent(db)).toBe(true);
  const held = { zone: "UTC", jit: "off", statement: "30s", lock: "10s" };
  expect(await sessionOf(db.read)).toMatchObject(held);
  expect(await db.tx(sessionOf)).toMatchObject(held);
});

test("a connection to PostgreSQL that others used before has our settings again", async () => {
  const pooler = await pool({ default_pool_size: "1" });
  const limits = { reads: 1, transactions: 1 };
  const first = openDatabase(pooler.connection, { ...FOR_WORK, ...limits });
  const { backend } = (await sessionOf(first.read)) as { backend: number };
  await first.end();

  const other = new pg.Client(pooler.connection);
  await other.connect();
  await other.query("SET lock_timeout = 1; SET TimeZone = 'America/New_York'; SET jit = on");
  await other.end();

  const second = open(pooler, { ...FOR_REQUESTS, ...limits });
  const held = { backend, zone: "UTC", jit: "off", statement: "7s", lock: "5s" };
  expect(await sessionOf(second.read)).toEqual(held);
  expect(await sessionOf(second.read)).toEqual(held);
});

test("a pooler in another mode is refused in one line, before anything is made", async () => {
  await server.query("CREATE DATABASE untouched");
  const pooler = await pool({ pool_mode: "transaction" });
  const db = openDatabase({ ...pooler.connection, database: "untouched" });
  onTestFinished(() => db.end());
  await expect(migrate(db)).rejects.toThrow(/: a pooler before it lends one session to several connections, /);
  const tables = "SELECT count(*)::int AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace";
  expect((await server.query(tables, "untouched")).rows).toEqual([{ n: 0 }]);
});
