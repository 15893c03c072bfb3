import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGES, plansOf, type Plan } from "../../bench/list-plans.ts";
import { createManyRows } from "../../bench/many-rows.ts";
import { readConfig } from "../../src/config.ts";
import { realNow } from "../../src/clock.ts";
import { createContext, type OpenContext } from "../../src/context.ts";
import { instant } from "../../src/domain/calendar.ts";
import { bucketsOf } from "../../src/domain/metrics/span.ts";
import type { Read } from "../../src/store/driver/db.ts";
import { countOwed, listOwed, readBooked, readTaxes } from "../../src/store/reports.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

// A page of a list reads about as many rows as it shows, also with the plan that PostgreSQL keeps for all values.
const COPIES = 20_000;
/** Three rows for each of the 51 of a page, those of the joined tables included, and a little beside them. */
const MOST_ROWS = 400;

let database: TestDatabase;
let ctx: OpenContext;
let client: pg.Client;
let organizationId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({ DATABASE_URL: database.url, BILLOW_SECRET: "b".repeat(32), LOG_LEVEL: "silent" });
  ctx = await createContext(config, { db: database.db });
  organizationId = await createManyRows(ctx, COPIES);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
}, 360_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

const isSlow = ({ scanned, rows }: Plan) => scanned.length > 0 || rows > MOST_ROWS;

test.each(PAGES)("$name: no table is read in full", async (page) => {
  const plans = await plansOf(client, page, organizationId, 7000);
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter(isSlow)).toEqual([]);
});

/** Months before the rows of the database. */
const BEFORE = bucketsOf("month", { from: "2020-01-01", to: "2020-03-01" }, "UTC");
const NOW = { before: instant(realNow()), currency: null };

test.each<[string, (db: Read) => Promise<unknown>]>([
  ["revenue", (db) => readBooked(db, organizationId, BEFORE, null)],
  ["tax", (db) => readTaxes(db, organizationId, BEFORE, null)],
])("the report of %s reads only rows of its months", async (name, read) => {
  const plans = await plansOf(client, { name, read }, organizationId, 7000);
  // The database has no credit note.
  const others = plans.map((plan) => ({ ...plan, scanned: plan.scanned.filter((each) => each !== "credit_notes") }));
  expect(others.filter(isSlow)).toEqual([]);
});

test.each<[string, (db: Read) => Promise<unknown>]>([
  ["sums", (db) => countOwed(db, organizationId, NOW, [])],
  ["invoices", (db) => listOwed(db, organizationId, NOW, { cursor: null, limit: 50 })],
])("the report of present receivables reads no closed invoice: %s", async (name, read) => {
  const plans = await plansOf(client, { name, read }, organizationId, 7000);
  expect(plans.filter(isSlow)).toEqual([]);
});

test("a plan without an index is found", async () => {
  await client.query("DROP INDEX refunds_status");
  const failed = PAGES.find(({ name }) => name === "Refunds, failed")!;
  expect((await plansOf(client, failed, organizationId, 7000)).filter(isSlow)).toHaveLength(1);
});
