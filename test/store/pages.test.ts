import { afterAll, beforeAll, expect, test } from "vitest";
import { copyId } from "../../bench/world.ts";
import { countDocuments, customers } from "../../src/store/customers.ts";
import { sql, type Tx } from "../../src/store/driver/db.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const COPIES = 300;
let story: Story;
let organizationId: string;

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("ten", 1000);
  const { id, customerId } = await story.buy({ productKey: "ten", customer: { email: "ada@example.com" } }, CARDS.pays);
  organizationId = story.app.organization.id;
  const { db } = story.app.ctx;
  const customer = (await customers.find(db.read, organizationId, customerId))!;
  const subscription = (await subscriptions.find(db.read, organizationId, id))!;
  await db.tx(async (tx) => {
    for (let n = 0; n < COPIES; n += 1) {
      customers.insert(tx, { ...customer, id: copyId("cus", n), externalId: `copy-${n}` });
      subscriptions.insert(tx, { ...subscription, id: copyId("sub", n), customerId: copyId("cus", n) });
    }
  });
});
afterAll(async () => {
  // The copies have no events, invoices or grants, which the rules of `verify` want.
  const gone = (table: string) => sql(`test.${table}_gone`, `DELETE FROM ${table} WHERE id LIKE '___\\_0000%'`);
  await story.app.ctx.db.tx(async (tx) => ["subscriptions", "customers"].forEach((table) => tx.send(gone(table), [])));
  await story.close();
});

const blocksOf = (table: string) =>
  story.app.ctx.db.read.query<{ id: string; block: number }>(
    sql(
      `test.blocks_of_${table}`,
      `SELECT id, (ctid::text::point)[0] AS block FROM ${table} WHERE id LIKE '___\\_0000%' ORDER BY id`,
    ),
  );

const UPDATES: Record<string, (tx: Tx, n: number) => Promise<unknown>> = {
  // Each new invoice increases the count.
  customers: async (tx, n) => countDocuments(tx, [{ organizationId, id: copyId("cus", n), invoice: n, creditNote: 0 }]),
  subscriptions: async (tx, n) => {
    const row = (await subscriptions.lock(tx, organizationId, copyId("sub", n)))!;
    subscriptions.update(tx, { ...row, metadata: { seats: "12" }, version: row.version + 1 });
  },
};

test.each(Object.entries(UPDATES))("%s that change in no indexed column stay in their page", async (table, update) => {
  const before = await blocksOf(table);
  expect(before).toHaveLength(COPIES);
  await story.app.ctx.db.tx(async (tx) => {
    for (let n = 0; n < COPIES; n += 1) await update(tx, n);
  });
  expect(await blocksOf(table)).toEqual(before);
});
