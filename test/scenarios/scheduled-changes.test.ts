import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** The fate of a `next_period` change (rules P6, P7 and P12). */
describe("a change that waits for the period's end", () => {
  let story: Story;
  let id: string;
  const plans: Record<string, string> = {};
  const later = (productKey: string) => story.change(id, { productKey, prorationBehavior: "next_period" });
  const price = (key: string, amount: number) =>
    story.ok(story.app.manage("PATCH", `/products/${plans[key]}`, { prices: [{ currency: "usd", amount }] }));
  const etag = async () => (await story.app.api("GET", `/subscriptions/${id}`)).headers.get("ETag");

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.ok(story.app.manage("PATCH", "/organization", { defaultProration: "next_period" }));
    for (const [key, amount, more] of [
      ["basic", 1000],
      ["pro", 3000],
      ["max", 9000],
      ["year", 30_000, { interval: "year" }],
    ] as const) {
      plans[key] = (await story.plan(key, amount, more)).id;
    }
    ({ id } = await story.buy(
      { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } },
      CARDS.pays,
    ));
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-06-05: follows from the Organization's default, and changes nothing else", async () => {
    await story.travel("2025-06-05");
    const before = await story.subscription(id);
    expect(await story.change(id, { productId: plans["max"] })).toEqual({
      ...before,
      pendingChange: {
        productId: plans["max"],
        amount: 9000,
        quantity: 1,
        unitAmount: 9000,
        currency: "usd",
        interval: "month",
        intervalCount: 1,
        effectiveAt: "2025-07-01T09:00:00.000Z",
      },
      updatedAt: "2025-06-05T09:00:00.000Z",
    });
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("2025-06-06: a newer one replaces it; the same again makes no difference", async () => {
    await story.travel("2025-06-06");
    expect((await later("basic")).pendingChange).toMatchObject({ productId: plans["basic"], amount: 1000 });
    const before = [await story.subscription(id), await etag()];
    await later("basic");
    expect([await story.subscription(id), await etag()]).toEqual(before);
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("2025-06-07: keeps the price it was scheduled at, unless it is scheduled anew", async () => {
    await story.travel("2025-06-07");
    await price("basic", 1500);
    expect((await story.subscription(id)).pendingChange).toMatchObject({ amount: 1000 });
    expect((await later("basic")).pendingChange).toMatchObject({ amount: 1500 });
    await price("basic", 2000);
    expect(await story.news()).toEqual(["product.updated", "subscription.updated", "product.updated"]);
    const preview = await story.ok(
      story.app.manage("POST", `/subscriptions/${id}/preview`, { cancelAtPeriodEnd: false }),
    );
    expect(preview.nextInvoice).toMatchObject({
      date: "2025-07-01T09:00:00.000Z",
      totalAmount: 1500,
      lines: [{ description: "basic" }],
    });
  });

  it("2025-06-08: choosing the current Product clears it, and does nothing else, even at another price", async () => {
    await story.travel("2025-06-08");
    await price("pro", 3500);
    await story.news();
    const cleared = await story.change(id, { productKey: "pro", prorationBehavior: "invoice_now" });
    expect(cleared).toMatchObject({ amount: 3000, pendingChange: null });
    expect(await story.news()).toEqual(["subscription.updated"]);
    expect(await story.statement()).toEqual([]);
  });

  it("2025-06-09: the same request again, without a key, makes no difference (rule P12)", async () => {
    await story.travel("2025-06-09");
    const before = [await story.subscription(id), await etag()];
    for (const prorationBehavior of ["invoice_now", "next_invoice", "none", "next_period"])
      await story.change(id, { productKey: "pro", prorationBehavior });
    expect([await story.subscription(id), await etag()]).toEqual(before);
    expect([await story.news(), await story.statement()]).toEqual([[], []]);
  });

  it("2025-06-10: a planned change is withdrawn though the current Product has no such price (rule P6)", async () => {
    await story.travel("2025-06-10");
    await later("basic");
    const inEuro = { prices: [{ currency: "eur", amount: 3500 }] };
    await story.ok(story.app.manage("PATCH", `/products/${plans["pro"]}`, inEuro));
    await story.news();
    const preview = await story.ok(story.app.manage("POST", `/subscriptions/${id}/preview`, { productKey: "pro" }));
    expect([preview.chargeAmount, preview.nextInvoice.totalAmount]).toEqual([0, 3000]);
    const asked = { productKey: "pro", price: "catalogue" };
    const refused = await story.app.api("PATCH", `/subscriptions/${id}`, asked);
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ code: "currency_missing" }]]);
    expect(await story.change(id, { productKey: "pro" })).toMatchObject({ amount: 3000, pendingChange: null });
    expect([await story.news(), await story.statement()]).toEqual([["subscription.updated"], []]);
    await price("pro", 3500);
    await story.news();
  });

  it("2025-06-16: the current Product changes to its catalogue price if that is asked for (rule P7)", async () => {
    await story.travel("2025-06-16");
    const reprice = (prorationBehavior: string) =>
      story.change(id, { productKey: "pro", price: "catalogue", prorationBehavior });
    await later("basic");
    const planned = { productId: plans["pro"], amount: 3500 };
    expect((await reprice("next_period")).pendingChange).toMatchObject(planned); // replaces the change to basic
    expect((await reprice("next_period")).pendingChange).toMatchObject(planned);
    expect(await later("pro")).toMatchObject({ amount: 3000, pendingChange: null });
    await later("basic");
    expect(await reprice("invoice_now")).toMatchObject({ amount: 3500, pendingChange: null });
    expect(await reprice("invoice_now")).toMatchObject({ amount: 3500, pendingChange: null });
    expect(await story.statement()).toEqual([
      "0002 product_change paid 250",
      "     pro, unused rest of the period -1500 2025-06-16 → 2025-07-01",
      "     pro, rest of the period 1750 2025-06-16 → 2025-07-01",
    ]);
    expect(await story.news()).toEqual([
      "subscription.updated",
      "subscription.updated",
      "subscription.updated",
      "subscription.updated",
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
    ]);
  });

  it("2025-06-17: an immediate change clears a pending one", async () => {
    await story.travel("2025-06-17");
    await later("basic");
    expect(await story.change(id, { productKey: "max", prorationBehavior: "none" })).toMatchObject({
      amount: 9000,
      pendingChange: null,
    });
    await story.travel("2025-07-01");
    expect(await story.statement()).toEqual(["0003 renewal paid 9000", "     max 9000 2025-07-01 → 2025-08-01"]);
  });

  it("2025-08-01: another interval starts at the period's end, which is its new anchor (rule T2)", async () => {
    await later("year");
    await story.travel("2025-08-01T08:59:59.999Z");
    expect(await story.statement()).toEqual([]);
    await story.travel("2025-08-01");
    expect(await story.statement()).toEqual(["0004 renewal paid 30000", "     year 30000 2025-08-01 → 2026-08-01"]);
    expect(await story.subscription(id)).toMatchObject({
      interval: "year",
      pendingChange: null,
      currentPeriodStart: "2025-08-01T09:00:00.000Z",
    });
  });

  it("2025-09-01: waiting lines and a pending change meet at the period's end", async () => {
    await price("year", 40_000);
    await story.travel("2025-09-01");
    await story.change(id, { productKey: "year", price: "catalogue", prorationBehavior: "next_invoice" });
    await later("basic");
    expect((await story.subscription(id)).pendingChange).toMatchObject({
      amount: 2000,
      effectiveAt: "2026-08-01T09:00:00.000Z",
    });
    await story.travel("2026-08-01");
    expect(await story.statement()).toEqual([
      "0005 renewal paid 11151",
      "     year, unused rest of the period -27452 2025-09-01 → 2026-08-01",
      "     year, rest of the period 36603 2025-09-01 → 2026-08-01",
      "     basic 2000 2026-08-01 → 2026-09-01",
    ]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a preview agrees with the operation (rule P8)", () => {
  let story: Story;
  let id: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("basic", 1000);
    await story.plan("pro", 3000);
    await story.plan("year", 30_000, { interval: "year" });
    ({ id } = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays));
  });
  afterAll(() => story.close());

  it.each([
    ["2025-06-11", { productKey: "basic", prorationBehavior: "next_invoice" }],
    ["2025-06-17", { productKey: "pro", prorationBehavior: "next_invoice" }],
    ["2025-06-18", { cancelAtPeriodEnd: true }],
    ["2025-06-19", { cancelAtPeriodEnd: false }],
    ["2025-06-21", { productKey: "basic" }],
    ["2025-07-05", { productKey: "pro", prorationBehavior: "none" }],
    ["2025-07-06", { productKey: "year", prorationBehavior: "next_period" }],
    ["2025-07-09", { productKey: "basic", prorationBehavior: "next_period" }],
    ["2025-08-13", { productKey: "year", prorationBehavior: "none" }],
    ["2025-09-01", { productKey: "pro" }],
    ["2025-10-01", { productKey: "pro" }],
  ])("%s: %j", async (date, body) => {
    await story.travel(date);
    const { customerId } = await story.subscription(id);
    const [balance, charged] = [await story.balance(customerId), (await story.books()).captured];
    await story.statement();
    await story.news();
    const preview = await story.ok(story.app.manage("POST", `/subscriptions/${id}/preview`, body));
    expect([await story.news(), await story.statement()]).toEqual([[], []]);
    await story.change(id, body);
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
    expect(sum((await story.books()).captured) - sum(charged)).toBe(preview.chargeAmount);
    expect((await story.balance(customerId)) - balance).toBe(preview.balanceChange);
    const { currentPeriodEnd, cancelAtPeriodEnd } = await story.subscription(id);
    const after = await story.ok(story.app.manage("POST", `/subscriptions/${id}/preview`, { cancelAtPeriodEnd }));
    expect(after.nextInvoice).toEqual(preview.nextInvoice);
    if (preview.nextInvoice !== null) expect(preview.nextInvoice.date).toBe(currentPeriodEnd);
  });

  it("2025-11-01: and the next invoice is the one that was foretold", async () => {
    const preview = await story.ok(
      story.app.manage("POST", `/subscriptions/${id}/preview`, { cancelAtPeriodEnd: false }),
    );
    await story.travel(preview.nextInvoice.date);
    const [invoice] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`))).data;
    const { totalAmount, lines } = preview.nextInvoice;
    expect(invoice).toMatchObject({ totalAmount, lines });
    expect(await story.audit()).toEqual([]);
  });
});

/** Requests that a caller sends again without an Idempotency-Key, because the answer was lost (rule P12). */
describe("a Subscription with a price of its own", () => {
  let story: Story;
  let id: string;
  let customerId: string;
  const twice = async (body: object) => {
    const first = await story.change(id, body);
    const news = await story.news();
    expect(await story.change(id, body)).toEqual(first);
    expect(await story.news()).toEqual([]);
    return { ...first, news };
  };

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("basic", 1000);
    const { app, ok } = story;
    customerId = (await ok(app.api("POST", "/customers", { email: "ada@example.com", externalId: "ada" }))).id;
    await story.newCard(customerId, CARDS.pays);
    ({ id } = await ok(app.manage("POST", "/subscriptions", { customerId, productKey: "pro", amount: 1500 })));
    await story.travel("2025-06-16");
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-06-16: keeps this price when a planned change is withdrawn, however often that is asked for", async () => {
    const later = { productKey: "basic", prorationBehavior: "next_period" };
    expect(await twice(later)).toMatchObject({ amount: 1500, news: ["subscription.updated"] });
    expect(await twice({ productKey: "pro" })).toMatchObject({ amount: 1500, pendingChange: null });
    expect(await story.statement()).toEqual([]);
  });

  it("2025-06-16: pays the difference once when the catalogue's price is asked for twice", async () => {
    const asked = { productKey: "pro", price: "catalogue", prorationBehavior: "invoice_now" };
    expect(await twice(asked)).toMatchObject({ amount: 3000, pendingChange: null });
    expect(await story.statement()).toEqual([
      "0002 product_change paid 750",
      "     pro, unused rest of the period -750 2025-06-16 → 2025-07-01",
      "     pro, rest of the period 1500 2025-06-16 → 2025-07-01",
    ]);
  });

  it("2025-06-16: is canceled, and the cancellation undone, once each", async () => {
    expect((await twice({ cancelAtPeriodEnd: true })).news).toEqual(["subscription.cancellation_scheduled"]);
    expect((await twice({ cancelAtPeriodEnd: false })).news).toEqual(["subscription.cancellation_undone"]);
    expect((await twice({ productKey: "basic", prorationBehavior: "none" })).news).toEqual(["subscription.updated"]);
    expect(await story.statement()).toEqual([]);
    expect(await story.audit()).toEqual([]);
  });
});
