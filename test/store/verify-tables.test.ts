import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { parseInstant } from "../../src/domain/calendar.ts";
import { sql } from "../../src/store/driver/db.ts";
import { HELD } from "../../src/store/verify/due.ts";
import { find } from "../../src/store/verify/rule.ts";
import { RULES } from "../../src/store/verify/rules.ts";
import { takeSnapshot } from "../../src/store/verify/snapshot.ts";
import { TABLES } from "../../src/store/verify/tables.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

// `verify` does not ask a rule if the Organization has no row in the tables of the rule.

/** Each Organization has a row there. */
const OWN = ["organizations", "metric_progress"];

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

test("a rule knows every table in its query", async () => {
  const existing = sql(
    "test.tables",
    "SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  const tables = (await database.db.read.query<{ name: string }>(existing)).map(({ name }) => name);
  const read = new Set<string>();
  for (const { name, statement, tables: known } of RULES) {
    const words = new Set(statement.text.match(/\w+/g));
    const named = tables.filter((table) => words.has(table) && !OWN.includes(table));
    expect([...known].sort(), name).toEqual(named.sort());
    for (const table of named) read.add(table);
  }
  expect([...read].sort()).toEqual([...TABLES].sort());
});

test("a rule finds no violation if its tables have no row", async () => {
  for (const clocks of [{}, { clock: parseInstant("2025-06-01T00:00:00Z")! }]) {
    const wanted = { name: "Empty", mode: "sandbox", ...clocks } as const;
    const { organization } = await database.db.tx((tx) => createOrganizationWithKeys(tx, wanted));
    const found = await database.db.snapshot(async (tx) => {
      const snapshot = await takeSnapshot(tx, organization.id);
      expect(Object.values(snapshot.filled)).toEqual(TABLES.map(() => false));
      const all: string[] = [];
      for (const rule of [...RULES, HELD]) if ((await find(snapshot, rule)).count > 0) all.push(rule.name);
      return all;
    });
    expect(found).toEqual([]);
  }
});
