import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { CARDS } from "../support/story.ts";

let app: TestApp;
let foreign: { api: TestCall; manage: TestCall };
let buyers = 0;
const product: Record<string, Json> = {};
const UNITS = { unitName: { en: { one: "seat", other: "seats" }, de: { one: "Platz", other: "Plätze" } } };

beforeAll(async () => {
  app = await startTestApp();
  foreign = await foreignCallersOf(app);
  const usd = (amount: number) => ({ prices: [{ currency: "usd", amount }] });
  const products = {
    team: { ...usd(1200), quantity: { minimum: 2, maximum: 50 }, ...UNITS },
    company: { ...usd(2000), quantity: { minimum: 1, maximum: null } },
    large: { ...usd(3000), quantity: { minimum: 10, maximum: 100 } },
    single: usd(5000),
    free: { ...usd(0), quantity: { maximum: null } },
    dear: { ...usd(99_999_999), group: "dear", quantity: { maximum: null } },
    book: { ...usd(4900), interval: null, quantity: { maximum: null } },
  };
  for (const [key, fields] of Object.entries(products)) {
    product[key] = (await app.manage("POST", "/products", { key, name: key, interval: "month", ...fields })).body;
  }
  await foreign.manage("POST", "/products", { key: "team", name: "Theirs", ...usd(100) });
});
afterAll(() => app.close());

const create = (body: object) => app.api("POST", "/checkouts", body);
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  app.api("PATCH", `/subscriptions/${id}`, body, headers);
const read = async (id: string) => (await app.api("GET", `/subscriptions/${id}`)).body;
const invoices = async (id: string) => (await app.manage("GET", `/invoices?subscriptionId=${id}`)).body.data;
const pay = (id: string, card: string = CARDS.pays) => app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card });

/** A paid Subscription of a new Customer. */
async function buy(productKey: string, quantity: number | null, card: string = CARDS.pays): Promise<Json> {
  const externalId = `units-${++buyers}`;
  const customer = { email: `${externalId}@example.com`, externalId };
  const paid = await pay((await create({ productKey, quantity, customer })).body.id, card);
  expect(paid.body).toMatchObject({ status: "completed" });
  return read(paid.body.subscriptionId);
}

/** The answer to a request with this one fault. */
const fault = (pointer: string, code: string, more: object = {}) => ({
  status: 422,
  body: { code: "validation_failed", errors: [{ in: "body", pointer, code }], ...more },
});
const notOffered = (minimum: number, maximum: number, pointer = "/quantity") =>
  fault(pointer, "quantity_not_offered", { minimum, maximum });

describe("a Checkout of several units (rules Q3, Q4)", () => {
  test.each<[body: object, shown: object]>([
    [{ productKey: "team" }, { quantity: 2, unitAmount: 1200, subtotalAmount: 2400, recurringAmount: 2400 }],
    [
      { productKey: "team", quantity: 50 },
      { quantity: 50, unitAmount: 1200, recurringAmount: 60_000, ...UNITS },
    ],
    [
      { productKey: "team", quantity: null },
      { quantity: 2, quantityChange: null },
    ],
    [
      { productKey: "team", quantityChange: { minimum: 5, maximum: 20 } },
      { quantity: 5, quantityChange: { minimum: 5, maximum: 20 }, amountDue: 6000 },
    ],
    [
      { productKey: "company", quantity: 7, quantityChange: {} },
      { quantity: 7, quantityChange: { minimum: 1, maximum: 100_000 }, unitName: null },
    ],
    [
      { productKey: "book", quantity: 3 },
      { quantity: 3, unitAmount: 4900, totalAmount: 14_700, recurringAmount: null },
    ],
    [{ productKey: "single" }, { quantity: 1, unitAmount: 5000, subtotalAmount: 5000 }],
    [
      { productKey: "free", quantity: 100_000 },
      { quantity: 100_000, unitAmount: 0, amountDue: 0 },
    ],
    [
      { productKey: "dear", quantity: 10_000 },
      { quantity: 10_000, recurringAmount: 999_999_990_000 },
    ],
  ])("of %j shows %j", async (body, shown) => {
    const { status, body: checkout } = await create(body);
    expect([status, checkout]).toMatchObject([201, shown]);
    expect((await app.api("GET", `/checkouts/${checkout.id}`)).body).toEqual(checkout);
  });

  test.each<[body: object, refusal: object]>([
    [{ productKey: "team", quantity: 1 }, notOffered(2, 50)],
    [{ productKey: "team", quantity: 51 }, notOffered(2, 50)],
    [{ productKey: "single", quantity: 2 }, notOffered(1, 1)],
    [{ productKey: "team", quantity: 0 }, fault("/quantity", "too_small")],
    [{ productKey: "team", quantity: 100_001 }, fault("/quantity", "too_large")],
    [{ productKey: "team", quantity: 2.5 }, fault("/quantity", "invalid_type")],
    [{ productKey: "team", quantity: "2" }, fault("/quantity", "invalid_type")],
    [{ productKey: "team", quantityChange: {} }, notOffered(2, 50, "/quantityChange/minimum")],
    [{ productKey: "team", quantityChange: { minimum: 2 } }, notOffered(2, 50, "/quantityChange/maximum")],
    [
      { productKey: "team", quantityChange: { minimum: 9, maximum: 8 } },
      fault("/quantityChange/maximum", "below_minimum"),
    ],
    [{ productKey: "team", quantity: 9, quantityChange: { minimum: 2, maximum: 8 } }, notOffered(2, 8)],
    [{ productKey: "dear", quantity: 10_001 }, fault("/quantity", "too_large")],
  ])("%j is refused", async (body, refusal) => {
    expect(await create(body)).toMatchObject(refusal);
    const customer = { email: "nobody@example.com", externalId: "never-made" };
    expect(await create({ ...body, customer })).toMatchObject(refusal);
    expect((await app.api("GET", "/customers?externalId=never-made")).body.data ?? []).toEqual([]);
  });

  it("keeps quantity and price after an edit of the Product", async () => {
    const { body: draft } = await app.manage("POST", "/products", {
      name: "Edited",
      group: "edited",
      interval: "month",
      prices: [{ currency: "usd", amount: 1000 }],
      quantity: { minimum: 1, maximum: 10 },
      ...UNITS,
    });
    const { body: checkout } = await create({ productId: draft.id, quantity: 4 });
    const edit = { quantity: { minimum: 8 }, prices: [{ currency: "usd", amount: 9000 }], unitName: null };
    await app.manage("PATCH", `/products/${draft.id}`, edit);
    const paid = (
      await app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {
        card: CARDS.pays,
        email: `edited-${newId("cus")}@example.com`,
      })
    ).body;
    expect(paid).toMatchObject({ status: "completed", quantity: 4, unitAmount: 1000 });
    expect(await read(paid.subscriptionId)).toMatchObject({ quantity: 4, unitAmount: 1000, amount: 4000 });
    const [{ lines }] = await invoices(paid.subscriptionId);
    expect(lines[0].description.replaceAll("\u00a0", " ")).toBe("Edited, 4 seats × US$10.00");
  });

  it("tells quantity and price of a unit in its events", async () => {
    const { id, checkoutId } = await buy("team", 6);
    const dataOf = async (resourceId: string) =>
      (await app.manage("GET", `/events?resourceId=${resourceId}`)).body.data.map(({ data }: Json) => data);
    const shown = { quantity: 6, unitAmount: 1200 };
    expect((await dataOf(checkoutId)).at(-1)).toMatchObject(shown);
    expect(await dataOf(id)).toMatchObject([{ ...shown, amount: 7200 }]);
  });
});

describe("a PATCH of the quantity (rule Q6)", () => {
  it("alone keeps the price of a unit as sold, also of an archived Product", async () => {
    const { body: sold } = await app.manage("POST", "/products", {
      key: "sold",
      name: "Sold",
      interval: "month",
      prices: [{ currency: "usd", amount: 1000 }],
      quantity: { minimum: 1, maximum: 9 },
    });
    const { id } = await buy("sold", 2);
    await app.manage("PATCH", `/products/${sold.id}`, { prices: [{ currency: "usd", amount: 7000 }] });
    const now = { prorationBehavior: "invoice_now" };
    expect((await patch(id, { quantity: 3, ...now })).body).toMatchObject({ quantity: 3, amount: 3000 });
    expect((await patch(id, { productKey: "sold", quantity: 4, ...now })).body).toMatchObject({ amount: 4000 });
    expect((await patch(id, { productKey: "sold", price: "catalogue" })).body).toMatchObject({
      quantity: 4,
      amount: 28_000,
    });
    await app.manage("PATCH", `/products/${sold.id}`, { archived: true, quantity: { minimum: 5, maximum: 6 } });
    expect((await patch(id, { quantity: 5 })).body).toMatchObject({ quantity: 5, unitAmount: 7000, amount: 35_000 });
    expect(await patch(id, { quantity: 4 })).toMatchObject(notOffered(5, 6));
    const again = { productKey: "sold", quantity: 6, price: "catalogue" };
    expect(await patch(id, again)).toMatchObject(fault("/productKey", "product_archived"));
  });

  it("with another Product has the catalogue's price, and keeps the quantity if it is offered", async () => {
    const { id } = await buy("team", 4);
    expect((await patch(id, { productKey: "company" })).body).toMatchObject({ quantity: 4, amount: 8000 });
    expect(await patch(id, { productKey: "large" })).toMatchObject(notOffered(10, 100));
    expect(await patch(id, { productKey: "single" })).toMatchObject(notOffered(1, 1));
    const larger = { productKey: "large", quantity: 12, prorationBehavior: "invoice_now" };
    expect((await patch(id, larger)).body).toMatchObject({ quantity: 12, unitAmount: 3000, amount: 36_000 });
  });

  test.each<[body: object, refusal: object]>([
    [{ quantity: 0 }, fault("/quantity", "too_small")],
    [{ quantity: 1.5 }, fault("/quantity", "invalid_type")],
    [{ quantity: null }, fault("/quantity", "invalid_type")],
    [{ quantity: 51 }, notOffered(2, 50)],
    [{ productKey: "dear", quantity: 20_000 }, fault("/quantity", "too_large")],
    [{ quantity: 5, cancelAtPeriodEnd: true }, fault("/cancelAtPeriodEnd", "change_and_cancellation")],
    [{ quantity: 5, price: "catalogue" }, fault("/price", "product_missing")],
    [{ prorationBehavior: "none" }, fault("/prorationBehavior", "product_missing")],
    [{ productKey: "theirs", quantity: 3 }, fault("/productKey", "unknown_product")],
  ])("%j is refused, by the preview as well, and changes nothing", async (body, refusal) => {
    const { id } = await buy("team", 5);
    const before = await read(id);
    expect(await patch(id, body)).toMatchObject(refusal);
    expect(await app.manage("POST", `/subscriptions/${id}/preview`, body)).toMatchObject(refusal);
    expect(await read(id)).toEqual(before);
    expect(await invoices(id)).toHaveLength(1);
  });

  it("is refused if the total of fewer units is too small to be charged (rule M5a)", async () => {
    const externalId = `units-${++buyers}`;
    const { body: customer } = await app.api("POST", "/customers", { email: `${externalId}@example.com`, externalId });
    const begun = { customerId: customer.id, productKey: "company", quantity: 100, amount: 1000 };
    const { body } = await app.manage("POST", "/subscriptions", { ...begun, startedAt: customer.createdAt });
    expect(body).toMatchObject({ quantity: 100, unitAmount: 10 });
    expect(await patch(body.id, { quantity: 4 })).toMatchObject(fault("/quantity", "below_minimum"));
  });

  it("is decided as its preview says, and the repeat of a request has no second effect (rule P12)", async () => {
    const { id } = await buy("team", 5);
    const body = { quantity: 9, prorationBehavior: "next_invoice" };
    const { body: preview } = await app.manage("POST", `/subscriptions/${id}/preview`, body);
    const key = { "Idempotency-Key": newId("req") };
    const [first, second] = [await patch(id, body, key), await patch(id, body, key)];
    expect(first).toMatchObject({ status: 200, body: { quantity: 9, amount: 10_800 } });
    expect(second.body).toEqual(first.body);
    expect((await patch(id, body)).body).toEqual(first.body);
    expect((await patch(id, { ...body, quantity: 10 }, key)).body.code).toBe("idempotency_key_reused");
    const { data } = (await app.manage("GET", `/events?resourceId=${id}`)).body;
    expect(data.map(({ type }: Json) => type)).toEqual(["subscription.created", "subscription.updated"]);
    expect(preview.lines).toMatchObject([
      { quantity: 5, unitAmount: 1200 },
      { quantity: 9, unitAmount: 1200 },
    ]);
    expect(preview.nextInvoice.lines.at(-1)).toMatchObject({ quantity: 9, amount: 10_800 });
  });

  it("waits for the end of the period, and the present quantity withdraws it (rules P6, Q6c)", async () => {
    const { id } = await buy("team", 5);
    const { body } = await patch(id, { quantity: 3, prorationBehavior: "next_period" });
    expect(body).toMatchObject({ quantity: 5, pendingChange: { quantity: 3, unitAmount: 1200, amount: 3600 } });
    expect(await read(id)).toEqual(body);
    expect((await patch(id, { quantity: 5 })).body).toMatchObject({ quantity: 5, pendingChange: null });
  });

  it("of a free Subscription bills nothing and begins no period (rule Q6d)", async () => {
    const { id, currentPeriodStart } = await buy("free", 2);
    const { body } = await patch(id, { quantity: 900, prorationBehavior: "invoice_now" });
    expect(body).toMatchObject({ quantity: 900, amount: 0, currentPeriodStart });
    expect(await invoices(id)).toHaveLength(1);
  });

  it("finds no Subscription of another Organization", async () => {
    const { id } = await buy("team", 5);
    const before = await read(id);
    expect((await foreign.api("PATCH", `/subscriptions/${id}`, { quantity: 6 })).status).toBe(404);
    expect((await foreign.manage("POST", `/subscriptions/${id}/preview`, { quantity: 6 })).status).toBe(404);
    expect(await read(id)).toEqual(before);
  });
});

describe("a rise that is not paid (rules P1, C6)", () => {
  it("is 402, leaves the quantity, and is finished on its page at the shown quantity", async () => {
    const { id } = await buy("team", 5, CARDS.failsLater);
    const refused = await patch(id, { quantity: 8, prorationBehavior: "invoice_now" });
    expect(refused).toMatchObject({ status: 402, body: { code: "payment_failed" } });
    expect(await read(id)).toMatchObject({ quantity: 5, amount: 6000 });
    const { checkoutId } = refused.body;
    const { body: page } = await app.api("GET", `/checkouts/${checkoutId}`);
    expect(page).toMatchObject({ quantity: 8, unitAmount: 1200, recurringAmount: 9600 });
    expect((await pay(checkoutId)).body).toMatchObject({ status: "completed", quantity: 8 });
    expect(await read(id)).toMatchObject({ quantity: 8, amount: 9600 });
  });

  it("can be a Checkout from the start, at the catalogue's price, without a choice of quantity", async () => {
    const { id } = await buy("team", 5);
    const named = { subscriptionId: id, productKey: "company" };
    expect((await create(named)).body).toMatchObject({ quantity: 5, recurringAmount: 10_000 });
    expect(await create({ ...named, quantity: 100_001 })).toMatchObject(fault("/quantity", "too_large"));
    expect(await create({ ...named, productKey: "large" })).toMatchObject(notOffered(10, 100));
    const change = { minimum: 1, maximum: 9 };
    expect(await create({ ...named, quantityChange: change })).toMatchObject(
      fault("/quantityChange", "not_with_subscription"),
    );
    const { body: checkout } = await create({ ...named, quantity: 6 });
    expect((await pay(checkout.id)).body).toMatchObject({ status: "completed", quantity: 6 });
    expect(await read(id)).toMatchObject({ productId: product["company"].id, quantity: 6, amount: 12_000 });
    expect(await create({ ...named, quantity: 6 })).toMatchObject({
      status: 409,
      body: { code: "already_subscribed" },
    });
  });
});

describe("the defaults of a rise and of a fall (rule Q7)", () => {
  it("are the Organization's, apart from that of a Product", async () => {
    const { id } = await buy("team", 5);
    const settings = { quantityRise: "next_invoice", quantityFall: "next_period", defaultProration: "none" };
    expect((await app.manage("PATCH", "/organization", settings)).body).toMatchObject(settings);
    expect((await patch(id, { quantity: 4 })).body).toMatchObject({ quantity: 5, pendingChange: { quantity: 4 } });
    expect((await patch(id, { quantity: 6 })).body).toMatchObject({ quantity: 6, pendingChange: null });
    /** The lines of the next invoice: those that wait, and that of the period. */
    const waiting = async (quantity: number) =>
      (await app.manage("POST", `/subscriptions/${id}/preview`, { quantity })).body.nextInvoice.lines.length;
    expect(await waiting(6)).toBe(3);
    expect((await patch(id, { productKey: "company", quantity: 3 })).body).toMatchObject({ quantity: 3, amount: 6000 });
    expect(await waiting(3)).toBe(3);
    expect((await patch(id, { quantity: 9, prorationBehavior: "none" })).body).toMatchObject({ quantity: 9 });
    const defaults = { quantityRise: "invoice_now", quantityFall: "invoice_now", defaultProration: "invoice_now" };
    await app.manage("PATCH", "/organization", defaults);
  });

  it("are one of the four behaviours", async () => {
    for (const field of ["quantityRise", "quantityFall"])
      expect(await app.manage("PATCH", "/organization", { [field]: "later" })).toMatchObject({ status: 422 });
  });
});

describe("a Subscription without a Checkout (rule Q8)", () => {
  const begin = async (body: object) => {
    const externalId = `units-${++buyers}`;
    await app.api("POST", "/customers", { email: `${externalId}@example.com`, externalId });
    return app.manage("POST", "/subscriptions", { externalCustomerId: externalId, ...body });
  };

  test.each<[body: object, shown: object]>([
    [{ productKey: "team" }, { quantity: 2, unitAmount: 1200, amount: 2400 }],
    [
      { productKey: "team", quantity: 7 },
      { quantity: 7, unitAmount: 1200, amount: 8400 },
    ],
    [
      { productKey: "team", quantity: 7, amount: 7700 },
      { quantity: 7, unitAmount: 1100, amount: 7700 },
    ],
    [
      { productKey: "team", quantity: 7, amount: 0 },
      { quantity: 7, unitAmount: 0, amount: 0 },
    ],
    [{ productKey: "single" }, { quantity: 1, unitAmount: 5000, amount: 5000 }],
  ])("of %j shows %j", async (body, shown) => {
    const made = await begin(body);
    expect(made).toMatchObject({ status: 201, body: shown });
    const [{ lines }] = await invoices(made.body.id);
    expect(lines[0]).toMatchObject(shown);
  });

  test.each<[body: object, refusal: object]>([
    [{ productKey: "team", quantity: 51 }, notOffered(2, 50)],
    [{ productKey: "team", quantity: 7, amount: 7701 }, fault("/amount", "not_divisible")],
    [{ productKey: "team", quantity: 7, amount: 49 }, fault("/amount", "below_minimum")],
    [{ productKey: "dear", quantity: 100_000 }, fault("/quantity", "too_large")],
    [{ productKey: "team", quantity: 0 }, fault("/quantity", "too_small")],
  ])("%j is refused", async (body, refusal) => {
    expect(await begin(body)).toMatchObject(refusal);
  });
});
