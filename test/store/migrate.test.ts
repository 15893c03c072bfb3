import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openDatabase, sql } from "../../src/store/driver/db.ts";
import { statementsOf } from "../../src/store/driver/script.ts";
import { isCurrent, migrate, readMigrations } from "../../src/store/migrate.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeEach(async () => void (database = await createEmptyDatabase()));
afterEach(() => database.drop());

async function directoryOf(files: Record<string, string>): Promise<URL> {
  const directory = await mkdtemp(join(tmpdir(), "billow-migrations-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(directory, name), text)));
  return pathToFileURL(`${directory}/`);
}

test("many processes that migrate an empty database at the same time apply each file once", async () => {
  const { db, connection } = database;
  const others = Array.from({ length: 5 }, () => openDatabase(connection, { transactions: 2 }));
  const done = await Promise.all([db, ...others].map((each) => migrate(each)));
  await Promise.all(others.map((each) => each.end()));
  expect(done.flat().sort()).toEqual((await readMigrations()).map(({ name }) => name));
  expect(await isCurrent(db)).toBe(true);
  expect(await migrate(db)).toEqual([]);
});

test("a database that was not migrated is not current", async () => {
  const { db } = database;
  expect(await isCurrent(db)).toBe(false);
});

test("a migration that fails leaves nothing behind", async () => {
  const { db } = database;
  const bad = "CREATE TABLE half (n int); SELECT 1 / 0;";
  const directory = await directoryOf({ "0001-good.sql": "CREATE TABLE good (n int);", "0002-bad.sql": bad });
  await expect(migrate(db, directory)).rejects.toThrow(
    "The migration 0002-bad.sql failed and was rolled back: division by zero",
  );
  const tables = await db.read.query(
    sql("test.migrated_tables", "SELECT to_regclass('good')::text AS good, to_regclass('half')::text AS half"),
  );
  expect(tables).toEqual([{ good: "good", half: null }]);
});

test("a migration is sent statement by statement", async () => {
  const { db } = database;
  const message = "CREATE TABLE message AS SELECT query FROM pg_stat_activity WHERE pid = pg_backend_pid();";
  await migrate(
    db,
    await directoryOf({ "0001-first.sql": `CREATE TABLE first (n int);${message}CREATE TABLE last (n int);` }),
  );
  expect(await db.read.query(sql("test.message", "SELECT query FROM message"))).toEqual([{ query: message }]);
});

test("an applied migration that was edited is an error", async () => {
  const { db } = database;
  await migrate(db, await directoryOf({ "0001-first.sql": "CREATE TABLE first (n int);" }));
  const edited = await directoryOf({ "0001-first.sql": "CREATE TABLE first (n bigint);" });
  const line = "The migration 0001-first.sql was edited after it was applied to this database; add a new one instead.";
  await expect(migrate(db, edited)).rejects.toThrow(line);
});

/** Before this migration, a file could scan a table that it had locked. Its release is out. */
const LAST_BEFORE = "0106-retention.sql";

test("a later migration scans no table while it keeps readers or writers out", async () => {
  const later = (await readMigrations()).filter(({ name }) => name > LAST_BEFORE);
  expect(later.length).toBeGreaterThan(5);
  for (const { name, text } of later) {
    const statements = statementsOf(text.replaceAll(/^--.*$/gm, "")).map((each) => each.trim());
    const isExclusive = (each: string) => /^(ALTER TABLE|DROP INDEX)/.test(each) && !/VALIDATE CONSTRAINT/.test(each);
    const first = statements.findIndex(isExclusive);
    const locked = first === -1 ? [] : statements.slice(first);
    const scans = locked.filter(
      (each) =>
        /^(UPDATE|DELETE|INSERT|CREATE( UNIQUE)? INDEX)|VALIDATE CONSTRAINT|SET NOT NULL/.test(each) ||
        (/ADD CONSTRAINT/.test(each) && !/NOT VALID;?$/.test(each)),
    );
    expect(scans, name).toEqual([]);
  }
});
