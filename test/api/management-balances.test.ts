import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { startTestApp, type Json, type TestAnswer, type TestApp, type TestCall } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { ok } from "../support/story.ts";

let app: TestApp;
let foreign: { api: TestCall; manage: TestCall };
let count = 0;
const create = () => ok(app.api("POST", "/customers", { email: `person-${++count}@example.com` }));
const faults = ({ body }: TestAnswer) => body.errors.map((fault: Json) => `${fault.pointer} ${fault.code}`);

beforeAll(async () => {
  app = await startTestApp();
  foreign = await foreignCallersOf(app);
});
afterAll(async () => {
  expect(await audit(app.ctx.db, app.organization.id)).toEqual([]);
  await app.close();
});

describe("a balance, adjusted by hand", () => {
  const MAX = 999_999_999_999;
  const adjust = (id: string, body: object, headers: Record<string, string> = {}) =>
    app.manage("POST", `/customers/${id}/balance-adjustments`, body, headers);
  const entries = (id: string, query = "") => app.manage("GET", `/customers/${id}/balance-entries${query}`);
  const balance = async (id: string) => (await app.manage("GET", `/customers/${id}/balance`)).body.data;

  it("moves by each amount that is given or taken, with an entry for each", async () => {
    const { id } = await create();
    const given = await adjust(id, { currency: "USD", amount: 1500, reason: " For the outage\non Monday " });
    expect(given).toMatchObject({
      status: 201,
      body: { currency: "usd", amount: 1500, reason: "adjustment", note: "For the outage\non Monday", invoiceId: null },
    });
    const taken = await ok(adjust(id, { currency: "usd", amount: -2000, reason: "Given by mistake" }));
    const yen = await ok(adjust(id, { currency: "jpy", amount: 100, reason: "Welcome" }));
    expect(await balance(id)).toEqual([
      { currency: "jpy", amount: 100, held: 0, available: 100 },
      { currency: "usd", amount: -500, held: 0, available: -500 },
    ]);
    expect(given.body).toMatchObject({ source: "granted", paymentId: null, remaining: 1500 });
    expect(taken).toMatchObject({ source: null, remaining: -500 });
    // The entry that took credit away has used the lot.
    const used = { ...given.body, remaining: 0 };
    expect((await entries(id)).body).toEqual({ data: [yen, taken, used], nextCursor: null });
    expect((await entries(id, "?currency=USD&limit=1")).body).toMatchObject({
      data: [taken],
      nextCursor: expect.any(String),
    });
    const { nextCursor } = (await entries(id, "?limit=2")).body;
    expect((await entries(id, `?limit=2&cursor=${nextCursor}`)).body).toEqual({ data: [used], nextCursor: null });
  });

  it("stays within the largest amount", async () => {
    const { id } = await create();
    await ok(adjust(id, { currency: "usd", amount: MAX, reason: "All of it" }));
    const over = await adjust(id, { currency: "usd", amount: 1, reason: "One more" });
    expect([over.status, faults(over)]).toEqual([422, ["/amount balance_too_large"]]);
    await ok(adjust(id, { currency: "usd", amount: -MAX, reason: "And back" }));
    await ok(adjust(id, { currency: "usd", amount: -MAX, reason: "And below" }));
    expect((await adjust(id, { currency: "usd", amount: -1, reason: "One more" })).status).toBe(422);
    expect(await balance(id)).toEqual([{ currency: "usd", amount: -MAX, held: 0, available: -MAX }]);
  });

  test.each<[body: Json, ...faults: string[]]>([
    [{}, "/currency required", "/amount required", "/reason required"],
    [{ currency: "usd", amount: 0, reason: "x" }, "/amount zero"],
    [{ currency: "usd", amount: 1.5, reason: "x" }, "/amount invalid_type"],
    [{ currency: "usd", amount: "5", reason: "x" }, "/amount invalid_type"],
    [{ currency: "usd", amount: MAX + 1, reason: "x" }, "/amount too_large"],
    [{ currency: "usd", amount: -MAX - 1, reason: "x" }, "/amount too_small"],
    [{ currency: "xxx", amount: 1, reason: "x" }, "/currency invalid_currency"],
    [{ currency: "usd", amount: 1, reason: " " }, "/reason too_short"],
    [{ currency: "usd", amount: 1, reason: "x".repeat(1001) }, "/reason too_long"],
    [{ currency: "usd", amount: 1, reason: "x", note: "y" }, "/note unknown_field"],
  ])("refuses %j", async (body, ...expected) => {
    const { id } = await create();
    const answer = await adjust(id, body);
    expect([answer.status, faults(answer)]).toEqual([422, expected]);
    expect(await balance(id)).toEqual([]);
  });

  it("is adjusted once for one Idempotency-Key", async () => {
    const { id } = await create();
    const send = () => adjust(id, { currency: "usd", amount: 100, reason: "Once" }, { "Idempotency-Key": "adjust" });
    const [first, again] = [await send(), await send()];
    expect([again.status, again.body, again.headers.get("Idempotency-Replayed")]).toEqual([201, first.body, "true"]);
    expect(await balance(id)).toEqual([{ currency: "usd", amount: 100, held: 0, available: 100 }]);
  });

  it("is exact however many adjust it at once", async () => {
    const { id } = await create();
    const amounts = Array.from({ length: 10 }, (_, n) => (n % 2 ? -7 * n : 11 * n + 1));
    await Promise.all(amounts.map((amount) => ok(adjust(id, { currency: "usd", amount, reason: "At once" }))));
    const sum = amounts.reduce((running, amount) => running + amount, 0);
    expect(await balance(id)).toEqual([{ currency: "usd", amount: sum, held: 0, available: sum }]);
  });

  it("is 404 for a Customer that is unknown or another Organization's", async () => {
    const { id } = await create();
    const path = `/customers/${id}/balance-adjustments`;
    expect((await foreign.manage("POST", path, { currency: "usd", amount: 1, reason: "Mine" })).status).toBe(404);
    expect((await foreign.manage("GET", `/customers/${id}/balance-entries`)).status).toBe(404);
    expect((await entries(newId("cus"))).status).toBe(404);
    expect(await balance(id)).toEqual([]);
  });
});
