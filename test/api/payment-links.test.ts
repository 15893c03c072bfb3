import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";

let app: TestApp;
let foreign: TestCall;
let seats: Json;
let yearly: Json;

async function made(call: TestCall, path: string, body: object): Promise<Json> {
  const answer = await call("POST", path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const month = { interval: "month", prices: [{ currency: "usd", amount: 1000 }] };

beforeAll(async () => {
  app = await startTestApp();
  foreign = caller(`${app.url}/manage/v1`, (await app.otherOrganization()).keys.manage);
  const quantity = { minimum: 2, maximum: 50 };
  seats = await made(app.manage, "/products", { ...month, key: "seats", name: "Seats", quantity });
  const year = { interval: "year", prices: [{ currency: "usd", amount: 9000 }] };
  yearly = await made(app.manage, "/products", { ...year, key: "yearly", name: "Yearly" });
});
afterAll(() => app.close());

const both = () => [{ productId: seats.id }, { productKey: "yearly" }];
const create = (more: object = {}): Promise<Json> =>
  made(app.manage, "/payment-links", { name: "Pricing page", products: both(), ...more });

describe("a payment link", () => {
  it("is created with its defaults, and read as it was answered", async () => {
    const created = await app.manage("POST", "/payment-links", { name: " Pricing page ", products: both() });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^plk_/),
      key: null,
      name: "Pricing page",
      url: expect.stringMatching(/\/buy\/[0-9a-z]{52}$/),
      tableUrl: `${created.body.url}/table`,
      active: true,
      products: [{ productId: seats.id }, { productId: yearly.id }],
      currency: null,
      quantity: null,
      quantityChange: null,
      discountCode: null,
      allowDiscountCodes: true,
      locale: null,
      successUrl: null,
      fields: null,
      visits: 0,
      checkouts: 0,
      purchases: 0,
      metadata: {},
      createdAt: expect.any(String),
      updatedAt: created.body.createdAt,
    });
    const read = await app.manage("GET", `/payment-links/${created.body.id}`);
    expect(read).toMatchObject({ status: 200, body: created.body });
    expect(read.headers.get("ETag")).toBe(created.headers.get("ETag"));
  });

  test.each([
    [{ products: [] }, "/products too_few"],
    [{ products: [{ productKey: "none" }] }, "/products/0/productKey unknown_product"],
    [{ products: [{}] }, "/products/0/productId one_product"],
    [{ products: [{ productKey: "yearly" }, { productKey: "yearly" }] }, "/products/1/productId duplicate"],
    [{ currency: "eur" }, "/currency currency_missing"],
    [{ quantity: 1 }, "/quantity quantity_not_offered"],
    [{ quantityChange: { minimum: 2, maximum: 60 } }, "/quantityChange/maximum quantity_not_offered"],
    [{ discountCode: "NONE" }, "/discountCode unknown_discount"],
    [{ successUrl: "example.com" }, "/successUrl invalid_url"],
    [{ locale: "nowhere at all" }, "/locale invalid_locale"],
    [{ fee: 1 }, "/fee unknown_field"],
  ])("of %j is refused: %s", async (more, fault) => {
    const products = [{ productKey: "seats" }];
    const { status, body } = await app.manage("POST", "/payment-links", { name: "A", products, ...more });
    expect([status, `${body.errors?.[0].pointer} ${body.errors?.[0].code}`]).toEqual([422, fault]);
  });

  it("is refused for an archived Product, a Product by id and key, and a discount of others", async () => {
    const gone = await made(app.manage, "/products", { ...month, name: "Gone" });
    await app.manage("PATCH", `/products/${gone.id}`, { archived: true });
    const code = { code: "YEAR", type: "percentage", basisPoints: 1000, duration: "once", productIds: [yearly.id] };
    await made(app.manage, "/discounts", code);
    const faultOf = async (more: object) => {
      const { body } = await app.manage("POST", "/payment-links", { name: "A", products: both(), ...more });
      return `${body.errors?.[0].pointer} ${body.errors?.[0].code}`;
    };
    expect(await faultOf({ products: [{ productId: gone.id }] })).toBe("/products/0/productId product_archived");
    const twice = [{ productKey: "seats" }, { productId: seats.id }];
    expect(await faultOf({ products: twice })).toBe("/products/1/productId duplicate");
    const other = { products: [{ productKey: "seats" }], discountCode: "YEAR" };
    expect(await faultOf(other)).toBe("/discountCode discount_not_for_product");
  });

  it("has a key of its own", async () => {
    const { id } = await create({ key: "front-page" });
    const again = await app.manage("POST", "/payment-links", { name: "B", products: both(), key: "front-page" });
    expect(again).toMatchObject({ status: 409, body: { code: "key_taken", resourceId: id } });
    const found = await app.manage("GET", "/payment-links?key=front-page");
    expect(found.body.data.map((link: Json) => link.id)).toEqual([id]);
  });

  it("is made once by a repeated request", async () => {
    const body = { name: "Once", products: both() };
    const send = () => app.manage("POST", "/payment-links", body, { "Idempotency-Key": "once" });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    const listed = await app.manage("GET", "/payment-links");
    expect(listed.body.data.filter((link: Json) => link.name === "Once")).toHaveLength(1);
  });

  it("is switched off and on, also while a Product is archived", async () => {
    const extra = await made(app.manage, "/products", { ...month, name: "Extra" });
    const { id } = await create({ products: [{ productId: extra.id }] });
    await app.manage("PATCH", `/products/${extra.id}`, { archived: true });
    const off = await app.manage("PATCH", `/payment-links/${id}`, { active: false });
    expect(off).toMatchObject({ status: 200, body: { active: false } });
    expect((await app.manage("GET", "/payment-links?active=false")).body.data).toMatchObject([{ id }]);
    const moved = await app.manage("PATCH", `/payment-links/${id}`, { products: [{ productId: extra.id }] });
    expect(moved).toMatchObject({ status: 422, body: { errors: [{ code: "product_archived" }] } });
  });

  it("is changed within the limits of its Products, and only in the version that was read", async () => {
    const link = await app.manage("POST", "/payment-links", { name: "A", products: both() });
    const match = { "If-Match": link.headers.get("ETag")! };
    const change = (body: object, headers = {}) => app.manage("PATCH", `/payment-links/${link.body.id}`, body, headers);
    expect(await change({ quantity: 51 })).toMatchObject({ status: 422, body: { errors: [{ pointer: "/quantity" }] } });
    expect(await change({ currency: "eur" })).toMatchObject({ status: 422 });
    const changed = await change({ products: [{ productKey: "seats" }], quantity: 5, metadata: { from: "ad" } }, match);
    expect(changed).toMatchObject({ status: 200, body: { quantity: 5, products: [{ productId: seats.id }] } });
    expect(await change({ name: "B" }, match)).toMatchObject({ status: 412 });
    expect((await change({ quantity: 5 })).body).toEqual(changed.body);
  });

  it("is listed newest first, by page and by Product", async () => {
    const alone = await create({ products: [{ productKey: "yearly" }] });
    const first = await app.manage("GET", "/payment-links?limit=1");
    expect(first.body.data).toMatchObject([{ id: alone.id }]);
    expect((await app.manage("GET", `/payment-links?limit=1&cursor=${first.body.nextCursor}`)).body.data).toHaveLength(
      1,
    );
    const ofSeats = await app.manage("GET", `/payment-links?productId=${seats.id}`);
    expect(ofSeats.body.data.map((link: Json) => link.id)).not.toContain(alone.id);
  });

  it("is that of its Organization alone", async () => {
    const { id } = await create();
    expect(await foreign("GET", `/payment-links/${id}`)).toMatchObject({ status: 404 });
    expect(await foreign("PATCH", `/payment-links/${id}`, { active: false })).toMatchObject({ status: 404 });
    expect((await foreign("GET", "/payment-links")).body.data).toEqual([]);
    const taken = await foreign("POST", "/payment-links", { name: "A", products: [{ productId: seats.id }] });
    expect(taken).toMatchObject({ status: 422, body: { errors: [{ code: "unknown_product" }] } });
    expect(await app.manage("GET", `/payment-links/${newId("plk")}`)).toMatchObject({ status: 404 });
    expect(await app.api("POST", "/payment-links", { name: "A", products: both() })).toMatchObject({ status: 404 });
  });
});
