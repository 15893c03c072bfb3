import type pg from "pg";
import { createOrganizationWithKeys } from "../src/actions/organization/create-organization.ts";
import { addDays, addMonths, dateIn, instant } from "../src/domain/calendar.ts";
import { bucketsOf, type Step } from "../src/domain/metrics/span.ts";
import type { Context } from "../src/context.ts";
import type { Read } from "../src/store/driver/db.ts";
import { readRevenue, revenueByProduct, revenueSources } from "../src/store/metric-reads.ts";
import { plansOf, type Page } from "./list-plans.ts";
import { buyOnce } from "./many-rows.ts";
import { seed } from "../src/actions/sandbox/seed.ts";
import { withNewDatabase } from "./new-database.ts";

const COPIES = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 5;
/** The copies are spread over this many days up to now. */
const DAYS = 730;

/**
 * A sandbox with one purchase that was really made, and so many copies of its ledger entry and its invoice line, spread
 * over two years. The copies are for reading: they have no invoices.
 */
async function createLedger(ctx: Context): Promise<string> {
  const { organization } = await ctx.db.tx((tx) => createOrganizationWithKeys(tx, { name: "Rows", mode: "sandbox" }));
  await seed(ctx, organization);
  await buyOnce(ctx, organization.id);
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
  const copy = (table: string, columns: Record<string, string>, where: string) => {
    const changed = Object.entries(columns).map(([column, sql]) => `'${column}', ${sql}`);
    return `INSERT INTO ${table} SELECT r.* FROM ${table} m CROSS JOIN generate_series(1, ${COPIES}) n
      CROSS JOIN LATERAL json_populate_record(m, json_build_object(${changed.join(", ")})) r
      WHERE m.organization_id = '${organization.id}' AND ${where}`;
  };
  await ctx.db.script(
    "SET session_replication_role = replica",
    copy(
      "ledger_transfers",
      { id: id("led"), source_id: id("inv"), created_at: `now() - n * interval '${DAYS} days' / ${COPIES}` },
      "m.kind = 'invoice_issued'",
    ),
    copy("invoice_lines", { id: id("iln"), invoice_id: id("inv") }, "true"),
    "ANALYZE",
  );
  return organization.id;
}

const today = dateIn(instant(Date.now()), "UTC");
const spanOf = (step: Step, from: string) => bucketsOf(step, { from, to: today }, "UTC");
const within = (from: string) => {
  const buckets = spanOf("day", from);
  return { start: buckets[0]!.start, end: buckets.at(-1)!.end };
};
const [month, year] = [addDays(today, -29), addMonths(today, -11)];
const page = (name: string, read: (db: Read, organizationId: string) => Promise<unknown>): Page => ({ name, read });

const PAGES: readonly Page[] = [
  page("Revenue of 30 days", (db, id) => readRevenue(db, id, spanOf("day", month))),
  page("Revenue of 12 months", (db, id) => readRevenue(db, id, spanOf("month", year))),
  page("Revenue of 30 days by Product", (db, id) => revenueByProduct(db, id, within(month), "usd")),
  page("Invoices and refunds of 30 days, first page", (db, id) =>
    revenueSources(db, id, within(month), { currency: "usd", cursor: null, limit: 51 }),
  ),
  page("Invoices and refunds of 12 months, first page", (db, id) =>
    revenueSources(db, id, within(year), { currency: "usd", cursor: null, limit: 51 }),
  ),
];

async function measure(client: pg.Client, organizationId: string, asked: Page): Promise<string> {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await plansOf(client, asked, organizationId, 0));
  const times = rounds.map((plans) => plans.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  const indexes = [...new Set(rounds[0]!.flatMap((plan) => plan.indexes))].map((index) => `\`${index}\``).join(", ");
  const rows = rounds[0]!.reduce((sum, plan) => sum + plan.rows, 0);
  const median = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
  return `| ${asked.name} | ${indexes} | ${rows} | ${median.toFixed(1)} |`;
}

await withNewDatabase(async (ctx, client) => {
  const organizationId = await createLedger(ctx);
  console.log(`| figure, ${COPIES.toLocaleString("en")} entries | indexes | rows read | ms |\n|---|---|---:|---:|`);
  for (const asked of PAGES) console.log(await measure(client, organizationId, asked));
});
