import { readFile, writeFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { customers } from "../../src/store/customers.ts";
import { sql } from "../../src/store/driver/db.ts";
import { makeProduct } from "../payments/stripe/billing.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { openImportShop, type ImportShop } from "../support/import-shop.ts";
import { untilLocked } from "../support/locks.ts";

let app: TestApp;
let shop: ImportShop;

beforeAll(async () => void (app = await startTestApp({ publicOrigin: "https://pay.example.com" })));
beforeEach(async () => void (shop = await openImportShop(app)));
afterEach(() => shop.close());
afterAll(() => app.close());

const TIME = { timeout: 180_000 };

const countStatement = sql(
  "test.rows_of_import",
  `SELECT (SELECT count(*) FROM customers WHERE organization_id = $1)::int AS customers,
     (SELECT count(*) FROM subscriptions WHERE organization_id = $1)::int AS subscriptions,
     (SELECT count(*) FROM payment_methods WHERE organization_id = $1)::int AS cards,
     (SELECT count(*) FROM stripe_customers WHERE organization_id = $1)::int AS adopted,
     (SELECT count(*) FROM products WHERE organization_id = $1)::int AS products,
     (SELECT count(*) FROM discounts WHERE organization_id = $1)::int AS discounts,
     (SELECT count(*) FROM invoices WHERE organization_id = $1)::int AS invoices,
     (SELECT count(*) FROM imports WHERE organization_id = $1 AND state = 'imported')::int AS imported`,
);
const forgetStatement = sql("test.forget_customers", "DELETE FROM stripe_customers WHERE organization_id = $1");
const renameStatement = sql(
  "test.rename_customer",
  "UPDATE customers SET external_id = 'other' WHERE organization_id = $1 AND id = $2",
);
const freeRowStatement = sql(
  "test.free_import",
  "SELECT 1 FROM imports WHERE organization_id = $1 AND ref = $2 FOR UPDATE SKIP LOCKED",
);
const rows = async () =>
  (await app.ctx.db.read.query<Record<string, number>>(countStatement, [shop.organizationId]))[0];
const each = (n: number) => ({ customers: n, subscriptions: n, cards: n, adopted: n, imported: n });
const nextPeriod = (ref: string) => shop.stripe.book.subscriptions.get(ref)!.items.data[0]!;

/** Three subscriptions, one with a discount. */
function fill() {
  const { operations } = shop.stripe;
  const discounts = [operations.discount(operations.coupon({ id: "SPRING" }))];
  return [shop.subscriber(), shop.subscriber({ discounts }), shop.subscriber({ quantity: 3 })] as const;
}

async function changeMapping(change: (prices: Json[]) => void): Promise<void> {
  const mapping = JSON.parse(await readFile(shop.file, "utf8"));
  change(mapping.prices);
  await writeFile(shop.file, JSON.stringify(mapping, null, 2));
}

describe("a repetition", () => {
  test("without a change makes no row, and no new version", TIME, async () => {
    const made = fill();
    await shop.assess();
    expect((await shop.report()).code).toBe(0);
    const all = () => Promise.all(made.map(({ ref }) => shop.subscriptionOf(ref)));
    const [before, found] = [await all(), await rows()];
    const { code, sums } = await shop.report();
    expect([code, sums.productsMade]).toEqual([0, 0]);
    expect(sums.subscriptions).toMatchObject({ imported: 0, held: 3 });
    expect([await all(), await rows()]).toEqual([before, found]);
    expect(await rows()).toEqual({ ...each(3), products: 1, discounts: 1, invoices: 0 });
  });

  test("brings a held Subscription in line with its quantity, period, end and card", TIME, async () => {
    const { operations, book } = shop.stripe;
    const { ref, customer, method } = shop.subscriber({ quantity: 2 });
    operations.changeCustomer(customer, { invoice_settings: { default_payment_method: method } });
    await shop.assess();
    await shop.report();
    const found = book.subscriptions.get(ref)!;
    const card = operations.attachCard(customer);
    Object.assign(book.paymentMethods.get(card)!.card, { last4: "1881" });
    operations.changeCustomer(customer, { invoice_settings: { default_payment_method: card } });
    const end = nextPeriod(ref).current_period_end;
    Object.assign(nextPeriod(ref), { quantity: 5, current_period_start: end, current_period_end: end + 30 * 86_400 });
    Object.assign(found, { default_payment_method: card, cancel_at_period_end: true, cancel_at: end + 30 * 86_400 });
    const { code, rows: reported } = await shop.report();
    expect([code, reported.get(ref)]).toMatchObject([0, { status: "held", expectedTotal: null, ownTotal: null }]);
    const time = (seconds: number) => new Date(seconds * 1000).toISOString();
    expect(await shop.subscriptionOf(ref)).toMatchObject({
      quantity: 5,
      amount: 10_000,
      currentPeriodStart: time(end),
      currentPeriodEnd: time(end + 30 * 86_400),
      cancelAtPeriodEnd: true,
      imported: { held: true },
    });
    const cards = await shop.listed(`/customers/${(await shop.importRow(ref))!.customerId}/payment-methods`);
    expect(cards.map(({ last4, isDefault }) => [last4, isDefault]).sort()).toEqual([
      ["1881", true],
      ["4242", false],
    ]);
  });

  test("moves held Subscriptions to the Product of a changed mapping", TIME, async () => {
    const { ref } = shop.subscriber();
    await shop.assess();
    await shop.report();
    await changeMapping(([price]) => (price.productKey = "team-2026"));
    const { code, sums } = await shop.report();
    expect([code, sums.productsMade]).toEqual([0, 1]);
    const [made] = await shop.listed("/products?key=team-2026");
    expect(await shop.subscriptionOf(ref)).toMatchObject({ productId: made!.id, imported: { held: true } });
  });

  test("ends a Subscription here that has ended there, without an invoice", TIME, async () => {
    const [gone, stays] = [shop.subscriber(), shop.subscriber()];
    await shop.assess();
    await shop.report();
    shop.stripe.operations.cancelSubscription(gone.ref);
    const { rows: reported, sums } = await shop.report();
    expect([...reported.keys()].sort()).toEqual([gone.ref, stays.ref].sort());
    expect(reported.get(gone.ref)).toMatchObject({ status: "ended" });
    expect(sums.subscriptions).toMatchObject({ held: 1, ended: 1 });
    expect(await shop.importRow(gone.ref)).toMatchObject({ state: "left" });
    expect(await shop.subscriptionOf(gone.ref)).toMatchObject({ status: "canceled" });
    expect(await rows()).toMatchObject({ subscriptions: 2, invoices: 0, imported: 1 });
  });

  test("keeps a held Subscription that may not move any more, and says why", TIME, async () => {
    const { ref } = shop.subscriber();
    await shop.assess();
    await shop.report();
    shop.stripe.book.subscriptions.get(ref)!.status = "past_due";
    const { code, rows: reported } = await shop.report();
    expect([code, reported.get(ref)]).toMatchObject([3, { status: "held", reasons: ["past_due"] }]);
    expect(await shop.importRow(ref)).toMatchObject({ state: "imported", reasons: ["past_due"] });
    expect(await shop.subscriptionOf(ref)).toMatchObject({ status: "active", imported: { held: true } });
  });

  test("leaves an import that was given up", TIME, async () => {
    const { ref } = shop.subscriber();
    await shop.assess();
    await shop.report();
    const { subscriptionId } = (await shop.importRow(ref))!;
    expect((await shop.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {})).status).toBe(200);
    expect((await shop.report()).rows.get(ref)).toMatchObject({ status: "left" });
    expect(await shop.subscriptionOf(ref)).toMatchObject({ status: "canceled" });
  });
});

describe("an import that is cut off", () => {
  test.each(["before", "after"])("by kill -9 just %s each commit goes on", { timeout: 400_000 }, async (when) => {
    const made = fill();
    await shop.assess();
    let kills = 0;
    for (let place = 1; ; place += 1) {
      const variables = { DOOMED_COMMIT: String(place), DOOMED_WHEN: when };
      const { code } = await shop.load([], { file: "doomed-commit.ts", variables });
      if (code === 0) break;
      expect([place, code]).toEqual([place, null]);
      kills += 1;
    }
    // The run and its note, the Product, three subscriptions, and the end of the run.
    expect(kills).toBeGreaterThanOrEqual(6);
    expect((await shop.report()).code).toBe(0);
    expect(await rows()).toEqual({ ...each(3), products: 1, discounts: 1, invoices: 0 });
    const amounts = await Promise.all(made.map(async ({ ref }) => (await shop.subscriptionOf(ref)).amount));
    expect(amounts).toEqual([2000, 2000, 6000]);
  });

  test("goes on after answers that are lost", TIME, async () => {
    fill();
    await shop.assess();
    for (const kind of ["before", "after", "500", "429"] as const)
      shop.stripe.fault("POST /v1/invoices/create_preview", kind, 1);
    shop.stripe.fault("GET /v1/customers", "after", 1);
    expect((await shop.report()).code).toBe(0);
    expect(await rows()).toMatchObject(each(3));
  });
});

test("two imports at once make each Subscription once", TIME, async () => {
  for (let n = 0; n < 12; n += 1) shop.subscriber();
  await shop.assess();
  const runs = await Promise.all([shop.load(["--format", "csv"]), shop.load(["--format", "csv"])]);
  expect(runs.map(({ code, stdout }) => [code, parse(stdout, { columns: true }).length])).toEqual([
    [0, 12],
    [0, 12],
  ]);
  expect(await rows()).toEqual({ ...each(12), products: 1, discounts: 0, invoices: 0 });
});

describe("the totals of the next invoice", () => {
  test("differ by a tax that only Stripe asks for, which is named and stored", TIME, async () => {
    const { ref } = shop.subscriber({ default_tax_rates: [shop.stripe.operations.taxRate()] });
    const equal = shop.subscriber();
    await shop.assess();
    const { code, rows: reported, sums } = await shop.report();
    expect([code, sums.differ, sums.causes]).toEqual([3, 1, { tax: 1 }]);
    expect(reported.get(ref)).toMatchObject({ expectedTotal: 2380, ownTotal: 2000, causes: ["tax"] });
    expect(reported.get(equal.ref)).toMatchObject({ expectedTotal: 2000, ownTotal: 2000, causes: [] });
    expect(await shop.importRow(ref)).toMatchObject({ expectedTotal: 2380, ownTotal: 2000, causes: ["tax"] });
    const { stdout } = await shop.load();
    expect(stdout).toContain("1 next invoice has another total here than there.");
    expect(stdout).toMatch(new RegExp(`${ref} +cus_\\S+ +US\\$23\\.80 +US\\$20\\.00 +tax`));
    expect(stdout).toMatch(/1 +tax +the taxes differ/);
  });

  test("leave a balance out, which the cut-over moves", TIME, async () => {
    const { ref } = shop.subscriber({ customer: { balance: -700, currency: "usd" } });
    await shop.assess();
    const { code, rows: reported, sums } = await shop.report();
    expect([code, sums.withBalance]).toEqual([0, 1]);
    expect(reported.get(ref)).toMatchObject({ balance: 700, expectedTotal: 2000, ownTotal: 2000 });
    const { customerId } = (await shop.importRow(ref))!;
    expect((await shop.manage("GET", `/customers/${customerId}/balance`)).body.data).toEqual([]);
  });
});

describe("an import does not begin", () => {
  const refused = async (says: string, args?: string[]) => {
    const { code, stdout, stderr } = await shop.load(args);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(says)]);
    expect(await rows()).toMatchObject({ ...each(0), products: 0 });
  };

  test("with a mapping that does not fit, and each line is named", TIME, async () => {
    const { operations, book } = shop.stripe;
    const { id: product } = makeProduct(book, { name: "Pro" });
    const [usd, eur] = [operations.price({ product }), operations.price({ product, currency: "eur" })];
    for (const price of [usd, eur, undefined]) shop.subscriber(price === undefined ? {} : { price });
    await shop.assess();
    const text = await readFile(shop.file, "utf8");
    const lines = text.split("\n");
    const lineOf = (price: string) => lines.findIndex((line) => line.includes(price)) + 1;
    await writeFile(
      shop.file,
      lines
        .filter((line) => !line.includes(eur))
        .join("\n")
        .replace(/,\n  \]/, "\n  ]"),
    );
    await refused(`${eur}: the price of Pro is in use and has no line`);
    await writeFile(shop.file, text.replace('"amount":2000', '"amount":1999'));
    await refused(`amount is 2000 at the provider`);
    await writeFile(shop.file, text.replace(`"productKey":"pro"`, `"productKey":"Pro!"`));
    await refused("productKey: A key is 1 to 64 of a-z, 0-9, _ and -");
    await writeFile(shop.file, text.replace(/"prices": \[/, '"prices": {'));
    await refused("is no JSON in line");
    await writeFile(shop.file, text.replace(shop.stripe.accountId, "acct_other"));
    await refused(`maps the prices of acct_other, and the key belongs to ${shop.stripe.accountId}.`);
    await writeFile(shop.file, text.replaceAll(/"interval":"month"/g, '"interval":"year"'));
    await refused(`line ${lineOf(usd)}, ${usd}: interval is month at the provider`);
  });

  test("with a Product of another period, currency or quantity", TIME, async () => {
    const { ref } = shop.subscriber({ quantity: 4 });
    const price = nextPeriod(ref).price.id;
    await shop.assess();
    const prices = [{ currency: "usd", amount: 2000 }];
    const make = async (key: string, fields: object) => {
      const made = await shop.manage("POST", "/products", { key, name: key, interval: "month", prices, ...fields });
      expect(made.status).toBe(201);
      await changeMapping(([line]) => (line.productKey = key));
      const { code, stderr } = await shop.load();
      return [code, stderr.slice(stderr.indexOf(price) + price.length + 2).trim()];
    };
    expect(await make("yearly", { interval: "year" })).toEqual([1, "the Product yearly is sold every year."]);
    expect(await make("once", { interval: null })).toEqual([1, "the Product once is sold once."]);
    const euros = { prices: [{ currency: "eur", amount: 2000 }] };
    expect(await make("euros", euros)).toEqual([1, "the Product euros has no price in usd."]);
    const says = "the Product single is sold in quantities of 1, and subscriptions have 4.";
    expect(await make("single", {})).toEqual([1, says]);
    expect(await rows()).toMatchObject(each(0));
    expect(await make("seats", { quantity: { minimum: 1, maximum: 10 } })).toEqual([0, ""]);
  });

  test("without the account, with another one, or with a key of the other mode", TIME, async () => {
    shop.subscriber();
    await shop.assess();
    const live = await shop.billow(["import", "--mapping", shop.file], undefined, "rk_live_xxxxxxxxxxxx");
    expect([live.code, live.stderr]).toEqual([1, expect.stringContaining("This is a live key")]);
    const stranger = await app.otherOrganization();
    const args = ["import", "--mapping", shop.file, "--organization", stranger.organization.id];
    const unconnected = await shop.billow(args);
    expect([unconnected.code, unconnected.stderr]).toEqual([
      1,
      expect.stringContaining(`The Organization takes no payments at ${shop.stripe.accountId} yet.`),
    ]);
    const elsewhere = await openImportShop(app);
    const wrong = await shop.billow([...args.slice(0, 4), elsewhere.organizationId]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("An import moves no cards")]);
    await elsewhere.close();
  });

  test("with wrong options", TIME, async () => {
    const wrong = async (args: string[], says: string) =>
      expect(await shop.billow(["import", ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    await wrong([], "--mapping is missing.");
    await wrong(["--mapping", "m.json", "--external-id", "user"], "--external-id must be metadata. and a key");
    const { code, stdout } = await shop.billow(["import", "--help"]);
    expect(code).toBe(0);
    for (const part of ["--mapping FILE", "--external-id", "Example: ", "Exit codes: 0"])
      expect(stdout).toContain(part);
  });
});

test("a repetition locks the Customer before the row, also if the row alone knows the Customer", TIME, async () => {
  const { ref } = shop.subscriber();
  await shop.assess();
  await shop.report();
  const { customerId } = (await shop.importRow(ref))!;
  const { db } = app.ctx;
  await db.tx(async (tx) => {
    await tx.query(forgetStatement, [shop.organizationId]);
    await tx.query(renameStatement, [shop.organizationId, customerId]);
  });
  let repeated: Promise<unknown> = Promise.resolve();
  // As `cancel-now`: the Customer first, then the row. The other order would be a deadlock.
  const isFree = await db.tx(async (tx) => {
    await customers.lock(tx, shop.organizationId, customerId!);
    repeated = shop.report();
    await untilLocked(db.read);
    return (await tx.query(freeRowStatement, [shop.organizationId, ref])).length;
  });
  await repeated;
  expect(isFree).toBe(1);
  expect((await shop.importRow(ref))!.customerId).toBe(customerId);
});
