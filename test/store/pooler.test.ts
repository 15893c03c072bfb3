import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { rowOfInstallation } from "../../src/actions/installation-row.ts";
import { parseAddress } from "../../src/database-address.ts";
import { openDatabase, sql, type Database, type Queryable } from "../../src/store/driver/db.ts";
import { FOR_REQUESTS, FOR_WORK, type Limits } from "../../src/store/driver/limits.ts";
import { directRoute, routeOf, type PoolMode } from "../../src/store/driver/route.ts";
import { isCurrent, migrate } from "../../src/store/migrate.ts";
import { Replica } from "../../src/store/replica.ts";
import { findServers, startInstalledServer, type InstalledServer } from "../support/installed-server.ts";
import { startPooler, type Pooler } from "../support/pooler.ts";

// PgBouncer with its defaults but for the named settings: it refuses unknown parameters of the startup message.

let server: InstalledServer;
beforeAll(async () => {
  server = await startInstalledServer({ bin: findServers()[0]!, settings: { timezone: "Asia/Kathmandu" } });
}, 540_000);
afterAll(() => server.stop());

async function pool(settings: Record<string, string> = {}): Promise<Pooler> {
  const pooler = await startPooler(server, settings);
  onTestFinished(() => pooler.stop());
  return pooler;
}

function open({ connection }: Pooler, limits: Partial<Limits> = {}, poolMode?: PoolMode, database = "postgres") {
  const db = openDatabase(directRoute({ ...connection, database }, poolMode), limits);
  onTestFinished(() => db.end());
  return db;
}

/** A new database. */
async function create(name: string, settings: Record<string, string> = {}): Promise<string> {
  await server.query(`CREATE DATABASE ${name}`);
  for (const [key, value] of Object.entries(settings))
    await server.query(`ALTER DATABASE ${name} SET ${key} = '${value}'`);
  return name;
}

const SETTINGS = [
  "TimeZone",
  "jit",
  "statement_timeout",
  "lock_timeout",
  "synchronous_commit",
  "transaction_isolation",
];
const sessionStatement = sql(
  "test.pooler_session",
  `SELECT pg_backend_pid() AS backend, ${SETTINGS.map((name) => `current_setting('${name}') AS ${name}`).join(", ")}`,
);
const sessionOf = async (db: Queryable) => (await db.query<{ backend: number }>(sessionStatement))[0]!;
const HELD = {
  timezone: "UTC",
  jit: "off",
  statement_timeout: "30s",
  lock_timeout: "10s",
  synchronous_commit: "on",
  transaction_isolation: "read committed",
};
const OTHER = "SET lock_timeout = 1; SET TimeZone = 'America/New_York'; SET jit = on; SET synchronous_commit = off";

/** Another program on the pooler, with a connection of its own. */
async function other({ connection }: Pooler, database = "postgres"): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, database });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The errors of calls; empty if all succeeded. */
async function errorsOf(calls: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
}

const echoStatement = sql("test.pooler_echo", "SELECT $1::int AS n");
const divideStatement = sql("test.pooler_divide", "SELECT 10 / $1::int AS n");
const napStatement = sql("test.pooler_nap", "SELECT pg_sleep(1)");
const echo = async (db: Queryable, n: number) => (await db.query<{ n: number }>(echoStatement, [n]))[0]!.n;

const readOnlyStatement = sql("test.pooler_read_only", "SELECT current_setting('transaction_read_only') AS held");

describe("a pooler of sessions", () => {
  test("has our settings and time limits in each session", async () => {
    const db = open(await pool(), FOR_WORK, "session", await create("sessions"));
    await migrate(db);
    expect(await isCurrent(db)).toBe(true);
    expect([await sessionOf(db.read), await db.tx(sessionOf)]).toMatchObject([HELD, HELD]);
    expect(db.pooling()).toBe("session");
  });

  test("has our settings again in a session that others used before", async () => {
    const pooler = await pool({ default_pool_size: "1" });
    const limits = { reads: 1, transactions: 1 };
    const first = openDatabase(directRoute(pooler.connection, "session"), { ...FOR_WORK, ...limits });
    const { backend } = await sessionOf(first.read);
    await first.end();
    const client = new pg.Client(pooler.connection);
    await client.connect();
    await client.query(OTHER);
    await client.end();
    const second = open(pooler, { ...FOR_REQUESTS, ...limits }, "session");
    const held = { ...HELD, backend, statement_timeout: "7s", lock_timeout: "5s" };
    expect(await sessionOf(second.read)).toEqual(held);
    expect(await sessionOf(second.read)).toEqual(held);
  });

  test("needs no setting of Billow", async () => {
    const db = open(await pool(), FOR_WORK);
    expect([await sessionOf(db.read), await db.tx(sessionOf)]).toMatchObject([HELD, HELD]);
  });

  test("that lends sessions all the same is refused in one line, before anything is made", async () => {
    const database = await create("untouched");
    const pooler = await pool({ pool_mode: "transaction" });
    const db = open(pooler, {}, "session", database);
    await expect(migrate(db)).rejects.toThrow(
      /: DATABASE_POOL_MODE is session, but a pooler before it lends one session to several connections\. Leave /,
    );
    const tables = "SELECT count(*)::int AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    expect((await server.query(tables, database)).rows).toEqual([{ n: 0 }]);
    const left =
      "SELECT current_setting('statement_timeout') AS statement, current_setting('row_security') AS security";
    // Each of these holds another one of the pooler's sessions.
    for (const client of [await other(pooler, database), await other(pooler, database)]) {
      await client.query("BEGIN");
      expect((await client.query(left)).rows).toEqual([{ statement: "0", security: "on" }]);
    }
  });
});

describe("a pooler of transactions", () => {
  test("has our settings in each read and transaction, after other settings of the session, too", async () => {
    const isolation = { default_transaction_isolation: "serializable", jit: "on" };
    const [pooler, database] = [await pool({ pool_mode: "transaction" }), await create("transactions", isolation)];
    const db = open(pooler, FOR_WORK, undefined, database);
    await migrate(db);
    expect(await isCurrent(db)).toBe(true);
    const client = await other(pooler, database);
    await client.query(OTHER);
    const [{ pid }] = (await client.query("SELECT pg_backend_pid() AS pid")).rows;
    expect([await sessionOf(db.read), await db.tx(sessionOf)]).toEqual([
      { ...HELD, backend: pid },
      { ...HELD, backend: pid },
    ]);
    expect(await db.snapshot(sessionOf)).toEqual({ ...HELD, backend: pid, transaction_isolation: "repeatable read" });
    expect(db.pooling()).toBe("transaction");
  });

  test("keeps none of our settings and statements in its sessions", async () => {
    const pooler = await pool({ pool_mode: "transaction", default_pool_size: "1" });
    const db = open(pooler, FOR_REQUESTS, undefined, await create("clean"));
    await sessionOf(db.read);
    await db.tx(sessionOf);
    await db.script("CREATE TABLE things (n int)");
    const client = await other(pooler, "clean");
    const left = `SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS statement,
      (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`;
    expect((await client.query(left)).rows).toEqual([{ zone: "Asia/Kathmandu", statement: "0", prepared: 0 }]);
  });

  test("answers more connections than it has sessions, each with its own rows", async () => {
    const pooler = await pool({ pool_mode: "transaction", default_pool_size: "2" });
    const dbs: Database[] = Array.from({ length: 3 }, () => open(pooler, { reads: 2, transactions: 8 }));
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    const calls = numbers.map((n) => {
      const db = dbs[n % 3]!;
      return n % 2 === 0 ? echo(db.read, n) : db.tx(async (tx) => (await echo(tx, n)) && echo(tx, n));
    });
    expect(await Promise.all(calls)).toEqual(numbers);
  });

  test("goes on after a statement that fails, and fails that one alone", async () => {
    const pooler = await pool({ pool_mode: "transaction", default_pool_size: "2" });
    const db = open(pooler, { reads: 1, transactions: 4 });
    const divide = (on: Queryable) => (by: number) => on.query(divideStatement, [by]);
    const calls = [1, 0, 2, 0, 5].flatMap((by) => [divide(db.read)(by), db.tx((tx) => divide(tx)(by))]);
    expect(await errorsOf(calls)).toEqual(Array(4).fill("error: division by zero"));
    expect(await echo(db.read, 7)).toBe(7);
  });

  test("ends a statement at our time limit", async () => {
    const pooler = await pool({ pool_mode: "transaction" });
    const db = open(pooler, { statementMilliseconds: 100 });
    for (const call of [() => db.read.query(napStatement), () => db.tx((tx) => tx.query(napStatement))])
      await expect(call()).rejects.toMatchObject({ status: 503 });
  });

  test("may lead an open connection to another server, so a look at the server is always due", async () => {
    const db = open(await pool({ pool_mode: "transaction" }));
    await sessionOf(db.read);
    expect(db.openings()).not.toBe(db.openings());
  });
});

test("the error of a login behind the pooler is told, and not that the pooler has no TLS", async () => {
  await server.query(`ALTER DATABASE ${await create("closed")} WITH ALLOW_CONNECTIONS false`);
  const { port } = (await pool({ pool_mode: "transaction" })).connection;
  const db = openDatabase(routeOf(parseAddress(`postgres://postgres@127.0.0.1:${port}/closed`)));
  onTestFinished(() => db.end());
  await expect(sessionOf(db.read)).rejects.toMatchObject({
    status: 503,
    cause: { message: expect.stringMatching(/login|not currently accepting/) },
  });
});

test("a pooler of statements is refused", async () => {
  const db = open(await pool({ pool_mode: "statement" }));
  await expect(migrate(db)).rejects.toMatchObject({ cause: { message: expect.stringMatching(/statement pooling/) } });
});

test("a replica behind a pooler of transactions is read without writes", async () => {
  const pooler = await pool({ pool_mode: "transaction" });
  const database = await create("replica");
  const primary = openDatabase({ host: server.directory, port: server.port, user: "postgres", database });
  onTestFinished(() => primary.end());
  await migrate(primary);
  await rowOfInstallation(primary);
  const { host, port, user } = pooler.connection;
  const route = routeOf(parseAddress(`postgres://${user}@${host}:${port}/${database}`), "transaction", true);
  const replica = new Replica(route, primary.read, () => undefined);
  onTestFinished(() => replica.end());
  expect(await replica.whyUnused()).toBe(null);
  const reads = replica.reads(() => true);
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  expect(await Promise.all(numbers.map((n) => echo(reads, n)))).toEqual(numbers);
  expect(await reads.query(readOnlyStatement)).toEqual([{ held: "on" }]);
  expect([reads.age(), replica.fallbacks]).toEqual([expect.any(Number), 0]);
});
