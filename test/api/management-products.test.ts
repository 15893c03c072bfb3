import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";

let app: TestApp;
let foreign: TestCall;

beforeAll(async () => {
  app = await startTestApp();
  const other = await app.otherOrganization();
  foreign = caller(`${app.url}/manage/v1`, other.keys.manage);
});
afterAll(() => app.close());

const monthly = { name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 1000 }] };

async function createProduct(more: object = {}) {
  const answer = await app.manage("POST", "/products", { ...monthly, ...more });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function createFeature(more: object = {}) {
  const answer = await app.manage("POST", "/benefits", {
    type: "feature",
    key: newId("bft"),
    name: "Feature",
    ...more,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe("a Product", () => {
  it("is created with its defaults, and read as it was answered", async () => {
    const created = await app.manage("POST", "/products", { ...monthly, key: "pro" });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^prd_/),
      key: "pro",
      name: "Pro",
      description: null,
      group: "plans",
      interval: "month",
      intervalCount: 1,
      trialDays: null,
      trialCard: "required",
      quantity: { minimum: 1, maximum: 1 },
      unitName: null,
      prices: [{ currency: "usd", amount: 1000 }],
      benefitIds: [],
      archived: false,
      metadata: {},
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      updatedAt: created.body.createdAt,
    });
    const read = await app.manage("GET", `/products/${created.body.id}`);
    expect(read).toMatchObject({ status: 200, body: created.body });
    expect(read.headers.get("ETag")).toBe(created.headers.get("ETag"));
  });

  test.each([
    [{ interval: null }, { group: null, interval: null, intervalCount: null }],
    [{ group: null }, { group: null }],
    [
      { group: "seats", intervalCount: 3, trialDays: 14, trialCard: "optional" },
      { group: "seats", intervalCount: 3, trialDays: 14 },
    ],
    [{ prices: [{ currency: "JPY", amount: 0 }] }, { prices: [{ currency: "jpy", amount: 0 }] }],
  ])("made with %j shows %j", async (more, shown) => {
    expect(await createProduct(more)).toMatchObject(shown);
  });

  it("can't take a key that another has", async () => {
    const { id } = await createProduct({ key: "taken" });
    const remedy = "A key never changes: choose another key, or change that Product.";
    const says = `the Product ${id} has the key "taken". ${remedy}`;
    expect(await app.manage("POST", "/products", { ...monthly, key: "taken" })).toMatchObject({
      status: 409,
      body: {
        code: "key_taken",
        resourceId: id,
        detail: `/key: This is taken: ${says}`,
        errors: [{ in: "body", pointer: "/key", code: "taken", message: `This is taken: ${says}` }],
      },
    });
    const [own] = (await app.manage("GET", "/products?key=taken")).body.data;
    expect((await foreign("POST", "/products", { ...monthly, key: "taken" })).status).toBe(201);
    expect((await app.manage("GET", "/products?key=taken")).body.data).toEqual([own]);
  });

  it("includes only Benefits that exist here", async () => {
    const here = await createFeature();
    const there = (await foreign("POST", "/benefits", { type: "custom", name: "Note" })).body;
    const answer = await app.manage("POST", "/products", {
      ...monthly,
      benefitIds: [here.id, there.id, "bft_nonsense"],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ pointer: "/benefitIds/1" }, { pointer: "/benefitIds/2" }] },
    });
  });

  it("tells of each change once, and not of a PATCH that changes nothing", async () => {
    const feature = await createFeature();
    const product = await createProduct();
    const path = `/products/${product.id}`;
    await app.manage("PATCH", path, { benefitIds: [feature.id] });
    const archived = await app.manage("PATCH", path, { archived: true, prices: [{ currency: "usd", amount: 2000 }] });
    expect(archived.body).toMatchObject({
      archived: true,
      benefitIds: [feature.id],
      prices: [{ currency: "usd", amount: 2000 }],
    });
    const again = await app.manage("PATCH", path, { archived: true, name: " Pro " });
    expect(again.body).toEqual(archived.body);
    expect(again.headers.get("ETag")).toBe(archived.headers.get("ETag"));
    const { data } = (await app.manage("GET", `/events?resourceId=${product.id}`)).body;
    expect(data.map((event: Json) => [event.type, event.sequence])).toEqual([
      ["product.created", 1],
      ["product.updated", 2],
      ["product.updated", 3],
    ]);
    expect(data.at(-1).data).toEqual(archived.body);
  });

  it("is changed only by a request that knows its newest state", async () => {
    const product = await createProduct();
    const path = `/products/${product.id}`;
    const etag = (await app.manage("GET", path)).headers.get("ETag") as string;
    expect((await app.manage("PATCH", path, { name: "One" }, { "If-Match": etag })).status).toBe(200);
    const stale = await app.manage("PATCH", path, { name: "Two" }, { "If-Match": etag });
    expect(stale).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
    expect((await app.manage("GET", path)).body.name).toBe("One");
  });

  it("is created once for one Idempotency-Key", async () => {
    const key = { "Idempotency-Key": newId("req") };
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.manage("POST", "/products", { ...monthly, name: "Once" }, key)),
    );
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await app.manage("GET", "/products?search=once")).body.data).toHaveLength(1);
  });

  it("does not exist for another Organization", async () => {
    const product = await createProduct();
    const path = `/products/${product.id}`;
    const unknown = await foreign("GET", `/products/${newId("prd")}`);
    expect(unknown).toMatchObject({ status: 404, body: { code: "not_found" } });
    for (const answer of [await foreign("GET", path), await foreign("PATCH", path, { name: "Mine" })]) {
      expect({ ...answer.body, requestId: null }).toEqual({ ...unknown.body, requestId: null });
    }
    expect((await app.manage("GET", path)).body).toEqual(product);
  });
});

describe("the quantity of a Product (rules Q1, Q2)", () => {
  const SEATS = { en: { one: "seat", other: "seats" }, de: { one: "Platz", other: "Plätze" } };

  test.each([
    [{ quantity: { minimum: 2, maximum: 50 } }, { quantity: { minimum: 2, maximum: 50 } }],
    [{ quantity: { minimum: 3, maximum: null } }, { quantity: { minimum: 3, maximum: 100_000 } }],
    [{ quantity: {} }, { quantity: { minimum: 1, maximum: 100_000 } }],
    [
      { quantity: { maximum: 1 }, interval: null },
      { quantity: { minimum: 1, maximum: 1 }, interval: null },
    ],
    [{ unitName: SEATS }, { unitName: SEATS }],
    [{ unitName: { ja: { one: " 席 ", other: "席" } } }, { unitName: { ja: { one: "席", other: "席" } } }],
    [{ unitName: null }, { unitName: null }],
  ])("made with %j shows %j", async (more, shown) => {
    const product = await createProduct(more);
    expect(product).toMatchObject(shown);
    expect((await app.manage("GET", `/products/${product.id}`)).body).toEqual(product);
  });

  test.each([
    [{ quantity: { minimum: 0 } }, "/quantity/minimum", "too_small"],
    [{ quantity: { minimum: 1.5 } }, "/quantity/minimum", "invalid_type"],
    [{ quantity: { maximum: 100_001 } }, "/quantity/maximum", "too_large"],
    [{ quantity: { minimum: 5, maximum: 4 } }, "/quantity/maximum", "below_minimum"],
    [{ quantity: { most: 4 } }, "/quantity/most", "unknown_field"],
    [{ quantity: 4 }, "/quantity", "invalid_type"],
    [{ quantity: null }, "/quantity", "invalid_type"],
    [{ unitName: {} }, "/unitName", "nothing_to_say"],
    [{ unitName: "seat" }, "/unitName", "invalid_type"],
    [{ unitName: { en: { one: "seat" } } }, "/unitName/en/other", "required"],
    [{ unitName: { en: { one: "seat", other: " " } } }, "/unitName/en/other", "too_short"],
    [{ unitName: { ...SEATS, it: { one: "posto", other: "posti" } } }, "/unitName/it", "unknown_field"],
  ])("%j is refused at %s", async (more, pointer, code) => {
    const product = await createProduct();
    const refusal = { status: 422, body: { code: "validation_failed", errors: [{ in: "body", pointer, code }] } };
    expect(await app.manage("POST", "/products", { ...monthly, ...more })).toMatchObject(refusal);
    expect(await app.manage("PATCH", `/products/${product.id}`, more)).toMatchObject(refusal);
    expect((await app.manage("GET", `/products/${product.id}`)).body).toEqual(product);
  });

  it("is replaced by a PATCH, with one event, and other edits keep it", async () => {
    const product = await createProduct({ quantity: { minimum: 2, maximum: 9 }, unitName: SEATS });
    const path = `/products/${product.id}`;
    const { body } = await app.manage("PATCH", path, { quantity: { minimum: 4 }, unitName: null });
    expect(body).toMatchObject({ quantity: { minimum: 4, maximum: 100_000 }, unitName: null });
    const { data } = (await app.manage("GET", `/events?resourceId=${product.id}`)).body;
    expect(data.map((event: Json) => [event.type, event.data.quantity])).toEqual([
      ["product.created", { minimum: 2, maximum: 9 }],
      ["product.updated", { minimum: 4, maximum: 100_000 }],
    ]);
    expect((await app.manage("PATCH", path, { name: "Team" })).body).toMatchObject({ quantity: body.quantity });
  });
});

describe("the list of Products", () => {
  it("filters by text, by Benefit and by archived", async () => {
    const feature = await createFeature();
    const [gold] = [
      await createProduct({ name: "Gold ÄÖ", benefitIds: [feature.id] }),
      await createProduct({ name: "Silver" }),
    ];
    const ids = async (query: string) =>
      (await app.manage("GET", `/products?${query}`)).body.data.map((product: Json) => product.id);
    expect(await ids("search=gold%20%C3%A4")).toEqual([gold.id]);
    expect(await ids("search=%25")).toEqual([]);
    expect(await ids(`benefitId=${feature.id}`)).toEqual([gold.id]);
    await app.manage("PATCH", `/products/${gold.id}`, { archived: true });
    expect(await ids("archived=true&search=gold")).toEqual([gold.id]);
    expect(await ids("archived=false&search=gold")).toEqual([]);
  });
});
