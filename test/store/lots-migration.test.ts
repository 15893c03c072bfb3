import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { Books, insertBooks, migrateThose, wordsOf, type Part } from "./earlier-books.ts";

const MIGRATION = "0030-lots.sql";

type Story = [what: string, tell: (books: Books) => void, entries: string[], more?: Partial<Record<string, string[]>>];

/**
 * Balances as they were written before the migration, with their entries afterwards: amount, source, `line` for a
 * credited line, and the remaining amount. `payment 1` is the first charge of the story.
 */
const STORIES: Story[] = [
  [
    "credit from an operator is granted",
    (books) => {
      books.entry("adjustment", 300);
      books.spend(100);
    },
    ["300 granted: 200", "-100: 0"],
    { invoices: ["100 granted"] },
  ],
  [
    "a refund is from the charge of its invoice",
    (books) => {
      const { id, payment } = books.invoice({ total: 1000 });
      books.refund(id, 200, payment);
      books.refund(id, 300, null);
      books.refund(id, 500, null);
    },
    ["300 payment 1: 300", "500 payment 1: 500"],
    { refunds: ["300 payment 1 own", "500 payment 1 own"] },
  ],
  [
    "a refund of an invoice that was paid outside is from outside",
    (books) => books.lotFromOutside(400),
    ["400 outside: 400"],
    { refunds: ["400 outside own"] },
  ],
  [
    "money for a void invoice is from its charge",
    (books) => {
      const { id } = books.invoice({ total: 700, status: "void" });
      books.transfer("unapplied_payment", books.charge(id, 700));
      books.entry("unapplied_payment", 700, id);
    },
    ["700 payment 1: 700"],
  ],
  [
    "a credit is from the charge of its billed line",
    (books) => {
      const { id } = books.invoice({ total: 1000 });
      books.credit(600, books.line(id, 1000));
    },
    ["600 payment 1 line: 600"],
    { lines: ["600 payment 1"], invoices: ["-600 payment 1 line"] },
  ],
  [
    "a credit of several lines of a charge names no line",
    (books) => {
      const { id } = books.invoice({ total: 1000 });
      books.credit(600, books.line(id, 500), books.line(id, 500));
    },
    ["600 payment 1: 600"],
    { lines: ["300 payment 1", "300 payment 1"], invoices: ["-600 payment 1"] },
  ],
  [
    "a credit of an invoice that was paid outside is from outside",
    (books) => {
      const { id } = books.invoice({ total: 1000, outside: true });
      books.credit(600, books.line(id, 1000));
    },
    ["600 outside line: 600"],
    { lines: ["600 outside"], invoices: ["-600 outside line"] },
  ],
  [
    "a credit without a billed line is granted",
    (books) => {
      const { id } = books.invoice({ total: -600, applied: -600 });
      books.line(id, -600);
      books.entry("invoice", 600, id);
    },
    ["600 granted: 600"],
    { lines: ["600 granted"], invoices: ["-600 granted"] },
  ],
  [
    "a credit above the money that is left of the charge is granted",
    (books) => {
      books.entry("adjustment", 500);
      const { id, payment } = books.invoice({ total: 1500, applied: 500 });
      books.entry("invoice", -500, id);
      const line = books.line(id, 1500);
      books.refund(id, 700, payment);
      books.credit(200, line);
      books.credit(500, line);
    },
    ["500 granted: 0", "-500: 0", "200 payment 1 line: 200", "500 granted: 500"],
    {
      lines: ["200 payment 1", "100 payment 1 + 400 granted"],
      invoices: ["500 granted", "-200 payment 1 line", "-500 granted"],
    },
  ],
  [
    "the newest charge's credit goes to the balance, the older charge's credit pays the invoice",
    (books) => {
      const lines = [400, 400].map((amount) => books.line(books.invoice({ total: amount }).id, amount));
      const { id } = books.invoice({ total: -300, applied: -300 });
      for (const line of lines) books.line(id, -400, line);
      books.line(id, 500);
      books.entry("invoice", 300, id);
    },
    ["300 payment 2 line: 300"],
    { lines: ["400 payment 1", "400 payment 2"], invoices: ["-300 payment 2 line"] },
  ],
  [
    "a credit keeps its charge if other credit pays for the rest of the invoice",
    (books) => {
      books.entry("adjustment", 500);
      const { id } = books.invoice({ total: 1500, applied: 500 });
      books.entry("invoice", -500, id);
      const credit = books.invoice({ total: -900, applied: -900 });
      books.line(credit.id, -1400, books.line(id, 1500));
      books.line(credit.id, 500);
      books.entry("invoice", 900, credit.id);
    },
    ["500 granted: 0", "-500: 0", "900 payment 1 line: 900"],
    { lines: ["1000 payment 1 + 400 granted"], invoices: ["500 granted", "-900 payment 1 line"] },
  ],
  [
    "a line that was not paid has no sources",
    (books) => {
      const { id } = books.invoice({ total: 0 });
      books.line(id, -400, books.line(id, 400));
      books.line(null, -500, books.line(null, 500));
      books.line(null, -300, books.line(books.invoice({ total: 300 }).id, 300));
      books.line(books.invoice({ total: 0, status: "void" }).id, -400, books.line(id, 400));
    },
    [],
    { lines: ["300 payment 1"] },
  ],
  [
    "an invoice uses the oldest charge first, then money from outside, then granted credit",
    (books) => {
      books.entry("adjustment", 100);
      books.lotFromOutside(100);
      const older = books.invoice({ total: 100 });
      books.lotOfCharge(100);
      books.refund(older.id, 100, null);
      books.spend(150);
      books.spend(60);
      books.spend(100);
    },
    ["100 granted: 90", "100 outside: 0", "100 payment 2: 0", "100 payment 1: 0", "-150: 0", "-60: 0", "-100: 0"],
    {
      refunds: ["100 outside own", "100 payment 2 own", "100 payment 1 own"],
      invoices: ["100 payment 1 + 50 payment 2", "50 payment 2 + 10 outside", "90 outside + 10 granted"],
    },
  ],
  [
    "an operator takes granted credit first, and the oldest charge's credit last",
    (books) => {
      books.lotOfCharge(100);
      books.lotOfCharge(100);
      books.lotFromOutside(100);
      books.entry("adjustment", 100);
      books.entry("adjustment", -120);
      books.entry("adjustment", -120);
    },
    ["100 payment 1: 100", "100 payment 2: 60", "100 outside: 0", "100 granted: 0", "-120: 0", "-120: 0"],
    { refunds: ["100 payment 1 own", "100 payment 2 own", "100 outside own"] },
  ],
  [
    "a debt is settled by the next credit, and the rest is left",
    (books) => {
      books.entry("adjustment", 100);
      books.spend(150);
      books.entry("adjustment", -200);
      books.entry("adjustment", 80);
      books.entry("adjustment", 200);
    },
    ["100 granted: 0", "-150: 0", "-200: 0", "80 granted: 0", "200 granted: 30"],
    { invoices: ["100 granted"] },
  ],
  [
    "an invoice that collects a debt settles the debt",
    (books) => {
      books.entry("adjustment", -300);
      books.entry("invoice", 200, books.invoice({ total: 1000, applied: -200 }).id);
    },
    ["-300: -100", "200 granted: 0"],
  ],
  [
    "a void invoice gives the credit of one source back",
    (books) => {
      books.lotOfCharge(500);
      const first = books.spend(300, "void");
      books.entry("invoice_voided", 300, first);
      books.entry("invoice_voided", 500, books.spend(500, "void"));
    },
    ["500 payment 1: 0", "-300: 0", "300 payment 1: 0", "-500: 0", "500 payment 1: 500"],
    { refunds: ["500 payment 1 own"], invoices: ["300 payment 1", "500 payment 1"] },
  ],
  [
    "the credit of a void invoice is granted if it came from several sources, or was a debt in part",
    (books) => {
      books.lotOfCharge(100);
      books.entry("adjustment", 100);
      books.entry("invoice_voided", 200, books.spend(200, "void"));
      books.entry("invoice_voided", 300, books.spend(300, "void"));
    },
    ["100 payment 1: 0", "100 granted: 0", "-200: 0", "200 granted: 0", "-300: 0", "300 granted: 200"],
    { refunds: ["100 payment 1 own"], invoices: ["100 payment 1 + 100 granted", "200 granted"] },
  ],
  [
    "a void invoice keeps the billed line of its credit, if there is one line",
    (books) => {
      const { id } = books.invoice({ total: 1000 });
      const lines = [books.line(id, 500), books.line(id, 500)];
      books.credit(200, lines[0]!);
      books.entry("invoice_voided", 100, books.spend(100, "void"));
      books.credit(200, lines[1]!);
      books.entry("invoice_voided", 400, books.spend(400, "void"));
    },
    [
      "200 payment 1 line: 0",
      "-100: 0",
      "100 payment 1 line: 0",
      "200 payment 1 line: 0",
      "-400: 0",
      "400 payment 1: 400",
    ],
    {
      lines: ["200 payment 1", "200 payment 1"],
      invoices: [
        "-200 payment 1 line",
        "100 payment 1 line",
        "-200 payment 1 line",
        "200 payment 1 line + 200 payment 1 line",
      ],
    },
  ],
  [
    "held credit is spent last",
    (books) => {
      books.dispute(books.lotOfCharge(100), "open");
      books.lotOfCharge(100);
      books.entry("adjustment", 100);
      books.spend(150);
      books.spend(100);
    },
    ["100 payment 1: 50", "100 payment 2: 0", "100 granted: 0", "-150: 0", "-100: 0"],
    {
      refunds: ["100 payment 1 own", "100 payment 2 own"],
      invoices: ["100 payment 2 + 50 granted", "50 granted + 50 payment 1"],
    },
  ],
  [
    "credit of a dispute that was won is spent as before, and credit of a lost one is written off",
    (books) => {
      const won = books.dispute(books.lotOfCharge(100), "won");
      books.dispute(books.lotOfCharge(100), "lost");
      books.entry("adjustment", 100);
      books.spend(30);
      books.transfer("dispute_won", won);
      books.spend(30);
    },
    ["100 payment 1: 70", "100 payment 2: 0", "-100: 0", "100 granted: 70", "-30: 0", "-30: 0"],
    { refunds: ["100 payment 1 own", "100 payment 2 own"], invoices: ["30 granted", "30 payment 1"] },
  ],
  [
    "held credit of a void invoice goes back to the invoice",
    (books) => {
      const { id, payment } = books.invoice({ total: 500 });
      const line = books.line(id, 500);
      books.entry("adjustment", 100);
      books.dispute(payment, "open");
      const open = books.invoice({ total: 200, applied: -300, held: 300, status: "void" });
      books.line(open.id, -300, line);
      books.line(open.id, 500);
      books.entry("invoice", 300, open.id);
      books.entry("invoice_voided", -300, open.id);
    },
    ["100 granted: 100", "300 granted: 0", "-300: 0"],
    { invoices: ["-300 granted"] },
  ],
  [
    "held credit among the lines goes to the balance",
    (books) => {
      const [other, disputed] = [books.invoice({ total: 500 }), books.invoice({ total: 500 })];
      const lines = [disputed, other].map(({ id }) => books.line(id, 500));
      books.dispute(other.payment, "open");
      const { id } = books.invoice({ total: 200, applied: -300, held: 300 });
      books.line(id, -200, lines[0]!);
      books.line(id, -300, lines[1]!);
      books.line(id, 700);
      books.entry("invoice", 300, id);
    },
    ["300 payment 1 line: 300"],
    { lines: ["200 payment 2", "300 payment 1"], invoices: ["-300 payment 1 line"] },
  ],
  [
    "the deletion of a Customer closes everything",
    (books) => {
      books.lotOfCharge(100);
      books.entry("adjustment", 100);
      books.entry("written_off", -200);
    },
    ["100 payment 1: 0", "100 granted: 0", "-200: 0"],
    { refunds: ["100 payment 1 own"] },
  ],
  [
    "the deletion of a Customer closes debts",
    (books) => {
      books.entry("adjustment", -100);
      books.entry("written_off", 100);
    },
    ["-100: 0", "100 granted: 0"],
  ],
];

const paymentsStatement = sql("test.lots_payments", "SELECT id FROM payments WHERE customer_id = $1 ORDER BY id");
const entriesStatement = sql(
  "test.lots_entries",
  `SELECT amount, remaining, source, payment_id AS "paymentId", credited_line_id AS "creditedLineId"
   FROM balance_entries WHERE customer_id = $1 ORDER BY id`,
);
const invoicesStatement = sql(
  "test.lots_invoices",
  `SELECT balance_sources AS parts FROM invoices
   WHERE customer_id = $1 AND balance_sources IS NOT NULL ORDER BY id`,
);
const refundsStatement = sql(
  "test.lots_refunds",
  `SELECT sources AS parts FROM refunds WHERE customer_id = $1 AND "to" = 'balance' ORDER BY id`,
);
const linesStatement = sql(
  "test.lots_lines",
  "SELECT sources AS parts FROM invoice_lines WHERE id = ANY($1) AND sources IS NOT NULL ORDER BY id",
);
const sumsStatement = sql(
  "test.lots_sums",
  `SELECT b.customer_id AS customer, b.amount, coalesce(sum(e.remaining), 0)::bigint AS remaining
   FROM balances b LEFT JOIN balance_entries e ON (e.customer_id, e.currency) = (b.customer_id, b.currency)
   GROUP BY b.customer_id, b.amount HAVING coalesce(sum(e.remaining), 0) <> b.amount`,
);

type Parts = { parts: (Part & { amount: number })[] };

describe("a balance from before the migration", () => {
  const all = STORIES.map(([, tell], n) => {
    const books = new Books(n);
    tell(books);
    return books;
  });
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const { db } = database;
    await migrateThose(db, (name) => name < MIGRATION);
    await insertBooks(db, all);
    await migrateThose(db, (name) => name <= MIGRATION);
  });
  afterAll(() => database.drop());

  async function partsOf(statement: typeof linesStatement, value: string | string[], payments: readonly string[]) {
    const rows = await database.db.read.query<Parts>(statement, [value]);
    return rows.map(({ parts }) => parts.map((part) => `${part.amount} ${wordsOf(part, payments)}`).join(" + "));
  }

  test.each(STORIES.map(([what, , entries, more = {}], n) => [what, n, { entries, ...more }] as const))(
    "%s",
    async (_, n, wanted) => {
      const { customer, rows } = all[n]!;
      const payments = (await database.db.read.query<{ id: string }>(paymentsStatement, [customer])).map(
        ({ id }) => id,
      );
      const entries = await database.db.read.query<Part & { amount: number; remaining: number }>(entriesStatement, [
        customer,
      ]);
      const lines = rows.filter(([table]) => table === "invoice_lines").map(([, { id }]) => id as string);
      expect({
        entries: entries.map((entry) =>
          `${entry.amount} ${wordsOf(entry, payments)}: ${entry.remaining}`.replace(" :", ":"),
        ),
        lines: await partsOf(linesStatement, lines, payments),
        invoices: await partsOf(invoicesStatement, customer, payments),
        refunds: await partsOf(refundsStatement, customer, payments),
      }).toEqual({ lines: [], invoices: [], refunds: [], ...wanted });
    },
  );

  test("is the sum of its parts", async () => {
    expect(await database.db.read.query(sumsStatement)).toEqual([]);
  });
});
