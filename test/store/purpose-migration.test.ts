import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";

const MIGRATIONS = fileURLToPath(new URL("../../migrations/", import.meta.url));
const MIGRATION = "0025-purpose-of-payments.sql";

type Row = Record<string, string | boolean | null>;
const INVOICE = { source_id: "inv_1", invoice_id: "inv_1", subscription_id: "sub_1" };
const CHANGE = { source_id: "chg_1", change_id: "chg_1", subscription_id: "sub_1", trigger: "product_change" };
const CHECKOUT = { source_id: "chk_1", checkout_id: "chk_1", trigger: "checkout" };
const REQUEST =
  '{"requestId": "req_1", "idempotency": {"organizationId": "org_1", "key": "k", "method": "POST", "path": "/"}}';

/** Payments as they were written before the migration, and the purpose of each. */
const BEFORE: [what: string, row: Row, purpose: string][] = [
  ["a Checkout's that is under way", { ...CHECKOUT, status: "pending" }, "checkout"],
  [
    "a Checkout's that bought a Subscription",
    { ...CHECKOUT, invoice_id: "inv_1", subscription_id: "sub_1" },
    "checkout",
  ],
  ["a Checkout's that sold something once", { ...CHECKOUT, invoice_id: "inv_1" }, "checkout"],
  [
    "a card that a trial's Checkout saved",
    { ...CHECKOUT, kind: "setup", amount: "0", subscription_id: "sub_1" },
    "setup",
  ],
  ["a change's that is under way", { ...CHANGE, status: "unknown" }, "change"],
  ["a change's that was paid", { ...CHANGE, invoice_id: "inv_1" }, "change"],
  ["a renewal's", { ...INVOICE, trigger: "renewal" }, "renewal"],
  ["a retry", { ...INVOICE, trigger: "retry", status: "failed" }, "retry"],
  ["a new card's", { ...INVOICE, trigger: "new_card" }, "new_card"],
  [
    "one on the invoice's page",
    { ...INVOICE, trigger: "new_card", in_presence: true, status: "requires_action" },
    "page",
  ],
  ["one by hand", { ...INVOICE, trigger: "manual" }, "hand"],
  ["one by hand that answers a request", { ...INVOICE, trigger: "manual", request: REQUEST }, "hand"],
  ["a last invoice's", { ...INVOICE, trigger: "product_change" }, "last_invoice"],
];

const DEFAULTS: Row = {
  organization_id: "org_1",
  kind: "charge",
  status: "succeeded",
  customer_id: "cus_1",
  amount: "1000",
  currency: "usd",
  payment_method_id: "pm_1",
  method: "{}",
  checks: "0",
  abandoned: false,
  version: "1",
  event_sequence: "1",
  created_at: "2025-06-01T09:00:00Z",
  updated_at: "2025-06-01T09:00:00Z",
};

function insertOf(row: Row, n: number): string {
  const settled = ["succeeded", "failed"].includes(String(row["status"] ?? DEFAULTS["status"]));
  // Each payment has a source of its own, because a Checkout, a change or an invoice has one live attempt.
  const own = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === row["source_id"] ? `${value}${n}` : value]),
  );
  const values = { ...DEFAULTS, ...own, id: `pay_${n}`, [settled ? "settled_at" : "check_at"]: "2025-06-01T09:00:00Z" };
  const literals = Object.values(values).map((value) => (value === null ? "NULL" : `'${value}'`));
  return `INSERT INTO payments (${Object.keys(values).join(", ")}) VALUES (${literals.join(", ")});`;
}

let database: TestDatabase;

/** Runs the migrations with a name that `isWanted` accepts. */
async function migrateThose(isWanted: (name: string) => boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "billow-migrations-"));
  const filter = (path: string) => !path.endsWith(".sql") || isWanted(path.slice(MIGRATIONS.length));
  await cp(MIGRATIONS, directory, { recursive: true, filter });
  await migrate(database.db, pathToFileURL(`${directory}/`));
  await rm(directory, { recursive: true });
}

beforeAll(async () => {
  database = await createEmptyDatabase();
  await migrateThose((name) => name < MIGRATION);
  // The rows of Customers and cards are left out, so their foreign keys are dropped.
  const alone = ["customer_id", "payment_method_id"].map(
    (column) => `DROP CONSTRAINT payments_organization_id_${column}_fkey`,
  );
  await database.db.script(
    `ALTER TABLE payments ${alone.join(", ")}; ${BEFORE.map(([, row], n) => insertOf(row, n)).join("\n")}`,
  );
  // Later migrations drop foreign keys that are dropped here.
  await migrateThose((name) => name <= MIGRATION);
});
afterAll(() => database.drop());

describe("a payment from before the migration", () => {
  test.each(BEFORE.map(([what, , purpose], n) => [what, purpose, n] as const))(
    "%s is for: %s",
    async (_, purpose, n) => {
      const found = sql("test.purpose", "SELECT purpose FROM payments WHERE id = $1");
      expect(await database.db.read.query(found, [`pay_${n}`])).toEqual([{ purpose }]);
    },
  );
});

describe("no payment can be", () => {
  const at = (purpose: string) => BEFORE.findIndex(([, , each]) => each === purpose);
  test.each([
    ["a Checkout's without a Checkout", "checkout", "checkout_id = NULL"],
    ["a Checkout's and another one's", "setup", "checkout_id = 'chk_x'"],
    ["a change's and a Checkout's", "change", "checkout_id = 'chk_x'"],
    ["a change's without a Subscription", "change", "subscription_id = NULL"],
    ["a renewal's without an invoice", "renewal", "invoice_id = NULL"],
    ["a retry of another invoice", "retry", "invoice_id = 'inv_x'"],
    ["an invoice's without a Subscription", "hand", "subscription_id = NULL"],
    ["an invoice's and a Checkout's", "page", "checkout_id = 'chk_x'"],
    ["for something else", "last_invoice", "purpose = 'gift'"],
  ])("%s", async (_, purpose, set) => {
    const update = sql(`test.${set}`, `UPDATE payments SET ${set} WHERE id = $1`);
    const refused = database.db.tx((tx) => tx.query(update, [`pay_${at(purpose)}`]));
    await expect(refused).rejects.toThrow('"payments_purpose"');
  });

  test.each([
    ["a charge of 0", "renewal", "amount = 0", "payments_amount"],
    ["the answer to a request that was not sent", "renewal", `request = '{}'`, "payments_request"],
  ])("%s", async (_, purpose, set, constraint) => {
    const update = sql(`test.${set}`, `UPDATE payments SET ${set} WHERE id = $1`);
    const refused = database.db.tx((tx) => tx.query(update, [`pay_${at(purpose)}`]));
    await expect(refused).rejects.toThrow(`"${constraint}"`);
  });
});
