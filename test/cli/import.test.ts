import { parse } from "csv-parse/sync";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { makeProduct } from "../payments/stripe/billing.ts";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import { lastRuns } from "../../src/store/import-runs.ts";
import { findImport } from "../../src/store/imports.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { connectStripe, openStripeCommands, type StripeCommands } from "../support/stripe.ts";

let app: TestApp;
let stripe: StripeServer;
let commands: StripeCommands;
let folder: string;
beforeAll(async () => void (app = await startTestApp({ publicOrigin: "https://pay.example.com" })));
beforeEach(async () => {
  stripe = await startStripe();
  commands = await openStripeCommands(app, stripe);
  folder = await mkdtemp(join(tmpdir(), "billow-import-"));
});
afterEach(async () => {
  await commands.clear();
  await stripe.close();
  await rm(folder, { recursive: true });
});
afterAll(() => app.close());

const assess = (args: string[] = [], key = stripe.key) =>
  commands.billow(["import", "stripe", "assess", ...args], `${key}\n`);

/** A Customer with a card and a subscription of 20.00 US dollars a month. */
function subscriber(fields: object = {}, email = "ada@example.com") {
  const customer = stripe.operations.makeCustomer({ email, name: "Ada" });
  const default_payment_method = stripe.operations.attachCard(customer);
  return { customer, id: stripe.operations.subscribe(customer, { default_payment_method, ...fields }) };
}

const count = sql("test.import_count", "SELECT count(*)::int AS rows FROM customers");
const rowsHere = async () => (await app.ctx.db.read.query<{ rows: number }>(count, []))[0]!.rows;

test("an account whose subscriptions all move ends with 0, and changes no Customer", { timeout: 60_000 }, async () => {
  subscriber();
  const before = [await rowsHere(), stripe.events.length];
  const { code, stdout, stderr } = await assess();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").map((line) => line.replace(stripe.accountId, "acct_1"))).toEqual([
    expect.stringMatching(/^acct_1 in test mode, read at 20\S+Z\. No Customer and no Subscription was changed\.$/),
    "Customers: 1, of these with a subscription 1, with a balance 0, with a tax id 0.",
    "Subscriptions: 1. 1 can move, 0 stay. Of those that can move, trials 0, with a planned end 0, " +
      "with a discount 0, with taxes 0.",
    "",
    "CURRENCY  MOVE  A MONTH   STAY  A MONTH",
    "usd       1     US$20.00  0     US$0.00",
    "A month: before discounts and taxes, trials included, usage and tiers left out.",
    "",
    "No subscription stays.",
    "",
    "MOVE  STAY  PRICE     EVERY  PRICE'S ID                PRODUCT",
    expect.stringMatching(/^1 {5}0 {5}US\$20\.00 {2}month {2}price_\S+ +Team$/),
    "",
  ]);
  expect([await rowsHere(), stripe.events.length]).toEqual(before);
  expect(new Set(stripe.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test(
  "subscriptions that stay end with 3, and the formats name each with its reasons",
  { timeout: 60_000 },
  async () => {
    const moves = subscriber({}, "=cmd@example.com");
    const stays = subscriber({ status: "past_due", cancel_at: 4_102_444_800 });
    stripe.operations.invoice(stays.customer, stays.id);
    const text = await assess();
    expect([text.code, text.stderr]).toEqual([3, ""]);
    expect(text.stdout).toContain(
      [
        "STAY  REASON        MEANING",
        "1     past_due      it is unpaid",
        "1     open_invoice  it has a draft or open invoice",
      ].join("\n"),
    );

    const csv = await assess(["--format", "csv"]);
    expect([csv.code, csv.stderr]).toEqual([3, expect.stringContaining("Subscriptions: 2. 1 can move, 1 stay.")]);
    const rows: Record<string, string>[] = parse(csv.stdout, { columns: true });
    expect(rows).toMatchObject([
      {
        subscription: stays.id,
        moves: "no",
        reasons: "past_due open_invoice later_end",
        ends_at: "2100-01-01T00:00:00.000Z",
      },
      { subscription: moves.id, customer: moves.customer, email: "'=cmd@example.com", moves: "yes", monthly: "20.00" },
    ]);

    for (const args of [["--format", "json"], ["--json"]]) {
      const { code, stdout } = await assess(args);
      const { data, money, prices, ...sums } = JSON.parse(stdout);
      expect(code).toBe(3);
      expect(data).toMatchObject([
        { subscription: stays.id, moves: false, reasons: ["past_due", "open_invoice", "later_end"] },
        { subscription: moves.id, moves: true, reasons: [], monthly: 2000, email: "=cmd@example.com", payment: "card" },
      ]);
      expect(sums).toMatchObject({
        account: stripe.accountId,
        mode: "test",
        customers: { total: 2, subscribed: 2 },
        subscriptions: { total: 2, moves: 1, stays: 1 },
        reasons: { past_due: 1, open_invoice: 1, several_items: 0 },
      });
      const share = { subscriptions: 1, monthly: 2000 };
      expect(money).toEqual([{ currency: "usd", moves: share, stays: share }]);
      expect(prices).toMatchObject([
        { productName: "Team", amount: 2000, interval: "month", moves: 0, stays: 1 },
        { moves: 1, stays: 0 },
      ]);
    }
  },
);

test("the report is stored for the dashboard, and follows the account", { timeout: 60_000 }, async () => {
  const [moves, stays] = [subscriber(), subscriber({ status: "past_due" })];
  const rowOf = (ref: string) =>
    findImport(app.ctx.db.read, {
      organizationId: app.organization.id,
      source: "stripe",
      account: stripe.accountId,
      ref,
    });
  await assess();
  expect(await rowOf(moves.id)).toMatchObject({
    customerRef: moves.customer,
    state: "assessed",
    reasons: [],
    currency: "usd",
    monthly: 2000,
    subscriptionId: null,
  });
  expect(await rowOf(stays.id)).toMatchObject({ state: "assessed", reasons: ["past_due"] });
  const runs = (await lastRuns(app.ctx.db.read, app.organization.id)).filter(
    ({ account }) => account === stripe.accountId,
  );
  expect(runs).toMatchObject([{ step: "assess", sums: { subscriptions: { total: 2, moves: 1, stays: 1 } } }]);
  expect(runs[0]!.finishedAt).toBeGreaterThanOrEqual(runs[0]!.startedAt);

  stripe.operations.cancelSubscription(moves.id);
  stripe.book.subscriptions.get(stays.id)!.status = "active";
  await assess();
  expect(await rowOf(moves.id)).toBeNull();
  expect(await rowOf(stays.id)).toMatchObject({ state: "assessed", reasons: [] });
});

test(
  "--mapping writes the prices with a Product for each, and keeps a file that exists",
  { timeout: 60_000 },
  async () => {
    const { id: product } = makeProduct(stripe.book, { name: "Pro plan" });
    const month = stripe.operations.price({ product });
    const euros = stripe.operations.price({ product, currency: "eur", unit_amount: 1800 });
    const year = stripe.operations.price({ product, unit_amount: 20_000, recurring: { interval: "year" } });
    const tiers = stripe.operations.price({ product, billing_scheme: "tiered", unit_amount: null });
    for (const price of [month, month, euros, year, tiers]) subscriber({ items: [{ price }] });
    const file = join(folder, "mapping.json");
    const { code, stderr } = await assess(["--mapping", file]);
    expect([code, stderr]).toEqual([3, ""]);
    const text = await readFile(file, "utf8");
    const line = { name: "Pro plan", intervalCount: 1 };
    const [first, ...others] = JSON.parse(text).prices;
    expect([JSON.parse(text).account, first]).toEqual([
      stripe.accountId,
      {
        ...line,
        price: month,
        currency: "usd",
        amount: 2000,
        interval: "month",
        subscriptions: 2,
        productKey: "pro-plan",
      },
    ]);
    const once = { ...line, subscriptions: 1 };
    expect(others).toEqual([
      { ...once, price: euros, currency: "eur", amount: 1800, interval: "month", productKey: "pro-plan" },
      { ...once, price: year, currency: "usd", amount: 20_000, interval: "year", productKey: "pro-plan-year" },
    ]);
    expect(text.split("\n").filter((each) => each.includes('"price":'))).toHaveLength(3);

    const asked = stripe.requests.length;
    const again = await assess(["--mapping", file]);
    expect([again.code, again.stderr]).toEqual([
      1,
      `billow: ${file} exists already, and may have your changes: give another name.\n`,
    ]);
    expect(stripe.requests).toHaveLength(asked);
    expect(await readFile(file, "utf8")).toBe(text);
  },
);

test.each(["csv", "json"])("a full disk ends a report as %s with 1", { timeout: 60_000 }, async (format) => {
  subscriber();
  const { code, stderr } = await commands.billow(
    ["import", "stripe", "assess", "--format", format],
    stripe.key,
    "/dev/full",
  );
  expect([code, stderr]).toEqual([1, "billow: stdout: the disk is full (ENOSPC).\n"]);
});

test("an account without Customers has a report, too", { timeout: 60_000 }, async () => {
  expect((await assess()).stdout).toContain("There is no subscription.");
  expect(JSON.parse((await assess(["--json"])).stdout)).toMatchObject({ data: [], money: [], prices: [] });
});

test("a key that may do everything is taken with a warning", { timeout: 60_000 }, async () => {
  const { code, stderr } = await assess([], stripe.secretKey);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Warning: this key may do everything at Stripe\./)]);
});

test("a key that does not fit ends with 1, before the first Customer", { timeout: 120_000 }, async () => {
  const refused = async (key: string, says: string) => {
    const { code, stdout, stderr } = await assess(["--format", "csv"], key);
    expect([key, code, stdout, stderr]).toEqual([key, 1, "", expect.stringContaining(says)]);
  };
  await refused("", "There was no key on stdin.");
  await refused("hello", "The text on stdin is no key of Stripe. A restricted key begins with rk_test_.");
  await refused("rk_live_xxxxxxxxxxxx", "This is a live key, and a sandbox takes only test keys.");
  await refused(
    "rk_test_xxxxxxxxxxxx",
    "Stripe refuses: the key is not valid, or was revoked. No Customer and no Subscription was changed.",
  );
  stripe.operations.takePermission(stripe.key, "invoice_read");
  await refused(stripe.key, "The key lacks permissions: Invoices: read");
  stripe.operations.givePermission(stripe.key, "invoice_read");
  expect(stripe.requests.filter(({ path, query }) => path === "/v1/customers" && !query.includes("limit=1"))).toEqual(
    [],
  );
});

test("a key of another account than the connected one ends with 1", { timeout: 60_000 }, async () => {
  const other = await startStripe();
  await connectStripe(app, other);
  const { code, stderr } = await assess();
  expect([code, stderr]).toEqual([1, expect.stringContaining(`takes its payments at ${other.accountId}.`)]);
  await other.close();
});

test("wrong options end with 2, and --help has the options, an example and the exit codes", async () => {
  expect(await assess(["--format", "xml"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--format must be text or csv or json."),
  });
  expect(await assess(["--format", "csv", "--json"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--json is --format json."),
  });
  const { code, stdout } = await assess(["--help"]);
  expect(code).toBe(0);
  for (const part of ["--format text|csv|json", "--organization", "Example: ", "Exit codes: 0"])
    expect(stdout).toContain(part);
});
