import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { createContext } from "../../src/context.ts";
import { openDatabase, withWorkerLimits, sql, type Database, type Queryable } from "../../src/store/driver/db.ts";
import type { Limits } from "../../src/store/driver/limits.ts";
import { openBlackHole, type BlackHole } from "../support/black-hole.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;
let hole: BlackHole;
beforeEach(async () => {
  database = await createEmptyDatabase();
  hole = await openBlackHole(database.connection);
});
afterEach(async () => {
  await hole.close();
  await database.drop();
});

/** A database handle with connections that can be cut. */
function open(limits: Partial<Limits>): Database {
  const db = openDatabase({ ...database.connection, host: "127.0.0.1", port: hole.port }, limits);
  onTestFinished(() => db.end());
  return db;
}

const sleepStatement = sql("test.sleep", "SELECT pg_sleep($1)");
const oneStatement = sql("test.one", "SELECT 1 AS one");
const nap = (on: Queryable, seconds: number) => on.query(sleepStatement, [seconds]);
const one = (on: Queryable) => on.query<{ one: number }>(oneStatement);
const unavailable = { code: "unavailable", status: 503, parts: { headers: { "Retry-After": "1" } } };
const CALLS: [name: string, (db: Database, work: (on: Queryable) => Promise<unknown>) => Promise<unknown>][] = [
  ["read", (db, work) => work(db.read)],
  ["transaction", (db, work) => db.tx(work)],
];

describe.each(CALLS)("a %s", (_, call) => {
  test("that takes too long is a 503, and no other call gets its late answer", async () => {
    const db = open({ milliseconds: 500, per: "call", reads: 1, transactions: 1 });
    await expect(call(db, (on) => nap(on, 3))).rejects.toMatchObject(unavailable);
    // On a busy machine, the new connection may take longer than the limit of a call.
    expect(await until(() => call(db, one).catch(() => null))).toEqual([{ one: 1 }]);
  });

  test("waits for a connection no longer than for the rest", async () => {
    const db = open({ milliseconds: 500, per: "call", transactions: 1 });
    hole.cut();
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => call(db, one)));
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => "rejected"));
    hole.heal();
    await expect.poll(() => call(db, one).catch(() => null)).toEqual([{ one: 1 }]);
  });

  test("is refused at once where a thousand wait already", async () => {
    const db = open({ milliseconds: 2_000, per: "call", reads: 1, transactions: 1 });
    await call(db, one);
    hole.cut();
    const refused: unknown[] = [];
    const calls = Array.from({ length: 1_100 }, () => call(db, one).catch((error: unknown) => refused.push(error)));
    await sleep(0);
    expect(refused.length).toBeGreaterThanOrEqual(95);
    expect(refused[0]).toMatchObject({
      ...unavailable,
      cause: { message: expect.stringMatching(/^too many \w+ wait for the database$/) },
    });
    await Promise.all(calls);
    expect(refused).toHaveLength(1_100);
  });
});

describe("a transaction of the worker", () => {
  test("takes the time that its statements take, one after the other", async () => {
    const db = open({ milliseconds: 1_500, per: "statement" });
    const naps = async (on: Queryable) => {
      for (let n = 0; n < 6; n++) await nap(on, 0.5);
      return one(on);
    };
    expect(await db.tx(naps)).toEqual([{ one: 1 }]);
  });

  test("ends when a statement is not answered", async () => {
    const db = open({ milliseconds: 500, per: "statement" });
    await db.tx(one);
    const cut = db.tx(async (on) => {
      await one(on);
      hole.cut();
      return one(on);
    });
    await expect(cut).rejects.toMatchObject(unavailable);
  });
});

test("a patient transaction of a request goes on for as long as PostgreSQL answers others", async () => {
  const db = withWorkerLimits(open({ milliseconds: 500, per: "call", statementMilliseconds: 400 }));
  expect(await db.tx((tx) => nap(tx, 1).then(() => one(tx)))).toEqual([{ one: 1 }]);
});

test(
  "a migration ends when PostgreSQL answers no other connection, however long it may take",
  { timeout: 60_000 },
  async () => {
    const db = open({});
    await db.tx(one);
    const script = db.script("SELECT pg_sleep(600)");
    hole.cut();
    await expect(script).rejects.toThrow(/^PostgreSQL has not answered for \d/);
  },
);

test("the server lets go of the locks of a process that was cut off", async () => {
  const { db: straight } = database;
  await straight.script("CREATE TABLE things AS SELECT 1 AS n");
  const update = sql("test.update", "UPDATE things SET n = n + 1 RETURNING n");
  const db = open({ milliseconds: 500, per: "call", idleMilliseconds: 500 });
  const cut = db.tx(async (tx) => {
    await tx.query(update);
    hole.cut();
    return tx.query(update);
  });
  await expect(cut).rejects.toMatchObject(unavailable);
  // This update waits for the lock. The update before it stored no change.
  expect(await straight.tx((tx) => tx.query(update))).toEqual([{ n: 2 }]);
});

test("requests, the worker and deliveries don't take connections from each other", async () => {
  const { url, drop } = await createTestDatabase();
  const ctx = await createContext(
    readConfig({ DATABASE_URL: url, BILLOW_SECRET: "s".repeat(32), LOG_LEVEL: "silent" }),
  );
  onTestFinished(async () => {
    await ctx.close();
    await drop();
  });
  const gate = Promise.withResolvers<void>();
  const hold = ({ db }: { db: Database }) =>
    Array.from({ length: 16 }, () => db.tx(async (tx) => one(tx).then(() => gate.promise)).catch(() => undefined));
  const held = [...hold(ctx), ...hold(ctx.deliveries)];
  expect(await ctx.requests.db.tx(one)).toEqual([{ one: 1 }]);
  held.push(...hold(ctx.requests));
  expect(await ctx.probes.read.query(oneStatement)).toEqual([{ one: 1 }]);
  gate.resolve();
  await Promise.all(held);
});
