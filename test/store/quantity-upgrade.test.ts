import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContext } from "../../src/context.ts";
import { readConfig } from "../../src/config.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { createWorld, type World } from "../simulation/world.ts";
import type { Json } from "../support/app.ts";
import { auditAll } from "../support/audit.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { CARDS } from "../support/story.ts";
import { migrateThose } from "./earlier-books.ts";

/**
 * The rows of a sandbox that the commit before quantities had filled, and its answers to reads. It stands at 15 July
 * 2025, and holds a resource of each kind, two changes with their buyers at the bank, and a
 * planned change.
 */
const FOLDER = new URL("before-quantities/", import.meta.url);
const LAST = "0106-retention.sql";

const linesOf = async (name: string): Promise<Json[]> =>
  (await readFile(new URL(name, FOLDER), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const tablesStatement = sql(
  "test.quantity_upgrade_tables",
  `SELECT table_name AS name FROM information_schema.tables
   WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
);
const eventsStatement = sql("test.quantity_upgrade_events", "SELECT id, data::text FROM events ORDER BY id");
const readEvents = (db: Database) => db.read.query<{ id: string; data: string }>(eventsStatement);

const unitsStatement = sql(
  "test.quantity_upgrade_units",
  "SELECT measure, units, subscriptions FROM metric_days WHERE measure IN ('trialing', 'active', 'past_due')",
);
const unvalidatedStatement = sql(
  "test.quantity_upgrade_unvalidated",
  "SELECT conrelid::regclass::text AS table, conname::text AS name FROM pg_constraint WHERE NOT convalidated",
);

/** Puts the rows in place of those that the migrations made. The keys refer to each other in circles. */
async function fill(db: Database): Promise<void> {
  const made = (await db.read.query<{ name: string }>(tablesStatement)).map(({ name }) => name);
  const emptied = made.filter((name) => name !== "schema_migrations");
  const inserts = (await readFile(new URL("rows.jsonl", FOLDER), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, table, row] = /^\{"table":"(\w+)","row":(.*)\}$/s.exec(line)!;
      return `INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, '${row!.replaceAll("'", "''")}')`;
    });
  // The rows have real instants, at which the payments were to be asked about.
  const ahead = "UPDATE payments SET check_at = clock_timestamp() + interval '1 day' WHERE check_at IS NOT NULL";
  const freely = "SET LOCAL session_replication_role = replica";
  await db.script(`TRUNCATE ${emptied.join(", ")}`, freely, ...inserts, ahead);
}

/** An answer without the address of its server. */
const withoutHost = (body: Json): Json =>
  JSON.parse(JSON.stringify(body).replaceAll(/https?:\/\/[^/"]+/g, "http://billow"));

describe("an installation of before quantities, after the upgrade", () => {
  let database: TestDatabase;
  let world: World;
  let events: { id: string; data: string }[];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrateThose(database.db, (name) => name <= LAST);
    await fill(database.db);
    events = await readEvents(database.db);
    const applied = await migrate(database.db);
    expect(applied[0]).toBe("0110-quantity.sql");
    const config = readConfig({ DATABASE_URL: database.url, BILLOW_SECRET: "s".repeat(32), LOG_LEVEL: "silent" });
    const ctx = await createContext(config, { db: database.db });
    world = createWorld(ctx, (await linesOf("reads.jsonl"))[0].body.id, async () => false);
  });
  afterAll(() => database.drop());

  const call = (method: string, path: string, body?: object) => world.call({ method, path, ...(body && { body }) });
  const ok = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const read = async (path: string) => ok("GET", `/manage/v1${path}`);
  /** All rows of a list. */
  async function all(path: string): Promise<Json[]> {
    const { data, nextCursor } = await read(`${path}?limit=100`);
    expect(nextCursor).toBeNull();
    return data;
  }
  const subscriptionOf = async (name: string): Promise<Json> => {
    const { data } = await read(`/customers?externalId=${name}`);
    return (await read(`/subscriptions?customerId=${data[0].id}`)).data[0];
  };
  const travel = (to: string) => ok("POST", "/manage/v1/sandbox/clock/advance", { to: `${to}T09:00:00Z` });

  test("every answer is the same, but for the new fields", async () => {
    for (const { path, body } of await linesOf("reads.jsonl")) {
      const found = Array.isArray(body) ? await all(path) : await read(path);
      expect(withoutHost(found), path).toMatchObject(withoutHost(body));
    }
  });

  test("the new fields tell of one unit, without a pause", async () => {
    for (const each of await all("/subscriptions"))
      expect(each).toMatchObject({ quantity: 1, unitAmount: each.amount, pause: null });
    for (const each of await all("/benefit-grants")) expect(each.quantity).toBe(1);
    for (const each of await all("/checkouts")) expect(each).toMatchObject({ quantity: 1, quantityChange: null });
    for (const each of await all("/products"))
      expect(each).toMatchObject({ quantity: { minimum: 1, maximum: 1 }, unitName: null });
    const { quantityRise, quantityFall, portal } = await read("/organization");
    expect({ quantityRise, quantityFall }).toEqual({ quantityRise: "next_invoice", quantityFall: "next_invoice" });
    expect(portal).toMatchObject({ cancel: false, changeEmail: false, changeQuantity: false, pause: null });
  });

  test("each Subscription of an earlier day counts as one unit", async () => {
    const rows = await database.db.read.query<{ measure: string; units: number; subscriptions: number }>(
      unitsStatement,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { units, subscriptions } of rows) expect(units).toBe(subscriptions);
  });

  test("every condition of the new columns is validated", async () => {
    expect(await database.db.read.query(unvalidatedStatement)).toEqual([]);
  });

  test("an event keeps its text", async () => {
    expect(await readEvents(database.db)).toEqual(events);
    expect(events.length).toBeGreaterThan(200);
  });

  test("the books agree", async () => {
    expect(await auditAll(database.db)).toEqual([]);
  });

  test("a buyer pays on the page of a change that was open during the upgrade", async () => {
    const { id, customerId } = await subscriptionOf("page");
    const open = (await all("/checkouts")).find((each) => each.customerId === customerId && each.status === "open");
    expect(open).toMatchObject({ subscriptionId: id, quantity: 1, recurringAmount: 3000 });
    await ok("POST", `/manage/v1/sandbox/checkouts/${open.id}/pay`, { card: CARDS.pays });
    expect(await subscriptionOf("page")).toMatchObject({ amount: 3000, quantity: 1 });
  });

  test("the prices of a Product begin with the Product, and a price of one's own is left out of a round", async () => {
    const { productId, id } = await subscriptionOf("moved");
    const { data } = await read(`/products/${productId}/prices`);
    const { createdAt } = await read(`/products/${productId}`);
    expect(data).toContainEqual(expect.objectContaining({ amount: 1000, from: createdAt, until: null }));
    expect(data).toContainEqual(expect.objectContaining({ amount: 0, from: null, until: null, subscriptions: 1 }));
    const asked = { consent: "notice" };
    const preview = await ok("POST", `/manage/v1/products/${productId}/price-changes/preview`, asked);
    expect(preview).toMatchObject({ currencies: [], leftOut: [{ reason: "own_price", examples: [id] }] });
  });

  test("the buyers at the bank finish their changes, and the planned change is carried out", async () => {
    for (const { customerId } of [await subscriptionOf("bank"), await subscriptionOf("ben")])
      for (const { url } of await world.challenges(customerId))
        await world.ctx.payments.sandbox.answerChallenge(world.organizationId, url.split("/").at(-1)!, true);
    await world.settle();
    expect(await subscriptionOf("bank")).toMatchObject({ amount: 3000, quantity: 1 });
    expect(await subscriptionOf("ben")).toMatchObject({
      pendingChange: { amount: 3000, quantity: 1, unitAmount: 3000 },
    });
    for (const name of ["bank", "ben"])
      await ok("POST", `/manage/v1/sandbox/customers/${(await subscriptionOf(name)).customerId}/card`, {
        card: CARDS.pays,
      });
    await travel("2025-09-20");
    for (const name of ["bank", "ben", "opened", "page", "wait"])
      expect(await subscriptionOf(name), name).toMatchObject({ status: "active", amount: 3000, pendingChange: null });
    expect(await auditAll(database.db)).toEqual([]);
  });

  test("an old Subscription takes more units, is paused and resumed", async () => {
    const { id, productId } = await subscriptionOf("wait");
    await ok("PATCH", `/manage/v1/products/${productId}`, { quantity: { minimum: 1, maximum: 20 } });
    const more = { quantity: 5, prorationBehavior: "invoice_now" };
    expect(await ok("PATCH", `/public/v2/subscriptions/${id}`, more)).toMatchObject({
      amount: 15_000,
      unitAmount: 3000,
    });
    await ok("POST", `/manage/v1/subscriptions/${id}/pause`, { access: "revoke" });
    await travel("2025-11-20");
    expect(await subscriptionOf("wait")).toMatchObject({ status: "paused" });
    await ok("POST", `/manage/v1/subscriptions/${id}/resume`);
    expect(await subscriptionOf("wait")).toMatchObject({ status: "active", quantity: 5, amount: 15_000 });
    expect(await auditAll(database.db)).toEqual([]);
  });

  test("a round brings a new price to an old Subscription", async () => {
    const { productId } = await subscriptionOf("wait");
    await ok("PATCH", `/manage/v1/products/${productId}`, { prices: [{ currency: "usd", amount: 3500 }] });
    const asked = { noticeDays: 0, consent: "notice" };
    const { id } = await ok("POST", `/manage/v1/products/${productId}/price-changes`, asked);
    await world.settle();
    expect(await subscriptionOf("wait")).toMatchObject({ amount: 15_000, priceChange: { id, amount: 17_500 } });
    await travel("2026-01-20");
    expect(await subscriptionOf("wait")).toMatchObject({ amount: 17_500, priceChange: null });
    expect(await read(`/price-changes/${id}`)).toMatchObject({ status: "completed", progress: { scheduled: 0 } });
    expect(await auditAll(database.db)).toEqual([]);
  });
});
