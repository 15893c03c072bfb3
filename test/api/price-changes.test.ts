import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** The operations on `/manage/v1/products/{id}/price-changes`, `/price-changes` and `/products/{id}/prices`. */
let story: Story;
let productId: string;

const NOTICE = { consent: "notice" };
const STEPS = ["pause", "resume", "stop", "withdraw"] as const;
const manage = (method: "GET" | "PATCH" | "POST", path: string, body?: object, headers: Record<string, string> = {}) =>
  story.app.manage(method, path, body, headers);
const ok = (method: "GET" | "PATCH" | "POST", path: string, body?: object): Promise<Json> =>
  story.ok(manage(method, path, body));
const create = (body: object = NOTICE, headers: Record<string, string> = {}, id = productId) =>
  manage("POST", `/products/${id}/price-changes`, body, headers);
const control = (id: string, step: (typeof STEPS)[number], headers: Record<string, string> = {}) =>
  manage("POST", `/price-changes/${id}/${step}`, undefined, headers);
const raise = (amount: number, more: object[] = []) =>
  ok("PATCH", `/products/${productId}`, { prices: [{ currency: "usd", amount }, ...more] });
const EUR = { currency: "eur", amount: 2500 };

beforeAll(async () => {
  story = await startStory({ clock: "2026-01-10T09:00:00Z" });
  const prices = [{ currency: "usd", amount: 3000 }, EUR];
  ({ id: productId } = await story.plan("pro", 3000, { prices, quantity: { maximum: 10 } }));
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const buyer = (name: string) => ({ email: `${name}@example.com`, externalId: name });
const buy = (name: string, more: object = {}): Promise<Json> =>
  story.buy({ productKey: "pro", currency: "usd", customer: buyer(name), ...more }, CARDS.pays);

describe("a request for a price change", () => {
  test.each<[name: string, body: unknown, pointer: string, code: string]>([
    ["no consent", {}, "/consent", "invalid_value"],
    ["an unknown consent", { consent: "silence" }, "/consent", "invalid_value"],
    ["an unknown field", { ...NOTICE, price: 1 }, "/price", "unknown_field"],
    ["fewer than no days", { ...NOTICE, noticeDays: -1 }, "/noticeDays", "too_small"],
    ["more than 120 days", { ...NOTICE, noticeDays: 121 }, "/noticeDays", "too_large"],
    ["half a day", { ...NOTICE, noticeDays: 0.5 }, "/noticeDays", "invalid_type"],
    ["no currency in the list", { ...NOTICE, currencies: [] }, "/currencies", "too_few"],
    ["a currency twice", { ...NOTICE, currencies: ["usd", "usd"] }, "/currencies/1", "duplicate"],
    ["no currency of the world", { ...NOTICE, currencies: ["usd", "xxx"] }, "/currencies/1", "invalid_currency"],
    ["a currency without a price", { ...NOTICE, currencies: ["usd", "gbp"] }, "/currencies/1", "currency_missing"],
    ["a limit of the price without a currency", { ...NOTICE, only: { priceBelow: 5 } }, "/currencies", "one_currency"],
    [
      "a limit of the price for two currencies",
      { ...NOTICE, currencies: ["usd", "eur"], only: { priceBelow: 5 } },
      "/currencies",
      "one_currency",
    ],
    ["no instant", { ...NOTICE, only: { subscribedBefore: "lately" } }, "/only/subscribedBefore", "invalid_time"],
  ])("is 422 with %s, and so is its preview", async (_, body, pointer, code) => {
    for (const path of ["", "/preview"]) {
      const answer = await manage("POST", `/products/${productId}/price-changes${path}`, body as object);
      expect(answer.status).toBe(422);
      expect(answer.body.errors.map((each: Json) => [each.pointer, each.code])).toEqual([[pointer, code]]);
    }
  });

  test("is 422 for a Product that is archived or sold once", async () => {
    const { id: once } = await story.plan("book", 500, { interval: null });
    const { id: archived } = await story.plan("old", 500);
    await ok("PATCH", `/products/${archived}`, { archived: true });
    for (const [id, code] of [
      [once, "not_recurring"],
      [archived, "archived"],
    ]) {
      const answer = await create(NOTICE, {}, id);
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toMatchObject([{ pointer: "", code: expect.stringContaining(code) }]);
    }
  });

  test("is 404 for a Product or a price change that does not exist, and each read, too", async () => {
    const [prd, pch] = [newId("prd"), newId("pch")];
    const answers = await Promise.all([
      create(NOTICE, {}, prd),
      manage("POST", `/products/${prd}/price-changes/preview`, NOTICE),
      manage("GET", `/products/${prd}/price-changes`),
      manage("GET", `/products/${prd}/prices`),
      manage("GET", `/price-changes/${pch}`),
      manage("GET", `/price-changes/${pch}/subscriptions`),
      ...STEPS.map((step) => control(pch, step)),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("is 403 for a key of the public API", async () => {
    const headers = { Authorization: `Bearer ${story.app.keys.public}` };
    expect(await create(NOTICE, headers)).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
  });
});

describe("a price change", () => {
  let subs: Json[];
  let round: Json;

  beforeAll(async () => {
    subs = [];
    for (const name of ["ada", "ben", "eve"]) subs.push(await buy(name));
    await story.travel("2026-01-20");
    for (const name of ["pauses", "changes", "ends"]) subs.push(await buy(name));
    subs.push(await buy("units", { quantity: 4 }), await buy("euro", { currency: "eur" }));
    await story.plan("team", 6000);
    const [pauses, changes, ends] = subs.slice(3).map(({ id }) => id as string);
    await ok("POST", `/subscriptions/${pauses}/pause`, { access: "keep" });
    await story.change(changes!, { productKey: "team", prorationBehavior: "next_period" });
    await story.change(ends!, { cancelAtPeriodEnd: true });
    const { id: customerId } = await story.ok(story.app.api("POST", "/customers", buyer("gift")));
    const gift = { customerId, productKey: "pro", currency: "usd", amount: 0, startedAt: "2025-12-01T09:00:00Z" };
    subs.push(await ok("POST", "/subscriptions", gift));
    await raise(3600, [EUR]);
    await story.news();
  });

  it("is previewed by its own decisions", async () => {
    const preview = await ok("POST", `/products/${productId}/price-changes/preview`, NOTICE);
    const [, , , pauses, changes, ends, units, , gift] = subs.map(({ id }) => id as string);
    expect(preview).toMatchObject({
      prices: [{ currency: "usd", amount: 3600 }, EUR],
      currencies: [{ currency: "usd", unitAmount: 3600, subscriptions: 4, mrrBefore: 21_000, mrrAfter: 25_200 }],
      leftOut: [
        { reason: "own_price", subscriptions: 1, examples: [gift] },
        { reason: "cancellation_scheduled", subscriptions: 1, examples: [ends] },
        { reason: "paused", subscriptions: 1, examples: [pauses] },
        { reason: "change_pending", subscriptions: 1, examples: [changes] },
      ],
    });
    expect(preview["examples"]).toHaveLength(4);
    expect(preview["examples"].at(-1)).toMatchObject({
      subscriptionId: units,
      quantity: 4,
      unitAmountBefore: 3000,
      amountBefore: 12_000,
      unitAmount: 3600,
      amount: 14_400,
      effectiveAt: "2026-02-20T09:00:00.000Z",
    });
    const only = { subscribedBefore: "2026-01-15T00:00:00Z", priceBelow: 3001 };
    const few = await ok("POST", `/products/${productId}/price-changes/preview`, {
      ...NOTICE,
      only,
      currencies: ["usd"],
    });
    expect(few).toMatchObject({ currencies: [{ subscriptions: 3 }], leftOut: [{ reason: "own_price" }] });
    expect(await story.news()).toEqual([]);
  });

  it("is made once with an Idempotency-Key, and has every field", async () => {
    const headers = { "Idempotency-Key": "rise" };
    const body = { ...NOTICE, currencies: ["usd"], noticeDays: 40 };
    const answers = [await create(body, headers), await create(body, headers)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]!.headers.get("Idempotency-Replayed")).toBe("true");
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    round = answers[0]!.body;
    expect(round).toEqual({
      id: expect.stringMatching(/^pch_/),
      productId,
      status: "running",
      prices: [{ currency: "usd", amount: 3600 }],
      only: { subscribedBefore: null, priceBelow: null },
      noticeDays: 40,
      consent: "notice",
      progress: {
        found: 8,
        scheduled: 0,
        applied: 0,
        withdrawn: 0,
        endedWithoutConsent: 0,
        ended: 0,
        leftOut: [],
      },
      createdAt: "2026-01-20T09:00:00.000Z",
      updatedAt: "2026-01-20T09:00:00.000Z",
    });
    expect(await create({ ...NOTICE, noticeDays: 1 }, headers)).toMatchObject({ status: 422 });
  });

  it("is 409 beside an unfinished one, which the answer names", async () => {
    expect(await create()).toMatchObject({
      status: 409,
      body: { code: "price_change_unfinished", priceChangeId: round["id"] },
    });
  });

  it("is paused and resumed, and a repeat is the same", async () => {
    const etag = (await manage("GET", `/price-changes/${round["id"]}`)).headers.get("ETag")!;
    for (const step of STEPS)
      expect(await control(round["id"], step, { "If-Match": '"old"' })).toMatchObject({ status: 412 });
    const paused = await control(round["id"], "pause", { "If-Match": etag });
    expect(paused).toMatchObject({ status: 200, body: { status: "paused" } });
    expect((await control(round["id"], "pause")).body).toEqual(paused.body);
    await story.settle();
    expect(await story.news()).toEqual([]);
    expect(await create()).toMatchObject({ status: 409, body: { code: "price_change_unfinished" } });
    expect((await control(round["id"], "resume")).body).toMatchObject({ status: "running" });
    expect((await control(round["id"], "resume")).body).toMatchObject({ status: "running" });
  });

  it("gives each notice once, and lists the others with their reasons", async () => {
    await story.settle();
    await story.settle();
    expect(await story.news()).toEqual(Array(4).fill("subscription.price_change_scheduled"));
    expect(await ok("GET", `/price-changes/${round["id"]}`)).toMatchObject({
      status: "completed",
      progress: {
        found: 8,
        scheduled: 4,
        leftOut: [
          { reason: "own_price", subscriptions: 1 },
          { reason: "cancellation_scheduled", subscriptions: 1 },
          { reason: "paused", subscriptions: 1 },
          { reason: "change_pending", subscriptions: 1 },
        ],
      },
    });
    const path = `/price-changes/${round["id"]}/subscriptions`;
    const whole = await ok("GET", path);
    expect(whole["data"].map((each: Json) => each.subscriptionId)).toEqual(
      [...subs.slice(0, 7), subs[8]!].map(({ id }) => id),
    );
    const pages: Json[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Json = await ok("GET", `${path}?limit=3${cursor && `&cursor=${cursor}`}`);
      pages.push(...page["data"]);
      cursor = page["nextCursor"];
    }
    expect(pages).toEqual(whole["data"]);
    const left = await ok("GET", `${path}?status=left_out`);
    expect(left["data"].map((each: Json) => [each.reason, each.effectiveAt])).toEqual([
      ["paused", null],
      ["change_pending", null],
      ["cancellation_scheduled", null],
      ["own_price", null],
    ]);
    expect(await manage("GET", `${path}?status=moved`)).toMatchObject({ status: 422 });
  });

  it("is listed beside the others of its Product, newest first", async () => {
    const { body: second } = await create({ ...NOTICE, currencies: ["eur"] });
    await story.settle();
    const { data } = await ok("GET", `/products/${productId}/price-changes`);
    expect(data.map((each: Json) => [each.id, each.status, each.progress.scheduled])).toEqual([
      [second.id, "completed", 0],
      [round["id"], "completed", 4],
    ]);
    const page = await ok("GET", `/products/${productId}/price-changes?limit=1`);
    expect(page).toMatchObject({ data: [{ id: second.id }], nextCursor: second.id });
  });

  it("is 409 to pause, resume or stop after its end, and can be withdrawn", async () => {
    for (const step of ["pause", "resume", "stop"] as const)
      expect(await control(round["id"], step)).toMatchObject({ status: 409, body: { code: "price_change_ended" } });
    await raise(3700, [EUR]);
    const { body: next } = await create();
    expect(await control(round["id"], "withdraw")).toMatchObject({
      status: 409,
      body: { code: "price_change_unfinished", priceChangeId: next.id },
    });
    expect((await control(next.id, "stop")).body).toMatchObject({ status: "stopped" });
    expect((await control(next.id, "stop")).body).toMatchObject({ status: "stopped" });
    await story.settle();
    await story.news();
    const headers = { "Idempotency-Key": "back" };
    const answers = [await control(round["id"], "withdraw", headers), await control(round["id"], "withdraw", headers)];
    expect(answers[0]).toMatchObject({ status: 200, body: { status: "withdrawing" } });
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    await story.settle();
    expect((await control(round["id"], "withdraw")).body).toMatchObject({
      status: "withdrawn",
      progress: { found: 8, scheduled: 0, withdrawn: 4 },
    });
    expect(await story.news()).toEqual(Array(4).fill("subscription.price_change_withdrawn"));
  });
});

describe("the prices of a Product", () => {
  it("have their time in the catalogue, and the number that pays each", async () => {
    const { data } = await ok("GET", `/products/${productId}/prices`);
    const [first, second] = ["2026-01-10T09:00:00.000Z", "2026-01-20T09:00:00.000Z"];
    expect(data).toEqual([
      { currency: "eur", amount: 2500, from: first, until: null, subscriptions: 1 },
      { currency: "usd", amount: 3700, from: second, until: null, subscriptions: 0 },
      { currency: "usd", amount: 3000, from: first, until: second, subscriptions: 7 },
      { currency: "usd", amount: 0, from: null, until: null, subscriptions: 1 },
    ]);
  });

  it("end when a currency is taken out, and begin anew when it comes back", async () => {
    await story.travel("2026-01-21");
    await raise(3700);
    await story.travel("2026-01-22");
    await raise(3700, [EUR]);
    const { data } = await ok("GET", `/products/${productId}/prices`);
    const days = ["2026-01-10", "2026-01-21", "2026-01-22"].map((day) => `${day}T09:00:00.000Z`);
    expect(data.slice(0, 2)).toEqual([
      { currency: "eur", amount: 2500, from: days[2], until: null, subscriptions: 1 },
      { currency: "eur", amount: 2500, from: days[0], until: days[1], subscriptions: 0 },
    ]);
  });
});
