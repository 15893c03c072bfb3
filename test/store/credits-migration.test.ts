import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
beforeAll(async () => void (story = await startStory({ clock: "2025-06-01T09:00:00Z" })));
afterAll(() => story.close());

type Link = { id: string; amount: number; credited: string | null };
const linksStatement = sql(
  "test.links",
  "SELECT id, amount, credited_line_id AS credited FROM invoice_lines ORDER BY id",
);
const links = () => story.app.ctx.db.read.query<Link>(linksStatement, []);

/** Restores the schema from before the migration, and then runs the migration. */
async function migrateAgain(before = ""): Promise<void> {
  const client = new pg.Client({ connectionString: story.app.ctx.config.databaseUrl! });
  await client.connect();
  try {
    await client.query(`ALTER TABLE invoice_lines DROP COLUMN credited_line_id; ${before}`);
    await client.query(await readFile(new URL("../../migrations/0020-credits.sql", import.meta.url), "utf8"));
  } finally {
    await client.end();
  }
}

test("credits from before get the line that they gave back", async () => {
  for (const [key, amount] of [
    ["ten", 1000],
    ["thirty", 3000],
    ["free", 0],
  ] as const)
    await story.plan(key, amount);
  await story.plan("year", 20_000, { interval: "year" });
  const ada = await story.buy({ productKey: "ten", customer: { email: "ada@example.com" } }, CARDS.pays);
  const ben = await story.buy({ productKey: "year", customer: { email: "ben@example.com" } }, CARDS.pays);
  await story.travel("2025-06-11");
  await story.change(ada.id, { productKey: "thirty" });
  await story.change(ben.id, { productKey: "free" });
  await story.travel("2025-06-21");
  await story.change(ada.id, { productKey: "year", prorationBehavior: "next_invoice" });
  await story.change(ben.id, { productKey: "ten" });
  await story.travel("2025-06-26");
  await story.change(ben.id, { productKey: "thirty", prorationBehavior: "next_invoice" });
  const before = await links();
  expect(before.filter(({ credited }) => credited !== null)).toHaveLength(4);
  await migrateAgain();
  expect(await links()).toEqual(before);
  expect(await story.audit()).toEqual([]);
});

test("a credit of a line that was refunded as well stays without a line", async () => {
  const invoices = (await story.ok(story.app.manage("GET", "/invoices?reason=checkout"))).data;
  const year = invoices.find((invoice: { totalAmount: number }) => invoice.totalAmount === 20_000);
  const refund = `INSERT INTO refunds SELECT * FROM jsonb_populate_record(NULL::refunds, '${JSON.stringify({
    organization_id: story.app.organization.id,
    id: "rfd_1",
    purpose: "invoice",
    origin: "billow",
    failed_late: false,
    from_balance: 0,
    taken: [],
    freed: [],
    sources: [],
    invoice_id: year.id,
    customer_id: year.customerId,
    status: "unknown",
    amount: 1000,
    tax_amount: 0,
    currency: "usd",
    to: "balance",
    revoke_grants: false,
    lines: [{ invoiceLineId: year.lines[0].id, amount: 1000, taxAmount: 0 }],
    rate_lowered: 0,
    checks: 0,
    check_at: "2025-06-26T09:00:00Z",
    version: 1,
    event_sequence: 0,
    created_at: "2025-06-26T09:00:00Z",
    updated_at: "2025-06-26T09:00:00Z",
  })}'::jsonb)`;
  const traced = (await links()).filter(({ credited }) => credited !== null);
  await migrateAgain(refund);
  const left = (await links()).filter(({ credited }) => credited !== null);
  const gone = traced.filter(({ id }) => !left.some((each) => each.id === id));
  expect(gone.map(({ credited }) => credited)).toEqual([year.lines[0].id]);
  await story.app.ctx.db.tx((tx) => tx.query(sql("test.forget", "DELETE FROM refunds WHERE id = 'rfd_1'"), []));
});
