import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";

let app: TestApp;
let foreign: TestCall;

beforeAll(async () => {
  app = await startTestApp();
  foreign = caller(`${app.url}/manage/v1`, (await app.otherOrganization()).keys.manage);
});
afterAll(() => app.close());

let codes = 0;
const percentage = (more: object = {}) => ({
  code: `CODE-${++codes}`,
  type: "percentage",
  basisPoints: 2500,
  duration: "forever",
  ...more,
});

async function create(more: object = {}): Promise<Json> {
  const answer = await app.manage("POST", "/discounts", percentage(more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

describe("a Discount", () => {
  it("is created with its defaults, and read as it was answered", async () => {
    const created = await app.manage("POST", "/discounts", percentage({ code: " Launch-25 " }));
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^dsc_/),
      code: "Launch-25",
      type: "percentage",
      basisPoints: 2500,
      amount: null,
      currency: null,
      duration: "forever",
      months: null,
      maxRedemptions: null,
      redemptions: 0,
      startsAt: null,
      endsAt: null,
      productIds: null,
      createdAt: expect.any(String),
      updatedAt: created.body.createdAt,
    });
    const read = await app.manage("GET", `/discounts/${created.body.id}`);
    expect(read).toMatchObject({ status: 200, body: created.body });
    expect(read.headers.get("ETag")).toBe(created.headers.get("ETag"));
    const found = await app.manage("GET", "/discounts?code=launch-25");
    expect(found.body).toEqual({ data: [created.body], nextCursor: null });
  });

  test.each([
    [{ basisPoints: null }, "/basisPoints"],
    [{ basisPoints: 10_001 }, "/basisPoints"],
    [{ amount: 100 }, "/amount"],
    [{ currency: "usd" }, "/currency"],
    [{ type: "fixed", basisPoints: null, amount: 100 }, "/currency"],
    [{ type: "fixed", basisPoints: null, currency: "usd" }, "/amount"],
    [{ duration: "repeating" }, "/months"],
    [{ months: 3 }, "/months"],
    [{ code: "two words" }, "/code"],
    [{ maxRedemptions: 0 }, "/maxRedemptions"],
    [{ startsAt: "2026-02-01T00:00:00Z", endsAt: "2026-02-01T00:00:00Z" }, "/endsAt"],
    [{ productIds: [] }, "/productIds"],
    [{ productIds: ["prd_nothing"] }, "/productIds/0"],
  ])("of %j is refused at %s", async (more, pointer) => {
    const { status, body } = await app.manage("POST", "/discounts", percentage(more));
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it("has a code of its own, compared without case, until it is deleted", async () => {
    const { id, code } = await create();
    const again = await app.manage("POST", "/discounts", percentage({ code: code.toLowerCase() }));
    const taken = (given: string) => ({
      status: 409,
      body: {
        code: "code_taken",
        resourceId: id,
        detail: expect.stringContaining(`/code: This is taken: the Discount ${id} has the code "${given}".`),
        errors: [{ pointer: "/code" }],
      },
    });
    expect(again).toMatchObject(taken(code.toLowerCase()));
    const other = await create();
    const renamed = await app.manage("PATCH", `/discounts/${other.id}`, { code });
    expect(renamed).toMatchObject(taken(code));
    expect((await app.manage("DELETE", `/discounts/${id}`)).status).toBe(204);
    expect((await app.manage("PATCH", `/discounts/${other.id}`, { code })).body).toMatchObject({ id: other.id, code });
    expect((await foreign("POST", "/discounts", percentage({ code }))).status).toBe(201);
  });

  it("can change its limits, and not the amount that it takes off", async () => {
    const made = await create();
    const path = `/discounts/${made.id}`;
    const changed = await app.manage("PATCH", path, { maxRedemptions: 3, endsAt: "2030-01-01T00:00:00Z" });
    expect(changed.body).toMatchObject({ maxRedemptions: 3, endsAt: "2030-01-01T00:00:00.000Z" });
    const stale = await app.manage("PATCH", path, { maxRedemptions: 4 }, { "If-Match": '"1-0"' });
    expect([stale.status, stale.body.code]).toEqual([412, "precondition_failed"]);
    const late = await app.manage("PATCH", path, { startsAt: "2031-01-01T00:00:00Z" });
    expect([late.status, late.body.errors[0].pointer]).toEqual([422, "/endsAt"]);
    expect((await app.manage("PATCH", path, { basisPoints: 100 })).status).toBe(422);
    const same = await app.manage("PATCH", path, { maxRedemptions: 3 });
    expect(same.headers.get("ETag")).toBe(changed.headers.get("ETag"));
  });

  it("is gone once deleted, also for an open Checkout that holds it", async () => {
    const { id, code } = await create();
    await app.manage("POST", "/products", {
      key: "pro",
      name: "Pro",
      interval: "month",
      prices: [{ currency: "usd", amount: 1000 }],
    });
    const checkout = await app.api("POST", "/checkouts", {
      productKey: "pro",
      discountCode: code,
      customer: { email: "ada@example.com" },
    });
    expect(checkout.body).toMatchObject({ discountId: id, discountAmount: 250, totalAmount: 750 });
    expect((await app.manage("DELETE", `/discounts/${id}`, undefined, { "If-Match": '"7-0"' })).status).toBe(412);
    expect((await app.manage("DELETE", `/discounts/${id}`)).status).toBe(204);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { maxRedemptions: 1 } : undefined;
      expect((await app.manage(method, `/discounts/${id}`, body)).status).toBe(404);
    }
    const refused = await app.api("POST", "/checkouts", {
      productKey: "pro",
      discountCode: code,
      customer: { email: "b@example.com" },
    });
    expect(refused.body.errors).toMatchObject([{ pointer: "/discountCode", code: "unknown_discount" }]);
    const paid = await app.manage("POST", `/sandbox/checkouts/${checkout.body.id}/pay`, { card: "4242424242424242" });
    expect([paid.status, paid.body.code]).toEqual([409, "discount_exhausted"]);
  });

  it("is created once for an Idempotency-Key", async () => {
    const [body, key] = [percentage(), { "Idempotency-Key": newId("dsc") }];
    const first = await app.manage("POST", "/discounts", body, key);
    const again = await app.manage("POST", "/discounts", body, key);
    expect([again.status, again.body, again.headers.get("Idempotency-Replayed")]).toEqual([201, first.body, "true"]);
  });

  it("is another Organization's business alone", async () => {
    const { id, code } = await create();
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { maxRedemptions: 1 } : undefined;
      expect((await foreign(method, `/discounts/${id}`, body)).status).toBe(404);
    }
    expect((await foreign("GET", `/discounts?code=${code}`)).body.data).toEqual([]);
  });

  it("is listed newest first, page by page", async () => {
    const made = [await create(), await create(), await create()].map((discount) => discount.id).reverse();
    const first = await app.manage("GET", "/discounts?limit=2");
    expect(first.body.data.map((discount: Json) => discount.id)).toEqual(made.slice(0, 2));
    const second = await app.manage("GET", `/discounts?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body.data[0].id).toBe(made[2]);
  });

  it("is taken once by two buyers that want the last one at the same moment", async () => {
    const { code } = await create({ maxRedemptions: 1 });
    const checkouts = await Promise.all(
      ["one@example.com", "two@example.com"].map((email) =>
        app.api("POST", "/checkouts", { productKey: "pro", discountCode: code, customer: { email } }),
      ),
    );
    const paid = await Promise.all(
      checkouts.map(({ body }) =>
        app.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: "4242424242424242" }),
      ),
    );
    expect(paid.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await app.manage("GET", `/discounts?code=${code}`)).body.data).toMatchObject([{ redemptions: 1 }]);
  });
});
