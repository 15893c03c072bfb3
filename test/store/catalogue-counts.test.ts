import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plansOf } from "../../bench/list-plans.ts";
import { createManyRows } from "../../bench/many-rows.ts";
import { readConfig } from "../../src/config.ts";
import { createContext, type OpenContext } from "../../src/context.ts";
import {
  countGainingPurchases,
  countGrants,
  countHolders,
  countLive,
  countOpenCheckouts,
  countOpenWith,
  countSubscribers,
} from "../../src/store/catalogue-counts.ts";
import type { Read } from "../../src/store/driver/db.ts";
import { listProducts } from "../../src/store/products.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

// The exact counts of the catalogue read indexes, also with the plan that PostgreSQL keeps for all values.
const COPIES = 20_000;

let database: TestDatabase;
let ctx: OpenContext;
let client: pg.Client;
let organizationId: string;
let productId: string;

const SHARE = 100;
const idOf = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
/** One of so many resources, by the number of the copy. */
const oneOf = (prefix: string) => `'${prefix}_' || lpad((n % ${SHARE})::text, 26, '0')`;
/** Copies of the first row of a table, with other values in some columns. */
const copies = (table: string, columns: Record<string, string>) => {
  const changed = Object.entries(columns).map(([column, value]) => `'${column}', ${value}`);
  return `INSERT INTO ${table} SELECT r.* FROM ${table} m CROSS JOIN generate_series(1, ${COPIES}) n
    CROSS JOIN LATERAL json_populate_record(m, json_build_object(${changed.join(", ")})) r
    WHERE m.id = (SELECT min(id) FROM ${table})`;
};
const GRANTS = copies("benefit_grants", {
  id: idOf("bgr"),
  benefit_id: oneOf("bft"),
  customer_id: idOf("cus"),
  subscription_id: idOf("sub"),
  properties: "'{}'::json",
});
const PURCHASES = copies("invoice_lines", {
  id: idOf("iln"),
  invoice_id: idOf("inv"),
  product_id: oneOf("prd"),
  subscription_id: "NULL",
});
const benefitId = `bft_${"0".repeat(26)}`;
const soldOnce = `prd_${"0".repeat(26)}`;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({ DATABASE_URL: database.url, BILLOW_SECRET: "b".repeat(32), LOG_LEVEL: "silent" });
  ctx = await createContext(config, { db: database.db });
  organizationId = await createManyRows(ctx, COPIES);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  await client.query(GRANTS);
  await client.query(PURCHASES);
  await client.query("VACUUM ANALYZE");
  const found = await listProducts(database.db.read, organizationId, { key: "pro", limit: 1 });
  productId = found[0]!.id;
}, 360_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

test.each<[string, (db: Read) => Promise<unknown>, string]>([
  ["live Subscriptions", (db) => countLive(db, organizationId, [productId]), "subscriptions_product"],
  ["subscribers", (db) => countSubscribers(db, organizationId, productId), "subscriptions_product"],
  ["active grants", (db) => countGrants(db, organizationId, [benefitId]), "benefit_grants_benefit"],
  ["holders of a Benefit", (db) => countHolders(db, organizationId, benefitId), "benefit_grants_benefit"],
  [
    "purchases that gain a Benefit",
    (db) => countGainingPurchases(db, organizationId, soldOnce, benefitId),
    "invoice_lines_purchased",
  ],
  ["open Checkouts of a Product", (db) => countOpenCheckouts(db, organizationId, productId), "checkouts_status"],
  ["open Checkouts with a Discount", (db) => countOpenWith(db, organizationId, "dsc_x"), "checkouts_status"],
])("%s are counted in an index", async (name, read, index) => {
  const answers: unknown[] = [];
  const counting = async (db: Read) => answers.push(await read(db).catch(() => null));
  const [plan] = await plansOf(client, { name, read: counting }, organizationId, 1);
  expect(plan!.scanned).toEqual([]);
  expect(plan!.indexes).toContain(index);
});

test("the counts are exact", async () => {
  const db = database.db.read;
  const live = await countLive(db, organizationId, [productId]);
  const subscribers = await countSubscribers(db, organizationId, productId);
  // A third of the copies are of another Product. The purchase that was copied counts too.
  const own = COPIES - Math.floor(COPIES / 3) + 1;
  expect([live.get(productId), subscribers]).toEqual([own, own]);
  expect((await countGrants(db, organizationId, [benefitId])).get(benefitId)).toBe(COPIES / SHARE);
  expect(await countHolders(db, organizationId, benefitId)).toEqual({ losing: COPIES / SHARE, keeping: 0 });
  // The copies of the refund revoke no grant.
  expect(await countGainingPurchases(db, organizationId, soldOnce, benefitId)).toBe(COPIES / SHARE);
});
