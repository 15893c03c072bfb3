import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase, sql, type Database, type Tx } from "../../src/store/driver/db.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createEmptyDatabase();
  // A single connection, which has prepared all of these statements after the first run.
  db = openDatabase(database.connection, { transactions: 1, reads: 1 });
  await db.script("CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL)");
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const addStatement = sql("test.add_note", "INSERT INTO notes (id, text) VALUES ($1, $2)");
const countStatement = sql("test.count_notes", "SELECT count(*)::integer AS n FROM notes");
const echoStatement = sql("test.echo", "SELECT $1::text AS text, $2::bigint AS number");
const rowsStatement = sql("test.rows", "SELECT n AS number FROM generate_series(1, $1) n");

const count = async (tx: Tx) => (await tx.query<{ n: number }>(countStatement))[0]!.n;
const echo = (tx: Tx, text: string | null, number: number | string) => tx.query(echoStatement, [text, number]);

describe.each(["the first time", "again"])("statements of one turn, %s", () => {
  test("are each answered by its own rows, in their order", async () => {
    const answers = await db.tx(async (tx) => {
      tx.send(addStatement, [1, "one"]);
      const answered = await Promise.all([
        echo(tx, "a", 1),
        count(tx),
        tx.query(rowsStatement, [3]),
        echo(tx, null, 2),
      ]);
      await tx.query(sql("test.clear", "DELETE FROM notes"));
      return answered;
    });
    const rows = [{ number: 1 }, { number: 2 }, { number: 3 }];
    expect(answers).toEqual([[{ text: "a", number: 1 }], 1, rows, [{ text: null, number: 2 }]]);
  });

  test("may have no name", async () => {
    const unnamed = { ...rowsStatement, name: "" };
    const answers = await db.tx((tx) => Promise.all([tx.query(unnamed, [2]), count(tx), tx.query(unnamed, [1])]));
    expect(answers).toEqual([[{ number: 1 }, { number: 2 }], 0, [{ number: 1 }]]);
  });

  test("that come behind one that fails are not carried out, and the connection goes on", async () => {
    const failing = db.tx(async (tx) => {
      tx.send(addStatement, [1, "one"]);
      tx.send(addStatement, [1, "the same key"]);
      tx.send(addStatement, [2, "two"]);
      return count(tx);
    });
    await expect(failing).rejects.toMatchObject({ code: "23505", constraint: "notes_pkey" });
    expect(await db.tx(count)).toBe(0);
  });

  test("fail with COMMIT where the one that fails is not waited for", async () => {
    const failing = db.tx(async (tx) => {
      await count(tx);
      tx.send(addStatement, [3, null]);
      tx.send(addStatement, [4, "four"]);
    });
    await expect(failing).rejects.toMatchObject({ code: "23502" });
    expect(await db.tx(count)).toBe(0);
  });

  test("are not disturbed by a value that can't be sent, nor by one that can't be read", async () => {
    const unwritable = {
      toPostgres: () => {
        throw new TypeError("no such value");
      },
    };
    await expect(db.tx((tx) => Promise.all([tx.query(echoStatement, [unwritable, 1]), count(tx)]))).rejects.toThrow(
      "no such value",
    );
    await expect(db.tx((tx) => Promise.all([echo(tx, "b", "9007199254740993"), count(tx)]))).rejects.toThrow(
      "not a safe integer",
    );
    expect(await db.tx((tx) => Promise.all([echo(tx, "c", 5), count(tx)]))).toEqual([[{ text: "c", number: 5 }], 0]);
  });
});

test("a connection that is lost fails all that it was sent", async () => {
  const end = sql("test.end", "SELECT pg_terminate_backend(pg_backend_pid())");
  const all = await db
    .tx((tx) => Promise.allSettled([tx.query(end), count(tx), echo(tx, "d", 1)]))
    .catch((error: unknown) => error);
  expect(all).toMatchObject({ code: "unavailable" });
  expect(await db.tx(count)).toBe(0);
});
