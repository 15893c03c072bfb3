import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const optionsStatement = sql(
  "test.growing_tables",
  `SELECT relname AS name, split_part(option, '=', 1) AS option, split_part(option, '=', 2)::float AS value
   FROM pg_class, unnest(reloptions) AS option
   WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND option LIKE 'autovacuum%' ORDER BY 1, 2`,
);

/** The tables that get a row at each renewal, for each event or for each webhook. */
const GROWING = ["emails", "events", "invoice_lines", "invoices", "ledger_transfers", "payments", "webhook_deliveries"];
const CHANGING = ["api_requests", "customers", "idempotency_keys", "subscriptions"];

test("autovacuum comes earlier to the tables that grow or change with each renewal", async () => {
  const found = await database.db.read.query<{ name: string; option: string; value: number }>(optionsStatement);
  const options = (name: string) =>
    Object.fromEntries(found.filter((each) => each.name === name).map(({ option, value }) => [option, value]));
  expect([...new Set(found.map(({ name }) => name))].sort()).toEqual([...GROWING, ...CHANGING].sort());
  for (const name of GROWING)
    expect(options(name), name).toEqual({
      autovacuum_analyze_scale_factor: 0.02,
      autovacuum_vacuum_insert_scale_factor: 0.02,
      autovacuum_vacuum_scale_factor: 0.02,
    });
  for (const name of CHANGING) expect(options(name), name).toEqual({ autovacuum_vacuum_scale_factor: 0.05 });
});
