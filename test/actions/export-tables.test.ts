import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { drawPdfs, PDF_TABLES } from "../../src/actions/export/pdfs.ts";
import { linesOf, type ExportWorld } from "../../src/actions/export/section.ts";
import { SECTIONS } from "../../src/actions/export/sections.ts";
import { ExportDraft } from "../../src/archive/export-draft.ts";
import { sql, type Read } from "../../src/store/driver/db.ts";
import { EXPORTED_TABLES } from "../../src/store/export.ts";
import { readOrganization } from "../../src/store/organizations.ts";
import { parse, within } from "../support/sql-tree.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** The tables that no export reads, each with its reason. A new table is either exported or in this list. */
const LEFT_OUT: Record<string, string> = {
  api_keys: "secrets",
  api_requests: "the log of requests, which is deleted after some days",
  balances: "the sums of balance_entries",
  changes: "the work of a change that is being paid; its payment, its lines and its events are exported",
  discount_gifts: "the Subscription and the count of the Discount show each use",
  discount_redemptions: "the Subscription, the Checkout and the count of the Discount show each use",
  email_changes: "the work of a change that is not confirmed",
  earlier_reports: "the provider's reports about charges of another system",
  import_runs: "the work of an import",
  imports: "the work of an import; the Subscription shows the id in the other system",
  idempotency_keys: "answers to repeated requests",
  installation: "the installation",
  invitations: "people of the dashboard, and secrets",
  ledger_transfers: "made of the invoices, payments, refunds and balance entries by rule I4",
  memberships: "people of the dashboard",
  metric_days: "made of the MRR movements",
  metric_progress: "the work of the metrics",
  mrr_movements: "made of the Subscriptions by chapter R of the rules",
  mrr_states: "made of the Subscriptions by chapter R of the rules",
  organizations: "its own file, which each run writes anew",
  payment_pauses: "the operation of a payment provider",
  portal_links: "secrets",
  portal_requests: "addresses that were typed, before a Customer is known",
  portal_sessions: "secrets",
  provider_book: "the provider's own record, which the seller has there",
  provider_book_comparisons: "the work of the provider's book",
  provider_book_imports: "the work of the provider's book",
  provider_connections: "secrets",
  provider_notices: "messages of the provider, which the seller has there",
  sandbox_cards: "the provider of a sandbox",
  sandbox_charges: "the provider of a sandbox",
  sandbox_fills: "the provider of a sandbox",
  sandbox_refunds: "the provider of a sandbox",
  sandbox_refusals: "the provider of a sandbox",
  schema_migrations: "the installation",
  sign_in_failures: "people of the dashboard",
  tax_region_reviews: "a notice about an upgrade",
  trials: "the Subscription shows its trial",
  user_identities: "people of the dashboard",
  user_sessions: "secrets",
  users: "people of the dashboard, and their passwords",
  verifications: "the result of a check of the rows",
  webhook_deliveries: "attempts of events, which are exported",
  webhook_redeliveries: "the work of deliveries",
  worker_heartbeat: "the installation",
  write_probe: "the installation",
};

/** The tables that a file reads, and whose rows can't change its lines unless the file's own state changes. */
const READ_BESIDE: Record<string, string[]> = {
  // The state has the expiry. A line shows the figures of the Checkout's own row, and not the balance of now.
  checkouts: ["balances", "organizations"],
  // The lists join the owner for filters, which an export does not use.
  invoices: ["customers"],
  "credit-notes": ["customers"],
  payments: ["customers"],
  refunds: ["customers", "invoices"],
  disputes: ["customers"],
  "license-activations": ["benefit_grants"],
  // The state has the names of the actors.
  "audit-log": ["api_keys", "users"],
};

let story: Story;
let tables: string[];

const tablesStatement = sql(
  "test.export_tables",
  "SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
);

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  const { manage } = story.app;
  tables = (await story.app.ctx.db.read.query<{ name: string }>(tablesStatement, [])).map(({ name }) => name);
  await story.plan("team", 1200, { name: "Team" });
  const customer = { email: "ada@example.com", externalId: "ada", name: "Ada" };
  const { customerId } = await story.buy({ productKey: "team", customer }, CARDS.pays);
  const [invoice] = (await story.ok(manage("GET", `/invoices?customerId=${customerId}`))).data;
  await story.ok(manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 100 }));
});
afterAll(() => story.close());

/** Runs `work`, and answers the tables of all its statements. */
async function tablesIn(work: (db: Read) => Promise<unknown>): Promise<string[]> {
  const { read } = story.app.ctx.db;
  const found = new Set<string>();
  await work({
    ...read,
    query(statement, values) {
      for (const node of within(parse(statement.text), "RangeVar"))
        if ("RangeVar" in node && tables.includes(node.RangeVar.relname!)) found.add(node.RangeVar.relname!);
      return read.query(statement, values);
    },
  });
  return [...found].sort();
}

test("each table of the database is exported, or left out for a reason", () => {
  expect([...EXPORTED_TABLES, ...Object.keys(LEFT_OUT)].sort()).toEqual(tables.toSorted());
});

describe("a file is kept only if no row of a table behind it has changed", () => {
  const kept = SECTIONS.filter((each) => each.tables.length > 0);
  test.each(kept)("$name.jsonl knows all of its tables", async (section) => {
    const { ctx } = story.app;
    const { organization, now } = await readOrganization(ctx.db.read, story.app.organization.id);
    const { config, keyring, payments } = ctx;
    const found = await tablesIn((db) => {
      const world: ExportWorld = { config, keyring, connectables: payments.connectables, db, organization, now };
      return Array.fromAsync(linesOf(world, section));
    });
    const known = new Set<string>([...section.tables, ...(READ_BESIDE[section.name] ?? [])]);
    expect(found.filter((table) => !known.has(table))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });

  test("the list of PDFs knows all of its tables", async () => {
    const directory = await mkdtemp(join(tmpdir(), "billow-export-tables-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const draft = await ExportDraft.open(join(directory, "x"), "key");
    const { ctx, organization } = story.app;
    const options = { version: "1", signal: new AbortController().signal };
    const found = await tablesIn((read) =>
      Array.fromAsync(drawPdfs({ ...ctx, db: { ...ctx.db, read } }, organization.id, draft, options)),
    );
    // The state has the version of the Organization. The owner is joined for filters.
    const known = new Set<string>([...PDF_TABLES, "organizations", "customers"]);
    expect(found.filter((table) => !known.has(table))).toEqual([]);
    expect(found).toContain("credit_notes");
  });
});
