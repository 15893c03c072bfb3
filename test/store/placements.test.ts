import { afterAll, beforeAll, expect, test } from "vitest";
import { PLACEMENTS } from "../../src/store/distribution/placements.ts";
import { sql } from "../../src/store/driver/db.ts";
import { statementsOf } from "../../src/store/driver/script.ts";
import { readMigrations } from "../../src/store/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { NOBODYS } from "../support/statement-exceptions.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const isDivided = (table: string) => PLACEMENTS[table] === "organization";

test("each table of the schema has its place on a cluster, and each place its table", async () => {
  const tables = sql(
    "test.placements_tables",
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     ORDER BY relname COLLATE "C"`,
  );
  const found = await database.db.read.query<{ name: string }>(tables);
  expect(Object.keys(PLACEMENTS)).toEqual(found.map(({ name }) => name));
});

test("the tables that belong to no Organization are not divided, and of the others only the keys are not", () => {
  const whole = Object.keys(PLACEMENTS).filter((table) => !isDivided(table));
  const expected = ["api_keys", ...[...NOBODYS].filter((table) => !table.startsWith("pg_"))];
  expect(whole).toEqual(expected.sort());
});

/** The last migration that can't meet a distributed database: `distribute` needs it first. */
const LAST_BEFORE = "0106-retention.sql";

test("a later migration adds a constraint in a statement of its own, as Citus accepts no other one", async () => {
  const later = (await readMigrations()).filter(({ name }) => name > LAST_BEFORE);
  const changes = later.flatMap(({ text }) => statementsOf(text).filter((each) => each.includes("ALTER TABLE")));
  const mixed = changes.filter(
    (each) => /\bADD CONSTRAINT\b/.test(each) && each.match(/\b(ADD|DROP|ALTER) (COLUMN|CONSTRAINT)\b/g)!.length > 1,
  );
  expect(mixed).toEqual([]);
  expect(changes.length).toBeGreaterThan(0);
});

const stableFunctions = sql(
  "test.placements_stable",
  "SELECT DISTINCT proname::text AS name FROM pg_proc WHERE provolatile = 's' AND pronargs + provariadic::integer > 0",
);

test("a later migration updates rows without STABLE functions, as Citus accepts none beside a column", async () => {
  const later = (await readMigrations()).filter(({ name }) => name > LAST_BEFORE);
  const updates = later.flatMap(({ text }) =>
    statementsOf(text).filter((each) => /\bUPDATE\s+\w+\s+(\w+\s+)?SET\b/.test(each)),
  );
  const stable = new Set((await database.db.read.query<{ name: string }>(stableFunctions)).map(({ name }) => name));
  const called = updates.flatMap((each) => [...each.matchAll(/\b(\w+)\((?!\))/g)].map(([, name]) => name!));
  expect(called.filter((name) => stable.has(name))).toEqual([]);
  expect([stable.has("json_build_object"), called.includes("jsonb_set")]).toEqual([true, true]);
});

test("each unique key of a divided table has the column that divides the table", async () => {
  const keys = sql(
    "test.placements_unique",
    `SELECT c.relname::text AS table, i.relname::text AS index, array_agg(a.attname::text) AS columns
     FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (x.indkey)
     WHERE c.relnamespace = 'public'::regnamespace AND x.indisunique GROUP BY 1, 2`,
  );
  const found = await database.db.read.query<{ table: string; index: string; columns: string[] }>(keys);
  const lacking = found.filter(
    ({ table, columns }) => isDivided(table) && !columns.includes(table === "organizations" ? "id" : "organization_id"),
  );
  expect(lacking).toEqual([]);
  expect(found.length).toBeGreaterThan(Object.keys(PLACEMENTS).length);
});

test("no foreign key but one leads to a table where a cluster can't follow it", async () => {
  const keys = sql(
    "test.placements_references",
    `SELECT k.conrelid::regclass::text AS child, k.confrelid::regclass::text AS parent FROM pg_constraint k
     WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace`,
  );
  const found = await database.db.read.query<{ child: string; parent: string }>(keys);
  const allowed = { organization: ["organization", "reference"], reference: ["reference"], coordinator: [], node: [] };
  const refused = found.filter(
    ({ child, parent }) => !(allowed[PLACEMENTS[child]!] as string[]).includes(PLACEMENTS[parent]!),
  );
  // `billow distribute` removes this key.
  expect(refused).toEqual([{ child: "api_keys", parent: "organizations" }]);
});
