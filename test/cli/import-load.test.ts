import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { makeProduct } from "../payments/stripe/billing.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { openImportShop, type GivenSubscriber, type ImportShop } from "../support/import-shop.ts";

let app: TestApp;
let shop: ImportShop;

beforeAll(async () => void (app = await startTestApp({ publicOrigin: "https://pay.example.com" })));
beforeEach(async () => void (shop = await openImportShop(app)));
afterEach(() => shop.close());
afterAll(() => app.close());

const DAY = 86_400;
const later = (days: number) => shop.stripe.book.now() + days * DAY;
const subscriber = (given?: GivenSubscriber) => shop.subscriber(given);

async function loaded(args: string[] = []) {
  await shop.assess();
  return shop.report(args);
}

const writesAtStripe = () =>
  shop.stripe.requests.filter(({ method, path }) => method !== "GET" && path !== "/v1/invoices/create_preview");

const emailsStatement = sql(
  "test.emails_of_import",
  "SELECT count(*)::int AS n FROM emails WHERE organization_id = $1 AND customer_id IS NOT NULL",
);
const emails = async () => (await app.ctx.db.read.query<{ n: number }>(emailsStatement, [shop.organizationId]))[0]!.n;

const ownCardStatement = sql(
  "test.own_card_of_import",
  "SELECT payment_method_id AS own FROM subscriptions WHERE organization_id = $1 AND customer_id = $2",
);

const TIME = { timeout: 120_000 };

test("a Customer, the card, the Product and the held Subscription are those of Stripe", TIME, async () => {
  const address = { country: "DE", line1: "Weg 1", line2: null, postal_code: "10117", city: "Berlin", state: null };
  const fields = { address, preferred_locales: ["de"], metadata: { user: "u_1", plan: "gold" } };
  const { customer, ref, method } = subscriber({ quantity: 7, customer: fields, metadata: { team: "red" } });
  shop.stripe.operations.taxId(customer, "eu_vat", "DE811569869");
  const before = writesAtStripe().length;
  const { code, rows, sums } = await loaded();
  expect(rows.get(ref)).toMatchObject({
    status: "imported",
    reasons: [],
    obstacle: null,
    expectedTotal: 14_000,
    ownTotal: 14_000,
    causes: [],
    leftOut: [],
  });
  expect([code, sums.productsMade, sums.differ]).toEqual([0, 1, 0]);
  expect(await shop.customerOf(ref)).toMatchObject({
    email: "ada@example.com",
    name: "Ada",
    externalId: customer,
    billingAddress: { country: "DE", line1: "Weg 1", line2: null, postalCode: "10117", city: "Berlin", state: null },
    taxId: { type: "eu_vat", value: "DE811569869", verification: "format" },
    locale: "de",
    metadata: { user: "u_1", plan: "gold" },
  });
  const { start_date, items } = shop.stripe.book.subscriptions.get(ref)!;
  const [item] = items.data;
  const time = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString();
  expect(await shop.subscriptionOf(ref)).toMatchObject({
    status: "active",
    quantity: 7,
    amount: 14_000,
    currency: "usd",
    startedAt: time(start_date),
    currentPeriodStart: time(item!.current_period_start),
    currentPeriodEnd: time(item!.current_period_end),
    metadata: { team: "red" },
    imported: { source: "stripe", reference: ref, held: true },
  });
  const [product] = await shop.listed("/products");
  expect(product).toMatchObject({
    key: "team",
    name: "Team",
    interval: "month",
    intervalCount: 1,
    prices: [{ currency: "usd", amount: 2000 }],
    quantity: { minimum: 1, maximum: 100_000 },
    unitName: { en: { one: "seat", other: "seats" } },
  });
  const { customerId } = (await shop.importRow(ref))!;
  const [card, ...others] = await shop.listed(`/customers/${customerId}/payment-methods`);
  expect(card).toMatchObject({ brand: "visa", last4: "4242", isDefault: true });
  expect(others).toEqual([]);
  expect(await providerRefs(customerId!)).toEqual({ customer, card: method });
  expect(await shop.importRow(ref)).toMatchObject({ state: "imported", reasons: [], monthly: 14_000, accepted: false });
  expect([writesAtStripe().length, await emails()]).toEqual([before, 0]);
});

const refsStatement = sql(
  "test.refs_of_import",
  `SELECT s.ref AS customer, m.provider_ref AS card FROM stripe_customers s
   JOIN payment_methods m ON (m.organization_id, m.customer_id) = (s.organization_id, s.customer_id)
   WHERE s.organization_id = $1 AND s.customer_id = $2`,
);
const providerRefs = async (customerId: string) =>
  (await app.ctx.db.read.query(refsStatement, [shop.organizationId, customerId]))[0];

describe("a subscription is imported", () => {
  test("with its trial, its planned end and the rest of its discount", TIME, async () => {
    const { operations } = shop.stripe;
    const trial = subscriber({ status: "trialing", trial_end: later(20), endsAt: later(20) });
    const ending = subscriber({ cancel_at_period_end: true, cancel_at: later(30) });
    const half = operations.coupon({ id: "HALF", percent_off: 50, duration: "repeating", duration_in_months: 3 });
    const months = subscriber({ discounts: [operations.discount(half, { end: later(75) })] });
    const once = operations.coupon({ id: "once.5", amount_off: 500, currency: "usd", duration: "once" });
    const unused = subscriber({ discounts: [operations.discount(once)] });
    const forever = subscriber({ discounts: [operations.discount(operations.coupon({ id: "EVER" }))] });
    const { code, rows, sums } = await loaded();
    const totals = (ref: string) => [rows.get(ref)!.expectedTotal, rows.get(ref)!.ownTotal];
    expect(totals(trial.ref)).toEqual([2000, 2000]);
    expect(totals(ending.ref)).toEqual([null, null]);
    expect(totals(months.ref)).toEqual([1000, 1000]);
    expect(totals(unused.ref)).toEqual([1500, 1500]);
    expect(totals(forever.ref)).toEqual([1500, 1500]);
    expect([code, sums.differ]).toEqual([0, 0]);
    expect(await shop.subscriptionOf(trial.ref)).toMatchObject({ status: "trialing" });
    expect(await shop.subscriptionOf(ending.ref)).toMatchObject({ cancelAtPeriodEnd: true });
    const codes = (await shop.listed("/discounts")).map((each) => [each.code, each.duration, each.endsAt !== null]);
    expect(codes.sort()).toEqual([
      ["EVER", "forever", true],
      ["HALF", "repeating", true],
      ["once-5", "once", true],
    ]);
    // The code of an imported Discount can't be used in a new sale.
    const sale = { productKey: "team", customer: { email: "new@example.com" }, discountCode: "EVER" };
    const refused = await shop.api("POST", "/checkouts", sale);
    expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([422, "discount_not_active"]);
  });

  test("with the own card of a subscription beside the Customer's default", TIME, async () => {
    const { operations, book } = shop.stripe;
    const { customer, ref } = subscriber();
    const byDefault = operations.attachCard(customer);
    Object.assign(book.paymentMethods.get(byDefault)!.card, { last4: "4444", brand: "mastercard" });
    operations.changeCustomer(customer, { invoice_settings: { default_payment_method: byDefault } });
    await loaded();
    const { customerId } = (await shop.importRow(ref))!;
    const cards = await shop.listed(`/customers/${customerId}/payment-methods`);
    expect(cards.map(({ last4, isDefault }) => [last4, isDefault]).sort()).toEqual([
      ["4242", false],
      ["4444", true],
    ]);
    const own = { own: cards.find(({ last4 }) => last4 === "4242")!.id };
    expect(await app.ctx.db.read.query(ownCardStatement, [shop.organizationId, customerId])).toEqual([own]);
  });

  test("with the price that its buyer has always paid, and with prices in two currencies", TIME, async () => {
    const { operations, book } = shop.stripe;
    const { id: product } = makeProduct(book, { name: "Team" });
    const now = operations.price({ product });
    const old = operations.price({ product, unit_amount: 1500 });
    const euros = operations.price({ product, currency: "eur", unit_amount: 1800 });
    const [first, second] = [subscriber({ price: now }), subscriber({ price: now })];
    const [grandfathered, inEuros] = [subscriber({ price: old }), subscriber({ price: euros })];
    const { code } = await loaded();
    expect(code).toBe(0);
    const products = await shop.listed("/products");
    expect(products.map((each) => [each.key, each.prices])).toEqual([
      [
        "team",
        [
          { currency: "usd", amount: 2000 },
          { currency: "eur", amount: 1800 },
        ],
      ],
    ]);
    const amounts = [first, second, grandfathered, inEuros].map(
      async ({ ref }) => (await shop.subscriptionOf(ref)).amount,
    );
    expect(await Promise.all(amounts)).toEqual([2000, 2000, 1500, 1800]);
  });
});

describe("a Customer", () => {
  test("keeps apart from another one with the same e-mail address", TIME, async () => {
    const [one, other] = [subscriber(), subscriber()];
    expect((await loaded()).code).toBe(0);
    const [first, second] = [await shop.customerOf(one.ref), await shop.customerOf(other.ref)];
    expect([first.externalId, second.externalId]).toEqual([one.customer, other.customer]);
    expect([first.email, second.email]).toEqual(["ada@example.com", "ada@example.com"]);
  });

  test("is found by the seller's own id in the metadata", TIME, async () => {
    const named = subscriber({ customer: { metadata: { user_id: "u_7" } } });
    const unnamed = subscriber({ customer: { email: "bea@example.com" } });
    const known = await shop.api("POST", "/customers", { email: "old@example.com", externalId: "u_8" });
    const same = subscriber({ customer: { metadata: { user_id: "u_8" } } });
    const { code, rows } = await loaded(["--external-id", "metadata.user_id"]);
    expect(code).toBe(0);
    expect((await shop.customerOf(named.ref)).externalId).toBe("u_7");
    expect((await shop.customerOf(unnamed.ref)).externalId).toBe(unnamed.customer);
    expect(rows.get(unnamed.ref)).toMatchObject({ leftOut: ["externalId"] });
    // The Customer of before keeps its own fields.
    expect(await shop.customerOf(same.ref)).toMatchObject({ id: known.body.id, email: "old@example.com" });
  });

  test("is not taken if the external id belongs to another id at Stripe", TIME, async () => {
    const [one, other] = ["u_7", "u_7"].map((id) => subscriber({ customer: { metadata: { user_id: id } } }));
    const { code, rows, sums } = await loaded(["--external-id", "metadata.user_id"]);
    const statuses = [one!, other!].map(({ ref }) => rows.get(ref)!.status).sort();
    expect([code, statuses, sums.obstacles]).toEqual([3, ["imported", "stays"], { customer_taken: 1 }]);
    const stays = [one!, other!].find(({ ref }) => rows.get(ref)!.status === "stays")!;
    expect(await shop.importRow(stays.ref)).toMatchObject({ state: "assessed", causes: ["customer_taken"] });
  });

  test("is left with the fields that Billow does not take, and each is named", TIME, async () => {
    const { operations } = shop.stripe;
    const address = { country: "DE", line1: null, line2: null, postal_code: null, city: null, state: null };
    const { customer, ref } = subscriber({ customer: { address, name: "A".repeat(300) } });
    operations.taxId(customer, "eu_vat", "DE111111111");
    const wrong = subscriber({ customer: { email: "ada@localhost" } });
    const { code, rows } = await loaded();
    expect(rows.get(ref)).toMatchObject({ status: "imported", leftOut: ["name", "taxId eu_vat DE111111111"] });
    expect(rows.get(wrong.ref)).toMatchObject({ status: "stays", obstacle: "no_email", customerId: null });
    expect(code).toBe(3);
    expect(await shop.customerOf(ref)).toMatchObject({ name: null, taxId: null, billingAddress: { country: "DE" } });
  });
});
