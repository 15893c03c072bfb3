import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { formatInstant, parseInstant } from "../../src/domain/calendar.ts";
import { parseAddress } from "../../src/database-address.ts";
import { AppError } from "../../src/errors.ts";
import {
  openDatabase,
  PartFirst,
  withWorkerLimits,
  sql,
  type Database,
  type Queryable,
} from "../../src/store/driver/db.ts";
import { violated } from "../../src/store/driver/failures.ts";
import { routeOf } from "../../src/store/driver/route.ts";
import { administer, createEmptyDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeEach(async () => void (database = await createEmptyDatabase()));
afterEach(() => database.drop());

/** Opens the database as an operator does by DATABASE_URL. `options` are those of `?options=`. */
function open(options: string, address = new URL(database.url)): Database {
  if (options) address.searchParams.set("options", options);
  const db = openDatabase(routeOf(parseAddress(address.href)), { transactions: 1 });
  onTestFinished(() => db.end());
  return db;
}

async function value(db: Queryable, expression: string, values: unknown[] = []): Promise<unknown> {
  const [row] = await db.query<{ value: unknown }>(sql(`test.${expression}`, `SELECT ${expression} AS value`), values);
  return row!.value;
}
const setting = (db: Queryable, name: string) => value(db, `current_setting('${name}')`);

describe("the options of an address", () => {
  const OTHERS = ["", "-c TimeZone=America/New_York -c lock_timeout=1", "-c search_path=billing"];

  test.each(OTHERS)("%j leave ours as they are", async (options) => {
    const db = open(options);
    const at = parseInstant("2026-07-01T12:00:00.123Z")!;
    const check = async (on: Queryable) => {
      expect(await on.query(sql("test.lock_timeout", "SHOW lock_timeout"))).toEqual([{ lock_timeout: "10s" }]);
      expect(await setting(on, "TimeZone")).toBe("UTC");
      expect(await value(on, "$1::timestamptz", [formatInstant(at)])).toBe(at);
    };
    await check(db.read);
    await db.tx(check);
  });

  test("that are not ours are kept", async () => {
    const db = open("-c search_path=billing,public");
    expect(await setting(db.read, "search_path")).toBe("billing,public");
    expect(await db.tx((tx) => setting(tx, "search_path"))).toBe("billing,public");
  });

  test("don't touch the role that connects", async () => {
    const role = `${database.connection.database}+role`;
    await administer(database.connection, `CREATE ROLE "${role}" LOGIN PASSWORD 'a+b'`);
    onTestFinished(() => administer(database.connection, `DROP ROLE "${role}"`));
    const address = new URL(database.url);
    address.username = role;
    address.password = "a+b";
    const db = open("", address);
    expect(await value(db.read, "current_user::text")).toBe(role);
  });
});

describe("a value", () => {
  test.each(["9007199254740992::bigint", "-9007199254740992::bigint", "1e20::numeric"])(
    "%s is no safe integer",
    async (expression) => {
      const { read, tx } = database.db;
      await expect(value(read, expression)).rejects.toThrow("is not a safe integer");
      await expect(tx((on) => value(on, expression))).rejects.toThrow("is not a safe integer");
      expect(await value(read, "9007199254740991::bigint")).toBe(Number.MAX_SAFE_INTEGER);
    },
  );

  test.each([
    "0001-01-01T00:00:00.000Z",
    "0050-02-03T04:05:06.789Z",
    "0100-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ])("%s comes back as it was", async (text) => {
    expect(await value(database.db.read, "$1::timestamptz", [text])).toBe(parseInstant(text));
  });
});

describe("a statement that is sent", () => {
  const insert = sql("test.insert", "INSERT INTO things VALUES ($1)");
  const count = sql("test.count", "SELECT count(*) AS n FROM things");

  test.each([
    ["at the next answer", true],
    ["at COMMIT", false],
  ])("and violates a key fails its transaction with just that, %s", async (_, asks) => {
    const { db } = database;
    await db.script("CREATE TABLE things (n int PRIMARY KEY)");
    const failed = db.tx(async (tx) => {
      tx.send(insert, [1]);
      tx.send(insert, [1]);
      if (asks) await tx.query(count);
    });
    expect(violated(await failed.catch((error: unknown) => error))).toBe("things_pkey");
    expect(await db.read.query(count)).toEqual([{ n: 0 }]);
  });
});

describe("a transaction that lost to others", () => {
  const fail = (state: string) =>
    sql(`test.fail_${state}`, `DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '${state}'; END $$`);

  test.each(["40001", "40P01"])(
    "by %s is run again, and after five times a 503 that says when to come again",
    async (state) => {
      let runs = 0;
      const lost = (times: number) =>
        database.db.tx(async (tx) => {
          if (++runs <= times) await tx.query(fail(state));
          return runs;
        });
      expect(await lost(4)).toBe(5);
      runs = 0;
      await expect(lost(5)).rejects.toMatchObject({
        code: "unavailable",
        status: 503,
        parts: { headers: { "Retry-After": "1" } },
      });
      expect(runs).toBe(5);
    },
  );
});

describe("a snapshot", () => {
  const insert = sql("test.insert", "INSERT INTO things VALUES ($1)");
  const lock = sql("test.lock", "SELECT n FROM things FOR UPDATE");
  const count = sql("test.count", "SELECT count(*) AS n FROM things");
  const READ_ONLY = { code: "25006" };
  const countIn = async (db: Queryable) => (await db.query<{ n: number }>(count))[0]!.n;
  const add = (n: number) => database.db.tx(async (tx) => tx.send(insert, [n]));
  beforeEach(() => database.db.script("CREATE TABLE things (n int PRIMARY KEY)"));

  test("is one state of the database: it shows no later commit", async () => {
    const { db } = database;
    await add(1);
    const seen = await db.snapshot(async (snapshot) => {
      const before = await countIn(snapshot);
      await add(2);
      return [before, await countIn(snapshot)];
    });
    expect([seen, await db.snapshot(countIn)]).toEqual([[1, 1], 2]);
  });

  test.each([
    ["writes no row", insert],
    ["locks no row", lock],
  ])("%s", async (_, statement) => {
    await add(1);
    const values = statement === insert ? [2] : [];
    const failed = database.db.snapshot((snapshot) => snapshot.query(statement, values));
    await expect(failed).rejects.toMatchObject({ cause: READ_ONLY });
    expect(await database.db.snapshot(countIn)).toBe(1);
  });

  test("fails as a transaction does: by a thrown error, and by a statement that was sent last", async () => {
    const { db } = database;
    const thrown = db.snapshot(async () => {
      throw new AppError("not_found");
    });
    await expect(thrown).rejects.toMatchObject({ code: "not_found" });
    const failed = db.snapshot(async (snapshot) => snapshot.send(insert, [1]));
    await expect(failed).rejects.toMatchObject({ cause: READ_ONLY });
  });

  test("that lost to others is taken again", async () => {
    let runs = 0;
    const lost = sql("test.lost", "DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$");
    const ran = database.db.snapshot(async (snapshot) => {
      if (++runs < 3) await snapshot.query(lost);
      return runs;
    });
    expect(await ran).toBe(3);
  });

  test("shows the part that was due before it", async () => {
    const { db } = database;
    const seen = await db.snapshot(async (snapshot) => {
      if ((await countIn(snapshot)) === 0)
        throw new PartFirst(async (part) => part.send(insert, [1]), "A part is done.");
      return countIn(snapshot);
    });
    expect([seen, await countIn(db.read)]).toEqual([1, 1]);
  });

  test("takes as long as it may where the database is a patient one", async () => {
    expect(await withWorkerLimits(database.db).snapshot((snapshot) => setting(snapshot, "lock_timeout"))).toBe("10s");
  });
});

describe("the connections of the reads", () => {
  const backends = sql(
    "test.backends",
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'billow'",
  );
  const connected = async (read: Queryable) => (await read.query<{ n: number }>(backends))[0]!.n;

  test("are replaced when they are lost, each by one", async () => {
    const { db, connection } = database;
    const kill = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = '${connection.database}'`;
    for (let n = 0; n < 10; n++) {
      await Promise.all([connected(db.read), connected(db.read)]);
      let killed = false;
      const killing = administer(connection, kill).then(() => (killed = true));
      // A read while connections are being lost gets an answer or a 503.
      while (!killed) {
        for (const asked of await Promise.allSettled([connected(db.read), connected(db.read)])) {
          if (asked.status === "rejected") expect(asked.reason).toMatchObject({ code: "unavailable" });
        }
      }
      await killing;
    }
    await Promise.allSettled([connected(db.read), connected(db.read)]);
    expect(await Promise.all([connected(db.read), connected(db.read)])).toEqual([2, 2]);
  });

  test("find a schema that has changed", async () => {
    const { db } = database;
    const all = sql("test.all", "SELECT * FROM things");
    const expectAll = async (row: object) => {
      for (let n = 0; n < 4; n++) expect(await db.read.query(all)).toEqual([row]);
      expect(await db.tx((tx) => tx.query(all))).toEqual([row]);
    };
    await db.script("CREATE TABLE things AS SELECT 1 AS one");
    await expectAll({ one: 1 });
    await db.script("ALTER TABLE things ADD COLUMN two int DEFAULT 2");
    await expectAll({ one: 1, two: 2 });
    await db.script("ALTER TABLE things DROP COLUMN one");
    await expectAll({ two: 2 });
  });
});
