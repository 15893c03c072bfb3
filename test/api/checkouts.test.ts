import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, startTestApp, type Json, type TestAnswer, type TestApp, type TestCall } from "../support/app.ts";
import { foreignCallersOf, testOperation } from "../support/operations.ts";
import { CARDS } from "../support/story.ts";

let app: TestApp;
let foreign: { api: TestCall; manage: TestCall };
let checkout: Json;
const product: Record<string, Json> = {};
const create = (body: object, headers: Record<string, string> = {}) => app.api("POST", "/checkouts", body, headers);
const pay = (id: string, body: object = { card: CARDS.pays }) =>
  app.manage("POST", `/sandbox/checkouts/${id}/pay`, body);
const total = async (list: string) => (await app.manage("GET", `/${list}?limit=100`)).body.data.length;

beforeAll(async () => {
  app = await startTestApp();
  foreign = await foreignCallersOf(app);
  const usd = [{ currency: "usd", amount: 2900 }];
  const several = [...usd, { currency: "eur", amount: 2500 }];
  const products = {
    pro: { prices: usd },
    trial: { prices: usd, trialDays: 14, group: "trials" },
    book: { prices: several, interval: null },
    foreign: { prices: several.slice(1), group: "foreign" },
    both: {
      prices: [
        { currency: "eur", amount: 2500 },
        { currency: "jpy", amount: 4000 },
      ],
      group: "both",
    },
    gone: { prices: usd },
    free: { prices: [{ currency: "usd", amount: 0 }], group: "free" },
  };
  for (const [key, fields] of Object.entries(products)) {
    product[key] = (await app.manage("POST", "/products", { key, name: key, interval: "month", ...fields })).body;
  }
  await app.manage("PATCH", `/products/${product["gone"].id}`, { archived: true });
  await foreign.manage("POST", "/products", { key: "theirs", name: "Theirs", prices: usd });
  await app.api("POST", "/customers", { email: "ada@example.com", externalId: "ada" });
  checkout = (await create({ productKey: "pro" })).body;
});
afterAll(() => app.close());

testOperation(() => app, {
  method: "POST",
  path: () => "/checkouts",
  body: () => ({ productKey: "pro" }),
  allow: "POST, OPTIONS",
});
testOperation(() => app, { method: "GET", path: () => `/checkouts/${checkout.id}`, allow: "GET, HEAD, OPTIONS" });

describe("a Checkout", () => {
  it("has every field, and reads as it was answered", async () => {
    const body = {
      productId: product["pro"].id,
      externalCustomerId: "ada",
      successUrl: "https://shop.example/thanks?checkout={CHECKOUT_ID}",
      cancelUrl: "http://localhost:8080/",
      expiresInMinutes: 5,
      metadata: { order: 7 },
    };
    const created = await create(body);
    expect(created.status).toBe(201);
    const { id, createdAt, customerId } = created.body;
    expect(created.body).toEqual({
      id: expect.stringMatching(/^chk_/),
      status: "open",
      url: expect.stringMatching(new RegExp(`^${app.url}/checkout/${id}/[\\w-]{40,}$`)),
      productId: product["pro"].id,
      customerId: expect.stringMatching(/^cus_/),
      externalCustomerId: "ada",
      subscriptionId: null,
      invoiceId: null,
      currency: "usd",
      quantity: 1,
      quantityChange: null,
      fields: null,
      fieldValues: null,
      unitAmount: 2900,
      unitName: null,
      subtotalAmount: 2900,
      discountAmount: 0,
      taxAmount: 0,
      totalAmount: 2900,
      balanceApplied: 0,
      amountDue: 2900,
      recurringAmount: 2900,
      interval: "month",
      intervalCount: 1,
      trialDays: null,
      discountId: null,
      allowDiscountCodes: true,
      paymentLinkId: null,
      successUrl: body.successUrl,
      cancelUrl: body.cancelUrl,
      lastPaymentError: null,
      locale: null,
      expiresAt: new Date(Date.parse(createdAt) + 300_000).toISOString(),
      completedAt: null,
      metadata: { order: 7 },
      createdAt,
      updatedAt: createdAt,
    });
    const read = await app.api("GET", `/checkouts/${id}`);
    expect([read.body, read.headers.get("ETag")]).toEqual([created.body, created.headers.get("ETag")]);
    const { data } = (await app.manage("GET", `/events?resourceId=${id}`)).body;
    expect(data).toMatchObject([{ type: "checkout.created", data: { ...created.body, customerId } }]);
    const unchanged = await app.api("GET", `/checkouts/${id}`, undefined, {
      "If-None-Match": read.headers.get("ETag")!,
    });
    expect([unchanged.status, unchanged.body]).toEqual([304, ""]);
  });

  it("expires after a day by default, and after a week at most", async () => {
    const minutes = ({ createdAt, expiresAt }: Json) => (Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000;
    expect(minutes((await create({ productKey: "pro" })).body)).toBe(1440);
    expect(minutes((await create({ productKey: "pro", expiresInMinutes: 10_080 })).body)).toBe(10_080);
  });

  test.each<[body: object, shown: object]>([
    [{ productKey: "trial" }, { trialDays: 14, subtotalAmount: 0, totalAmount: 0, recurringAmount: 2900 }],
    [{ productKey: "book" }, { interval: null, intervalCount: null, recurringAmount: null, totalAmount: 2900 }],
    [{ productKey: "free" }, { totalAmount: 0, recurringAmount: 0 }],
    [{ productKey: "pro" }, { customerId: null, externalCustomerId: null }],
    [
      { productKey: "book", currency: " EUR " },
      { currency: "eur", totalAmount: 2500 },
    ],
    [{ productKey: "book" }, { currency: "usd" }], // the Organization's
    [{ productKey: "foreign" }, { currency: "eur" }], // the only one
    [
      { productKey: "both", currency: "jpy" },
      { currency: "jpy", totalAmount: 4000, recurringAmount: 4000 },
    ],
  ])("made with %j shows %j", async (body, shown) => {
    expect(await create(body)).toMatchObject({ status: 201, body: shown });
  });

  test.each<[fault: string, body: () => object, ...more: string[]]>([
    ["/productId one_product", () => ({})],
    ["/productId one_product", () => ({ productId: product["pro"].id, productKey: "pro" })],
    ["/productId unknown_product", () => ({ productId: newId("prd") })],
    ["/productId unknown_product", () => ({ productId: "nonsense" })],
    ["/productId unknown_product", () => ({ productId: checkout.id })],
    ["/productKey unknown_product", () => ({ productKey: "nothing" })],
    ["/productKey unknown_product", () => ({ productKey: "theirs" })],
    ["/productKey invalid_format", () => ({ productKey: "Pro" })],
    ["/productKey product_archived", () => ({ productKey: "gone" })],
    ["/productId product_archived", () => ({ productId: product["gone"].id })],
    ["/currency currency_missing", () => ({ productKey: "pro", currency: "eur" })],
    ["/currency currency_required", () => ({ productKey: "both" })],
    ["/currency invalid_currency", () => ({ productKey: "pro", currency: "xxx" })],
    ["/customerId unknown_customer", () => ({ productKey: "pro", customerId: newId("cus") })],
    ["/customerId unknown_customer", () => ({ productKey: "pro", customerId: "nonsense" })],
    ["/externalCustomerId unknown_customer", () => ({ productKey: "pro", externalCustomerId: "nobody" })],
    ["/externalCustomerId unknown_customer", () => ({ productKey: "pro", externalCustomerId: "ADA" })],
    ["/customerId one_customer", () => ({ productKey: "pro", externalCustomerId: "ada", customerId: newId("cus") })],
    [
      "/customerId one_customer",
      () => ({ productKey: "pro", externalCustomerId: "ada", customer: { email: "a@example.com" } }),
    ],
    ["/customer/email required", () => ({ productKey: "pro", customer: {} })],
    [
      "/customer/colour unknown_field",
      () => ({ productKey: "pro", customer: { email: "a@example.com", colour: "red" } }),
    ],
    [
      "/customer/taxId billing_country_missing",
      () => ({ productKey: "pro", customer: { email: "a@example.com", taxId: { type: "x", value: "y" } } }),
    ],
    ["/successUrl invalid_url", () => ({ productKey: "pro", successUrl: "ftp://example.com/" })],
    ["/successUrl invalid_url", () => ({ productKey: "pro", successUrl: "javascript:alert(1)" })],
    ["/cancelUrl invalid_url", () => ({ productKey: "pro", cancelUrl: "/back" })],
    ["/cancelUrl too_long", () => ({ productKey: "pro", cancelUrl: `https://example.com/${"x".repeat(2048)}` })],
    ["/expiresInMinutes too_small", () => ({ productKey: "pro", expiresInMinutes: 4 })],
    ["/expiresInMinutes too_large", () => ({ productKey: "pro", expiresInMinutes: 10_081 })],
    ["/expiresInMinutes invalid_type", () => ({ productKey: "pro", expiresInMinutes: 7.5 })],
    ["/metadata/a invalid_type", () => ({ productKey: "pro", metadata: { a: [] } })],
    [
      "/colour unknown_field",
      () => ({ productKey: "pro", colour: "red", customer: { email: "x" } }),
      "/customer/email invalid_email",
    ],
  ])("422: %s", async (fault, body, ...more) => {
    const { status, body: answer } = await create(body());
    expect([status, answer.code]).toEqual([422, "validation_failed"]);
    expect(answer.errors.map((each: Json) => `${each.pointer} ${each.code}`).sort()).toEqual([fault, ...more].sort());
  });

  const notFound = ({ status, body }: TestAnswer) => [status, body.code, body.detail];

  it("is not found by an unknown id or another Organization's, both alike", async () => {
    const detail = "The checkoutId in the path is unknown in the Organization of the API key.";
    for (const answer of [
      await foreign.api("GET", `/checkouts/${checkout.id}`),
      await app.api("GET", `/checkouts/${newId("chk")}`),
    ])
      expect(notFound(answer)).toEqual([404, "not_found", detail]);
  });

  it("is not found by a malformed id", async () => {
    const detail = "The checkoutId in the path must be an id that begins with `chk_`.";
    for (const id of ["nonsense", newId("sub"), checkout.id.toUpperCase(), `${checkout.id}x`])
      expect(notFound(await app.api("GET", `/checkouts/${id}`))).toEqual([404, "not_found", detail]);
  });

  it("gives its metadata to the Subscription and the invoice", async () => {
    const metadata = { order: 7, note: "gift" };
    const { id } = (await create({ productKey: "pro", customer: { email: "meta@example.com" }, metadata })).body;
    const paid = (await pay(id)).body;
    expect((await app.api("GET", `/subscriptions/${paid.subscriptionId}`)).body).toMatchObject({
      metadata,
      checkoutId: id,
    });
    expect((await app.manage("GET", `/invoices/${paid.invoiceId}`)).body).toMatchObject({ metadata, checkoutId: id });
  });

  it("keeps the price and name it was made with, and is paid at them (rule C3)", async () => {
    const { id } = (
      await app.manage("POST", "/products", { key: "once", name: "Once", prices: [{ currency: "usd", amount: 1000 }] })
    ).body;
    const early = (await create({ productKey: "once", customer: { email: "early@example.com" } })).body;
    await app.manage("PATCH", `/products/${id}`, { name: "Twice", prices: [{ currency: "usd", amount: 2000 }] });
    expect((await app.api("GET", `/checkouts/${early.id}`)).body).toEqual(early);
    expect((await create({ productKey: "once" })).body.totalAmount).toBe(2000);
    const paid = (await pay(early.id)).body;
    const invoice = (await app.manage("GET", `/invoices/${paid.invoiceId}`)).body;
    expect(invoice).toMatchObject({ totalAmount: 1000, lines: [{ description: "Once", amount: 1000 }] });
    const late = (await create({ productKey: "once" })).body;
    await app.manage("PATCH", `/products/${id}`, { archived: true });
    expect(await pay(late.id, { card: CARDS.pays, email: "late@example.com" })).toMatchObject({
      status: 409,
      body: { code: "already_archived" },
    });
  });
});

describe("both or neither", () => {
  it("a refused Checkout makes no Customer", async () => {
    const before = [await total("customers"), await total("checkouts"), await total("events")];
    const customer = { email: "nobody@example.com", externalId: "nobody" };
    for (const body of [
      { productKey: "gone" },
      { productKey: "pro", currency: "eur" },
      { productKey: "pro", expiresInMinutes: 1 },
    ]) {
      expect((await create({ ...body, customer })).status).toBe(422);
    }
    expect([await total("customers"), await total("checkouts"), await total("events")]).toEqual(before);
  });

  it("nor does it give one an externalId", async () => {
    const { body: bob } = await app.api("POST", "/customers", { email: "bob@example.com" });
    const { body: first } = await create({ productKey: "pro", customerId: bob.id });
    const { subscriptionId } = (await pay(first.id)).body;
    const refused = await create({ productKey: "pro", customer: { email: "bob@example.com", externalId: "bob" } });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "already_subscribed",
        subscriptionId,
        checkoutId: null,
        url: null,
        detail: expect.stringContaining(`The e-mail address belongs to the Customer ${bob.id}`),
        errors: [{ in: "body", pointer: "/customer/email", code: "found_by_email" }],
      },
    });
    expect((await app.manage("GET", `/customers/${bob.id}`)).body).toEqual(bob);
    const named = await create({ productKey: "pro", customerId: bob.id });
    expect(named).toMatchObject({ status: 409, body: { code: "already_subscribed" } });
    expect(named.body).not.toHaveProperty("errors");
  });

  it("two that name the same new Customer at once make one", async () => {
    const customer = { email: "race@example.com", externalId: "race" };
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ productKey: "pro", customer })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.customerId}`)).size).toBe(1);
  });
});

describe("a buyer that types an e-mail address", () => {
  it("buys for its Customer, but their card replaces no other", async () => {
    const customer = { email: "Owner@example.com", externalId: "owner", name: "Owner" };
    const own = (await create({ productKey: "pro", customer })).body;
    await pay(own.id);
    const typed = (await create({ productKey: "trial" })).body;
    const paid = await pay(typed.id, { card: CARDS.failsLater, email: " owner@EXAMPLE.com", name: "Somebody else" });
    expect(paid.body).toMatchObject({ status: "completed", customerId: own.customerId, externalCustomerId: "owner" });
    expect((await app.manage("GET", `/customers/${own.customerId}`)).body).toMatchObject({
      email: "Owner@example.com",
      name: "Owner",
    });
    const book = (await create({ productKey: "book" })).body;
    await pay(book.id, { card: CARDS.failsLater, email: "owner@example.com" });
    await app.manage("POST", "/products", {
      key: "max",
      name: "Max",
      interval: "month",
      prices: [{ currency: "usd", amount: 90_000 }],
    });
    const { subscriptionId } = (await app.api("GET", `/checkouts/${own.id}`)).body;
    expect((await app.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey: "max" })).status).toBe(200);
    const [payment] = (await app.manage("GET", `/payments?subscriptionId=${subscriptionId}&trigger=product_change`))
      .body.data;
    expect(payment.method.last4).toBe("4242");
  });

  it("is made a Customer when they pay, not before", async () => {
    const { id } = (await create({ productKey: "book" })).body;
    const before = await total("customers");
    expect(await pay(id)).toMatchObject({ status: 422, body: { errors: [{ pointer: "/email", code: "required" }] } });
    expect(await pay(id, { card: "4000000000000000", email: "typed@example.com" })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/card" }] },
    });
    expect(await total("customers")).toBe(before);
    const paid = await pay(id, { card: CARDS.pays, email: "typed@example.com", name: "Typed" });
    expect((await app.manage("GET", `/customers/${paid.body.customerId}`)).body).toMatchObject({
      email: "typed@example.com",
      name: "Typed",
    });
  });
});

describe("an Organization that takes no payments yet", () => {
  it("can sell a free Product", async () => {
    const { keys } = await app.otherOrganization({ mode: "live" });
    const [api, manage] = [caller(`${app.url}/public/v2`, keys.public), caller(`${app.url}/manage/v1`, keys.manage)];
    for (const [key, amount] of [
      ["free", 0],
      ["paid", 1000],
    ]) {
      await manage("POST", "/products", { key, name: key, prices: [{ currency: "usd", amount }] });
    }
    expect((await api("POST", "/checkouts", { productKey: "free" })).status).toBe(201);
    const refused = await api("POST", "/checkouts", { productKey: "paid", customer: { email: "a@example.com" } });
    expect(refused).toMatchObject({ status: 409, body: { code: "payment_provider_missing" } });
    expect((await manage("GET", "/customers")).body.data).toEqual([]);
  });
});

describe("an Idempotency-Key", () => {
  it("makes one Checkout and one Customer, and shows the same page", async () => {
    const body = { productKey: "pro", customer: { email: "once@example.com" } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(body, { "Idempotency-Key": "once" })));
    expect(
      new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body, answer.headers.get("ETag")]))).size,
    ).toBe(1);
    expect((await app.manage("GET", `/checkouts?customerId=${answers[0]!.body.customerId}`)).body.data).toHaveLength(1);
  });

  it("replays the first answer, also once the Checkout is paid", async () => {
    const body = { productKey: "pro", customer: { email: "later@example.com" } };
    const first = await create(body, { "Idempotency-Key": "then" });
    await pay(first.body.id);
    const again = await create(body, { "Idempotency-Key": "then" });
    expect([again.status, JSON.stringify(again.body)]).toEqual([201, JSON.stringify(first.body)]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await create(body)).toMatchObject({ status: 409, body: { code: "already_subscribed" } });
  });

  it("is not stuck by a refusal", async () => {
    const headers = { "Idempotency-Key": "refused" };
    expect((await create({ productKey: "gone" }, headers)).status).toBe(422);
    expect((await create({ productKey: "pro", customer: { email: "later@example.com" } }, headers)).status).toBe(409);
    expect((await create({ productKey: "pro" }, headers)).status).toBe(201);
  });
});
