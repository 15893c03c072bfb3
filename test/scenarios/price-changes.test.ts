import { describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import {
  ada,
  bring,
  buy,
  control,
  manage,
  MOVED,
  PAID,
  productId,
  progress,
  raise,
  read,
  rows,
  story,
  tell,
} from "../support/price-story.ts";

describe("the example of chapter N", () => {
  tell();
  let round: string;

  it("15 January: the seller sees the effect first, and gives notice", async () => {
    await story.travel("2026-01-15");
    await raise(3600);
    const asked = { consent: "notice" };
    const preview = await manage("POST", `/products/${productId}/price-changes/preview`, asked);
    expect(preview).toMatchObject({
      prices: [{ currency: "usd", amount: 3600 }],
      currencies: [{ currency: "usd", unitAmount: 3600, subscriptions: 1, mrrBefore: 3000, mrrAfter: 3600 }],
      leftOut: [],
      examples: [
        { subscriptionId: ada["id"], amountBefore: 3000, amount: 3600, effectiveAt: "2026-03-10T09:00:00.000Z" },
      ],
    });
    round = await bring(asked);
    expect(await story.news()).toEqual(["product.updated", "subscription.price_change_scheduled"]);
    expect(await read(round)).toMatchObject({ status: "completed", progress: { found: 1, scheduled: 1, applied: 0 } });
    const priceChange = {
      id: round,
      unitAmount: 3600,
      amount: 3600,
      effectiveAt: "2026-03-10T09:00:00.000Z",
      consent: "notice",
      consentedAt: null,
    };
    expect(await story.subscription(ada["id"])).toMatchObject({ amount: 3000, priceChange });
  });

  it("20 January: a later price of the catalogue is for new sales alone", async () => {
    await story.travel("2026-01-20");
    await raise(4000);
    expect(await story.subscription(ada["id"])).toMatchObject({ priceChange: { amount: 3600 } });
    expect(await story.news()).toEqual(["product.updated"]);
  });

  it("10 February: the renewal bills the present price", async () => {
    await story.travel("2026-02-11");
    expect(await story.news()).toEqual(["subscription.renewed", "invoice.created", ...PAID]);
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     pro 3000 2026-02-10 → 2026-03-10"]);
  });

  it("1 March: 2 units from the next period on, at the new price", async () => {
    await story.travel("2026-03-01");
    const changed = await story.change(ada["id"], { quantity: 2, prorationBehavior: "next_period" });
    expect(changed).toMatchObject({ amount: 3000, pendingChange: { quantity: 2, unitAmount: 3600, amount: 7200 } });
    const preview = await manage("POST", `/subscriptions/${ada["id"]}/preview`, { cancelAtPeriodEnd: false });
    expect(preview["nextInvoice"]).toMatchObject({ date: "2026-03-10T09:00:00.000Z", totalAmount: 7200 });
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("10 March: the Subscription moves, and then its period begins", async () => {
    await story.travel("2026-03-10");
    expect((await story.news()).filter((type) => !type.startsWith("benefit_grant."))).toEqual(MOVED);
    expect(await story.statement()).toEqual([
      "0003 renewal paid 7200",
      "     pro, 2 × US$36.00 7200 2026-03-10 → 2026-04-10",
    ]);
    expect(await story.subscription(ada["id"])).toMatchObject({ amount: 7200, quantity: 2, priceChange: null });
    expect(await progress(round)).toMatchObject({ found: 1, scheduled: 0, applied: 1 });
    expect(await rows(round)).toMatchObject([
      { subscriptionId: ada["id"], status: "applied", reason: null, settledAt: "2026-03-10T09:00:00.000Z" },
    ]);
  });

  it("10 March: the explanation of the invoice names the notice", async () => {
    const { data } = await manage("GET", `/invoices?subscriptionId=${ada["id"]}`);
    const texts = async ({ id }: Json) => (await manage("GET", `/invoices/${id}/explanation`))["lines"][0].amount.text;
    expect(await Promise.all(data.map(texts))).toEqual([
      "The new price for 10 March 2026 to 10 April 2026, with notice of 15 January 2026: 2 × US$36.00 is US$72.00.",
      "The price for 10 February 2026 to 10 March 2026: US$30.00.",
      "The price for 10 January 2026 to 10 February 2026: US$30.00.",
    ]);
  });

  it("10 April: the price stays, and the prices of the Product name those who pay them", async () => {
    await story.travel("2026-04-11");
    expect(await story.statement()).toEqual([
      "0004 renewal paid 7200",
      "     pro, 2 × US$36.00 7200 2026-04-10 → 2026-05-10",
    ]);
    const usd = { currency: "usd" };
    const days = ["2026-01-10", "2026-01-15", "2026-01-20"].map((day) => `${day}T09:00:00.000Z`);
    expect((await manage("GET", `/products/${productId}/prices`))["data"]).toEqual([
      { ...usd, amount: 4000, from: days[2], until: null, subscriptions: 0 },
      { ...usd, amount: 3600, from: days[1], until: days[2], subscriptions: 1 },
      { ...usd, amount: 3000, from: days[0], until: days[1], subscriptions: 0 },
    ]);
    const timeline = await manage("GET", `/subscriptions/${ada["id"]}/timeline`);
    const texts = timeline["data"].map((entry: Json) => entry.text);
    expect(texts.filter((text: string) => text.includes("new price"))).toEqual([
      "Notice was given of a new price from 10 March 2026 on: US$36.00 every month.",
      "The new price has begun: US$36.00 every month.",
    ]);
  });
});

describe("a change while a new price waits (rule N5)", () => {
  tell();
  let round: string;
  const noticed = async () => {
    round = await bring({ consent: "notice" });
    expect((await story.news()).at(-1)).toBe("subscription.price_change_scheduled");
  };

  it("15 January: more units cost the present price until the first day of the new one", async () => {
    await story.travel("2026-01-15");
    await raise(3600);
    await noticed();
    expect(await story.change(ada["id"], { quantity: 3, prorationBehavior: "none" })).toMatchObject({
      amount: 9000,
      priceChange: { unitAmount: 3600, amount: 10_800 },
    });
    await story.news();
  });

  it("16 January: the present Product without a quantity keeps the new price", async () => {
    await story.travel("2026-01-16");
    await story.change(ada["id"], { productKey: "pro" });
    expect(await story.news()).toEqual([]);
  });

  it("17 January: a change to Team withdraws the new price", async () => {
    await story.travel("2026-01-17");
    await story.change(ada["id"], { productKey: "team", quantity: 1, prorationBehavior: "next_period" });
    expect(await story.news()).toEqual(["subscription.price_change_withdrawn", "subscription.updated"]);
    expect(await rows(round, "withdrawn")).toMatchObject([{ subscriptionId: ada["id"], reason: "changed" }]);
    await story.change(ada["id"], { productKey: "pro" });
    await story.news();
  });

  it("18 January: the price of the catalogue at once withdraws the new price", async () => {
    await story.travel("2026-01-18");
    await noticed();
    await story.change(ada["id"], { productKey: "pro", price: "catalogue", prorationBehavior: "none" });
    expect(await story.news()).toEqual(["subscription.price_change_withdrawn", "subscription.updated"]);
    expect(await story.subscription(ada["id"])).toMatchObject({ amount: 10_800, priceChange: null });
  });

  it("19 January: the catalogue's price withdraws the new price, even if it is the present one", async () => {
    await story.travel("2026-01-19");
    await raise(4000);
    await noticed();
    await raise(3600);
    await story.change(ada["id"], { productKey: "pro", price: "catalogue" });
    expect(await story.news()).toEqual(["product.updated", "subscription.price_change_withdrawn"]);
  });

  it("20 January: a newer round replaces a price that waits, and leaves the same price alone", async () => {
    await story.travel("2026-01-20");
    await raise(4000);
    await noticed();
    const first = round;
    const again = { consent: "notice", noticeDays: 0 };
    const preview = await manage("POST", `/products/${productId}/price-changes/preview`, again);
    expect(preview).toMatchObject({ currencies: [], leftOut: [], examples: [] });
    expect(await progress(await bring(again))).toMatchObject({ found: 0, scheduled: 0 });
    expect(await story.news()).toEqual([]);
    await raise(4500);
    round = await bring({ consent: "notice", noticeDays: 0 });
    expect(await story.news()).toEqual([
      "product.updated",
      "subscription.price_change_withdrawn",
      "subscription.price_change_scheduled",
    ]);
    expect(await rows(first)).toMatchObject([{ status: "withdrawn", reason: "replaced" }]);
    expect(await story.subscription(ada["id"])).toMatchObject({
      priceChange: { id: round, unitAmount: 4500, effectiveAt: "2026-02-10T09:00:00.000Z" },
    });
  });

  it("25 January: a planned end leaves the price in place, and an end notes it", async () => {
    await story.travel("2026-01-25");
    await story.change(ada["id"], { cancelAtPeriodEnd: true });
    expect(await story.subscription(ada["id"])).toMatchObject({ priceChange: { unitAmount: 4500 } });
    await story.change(ada["id"], { cancelAtPeriodEnd: false });
    await manage("POST", `/subscriptions/${ada["id"]}/cancel-now`);
    await story.settle();
    expect(await progress(round)).toMatchObject({ found: 1, scheduled: 0, ended: 1, endedWithoutConsent: 0 });
  });
});

describe("a new price that is too large for a quantity", () => {
  tell({ quantity: { maximum: 100_000 } });

  it("15 January: the quantity is refused", async () => {
    await story.travel("2026-01-15");
    await raise(100_000_000);
    await bring({ consent: "notice" });
    const path = `/subscriptions/${ada["id"]}`;
    const answer = await story.app.api("PATCH", path, { quantity: 10_000, prorationBehavior: "next_period" });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ pointer: "/quantity" }]);
    await manage("POST", `${path}/cancel-now`);
  });
});

describe("a new price in a trial", () => {
  tell({ trialDays: 14 });

  it("24 January: the first paid period has the new price", async () => {
    await story.travel("2026-01-11");
    await raise(3600);
    await bring({ consent: "notice", noticeDays: 10 });
    await story.news();
    await story.travel("2026-01-25");
    expect(await story.news()).toEqual([
      "subscription.price_change_applied",
      "subscription.activated",
      "invoice.created",
      ...PAID,
    ]);
    expect(await story.statement()).toEqual(["0001 renewal paid 3600", "     pro 3600 2026-01-24 → 2026-02-24"]);
  });
});

describe("a price change that is withdrawn (rule N8)", () => {
  tell();
  let round: string;
  let late: Json;

  it("15 January: a paused round gives no notice, and goes on after a resume", async () => {
    await story.travel("2026-01-15");
    late = await buy("late");
    await raise(3600);
    await story.news();
    round = (await manage("POST", `/products/${productId}/price-changes`, { consent: "notice", noticeDays: 20 })).id;
    expect(await control(round, "pause")).toMatchObject({ status: "paused", progress: { found: 2, scheduled: 0 } });
    expect(await story.news()).toEqual([]);
    await control(round, "resume");
    expect(await story.news()).toEqual(Array(2).fill("subscription.price_change_scheduled"));
    expect(await progress(round)).toMatchObject({ found: 2, scheduled: 2 });
  });

  it("12 February: the price of Ada has begun, and the other one is taken back", async () => {
    await story.travel("2026-02-12");
    expect(await story.news()).toEqual(MOVED);
    expect(await control(round, "withdraw")).toMatchObject({ status: "withdrawing" });
    expect(await story.news()).toEqual(["subscription.price_change_withdrawn"]);
    expect(await read(round)).toMatchObject({
      status: "withdrawn",
      progress: { found: 2, scheduled: 0, applied: 1, withdrawn: 1 },
    });
    expect(await rows(round)).toMatchObject([
      { subscriptionId: ada["id"], status: "applied" },
      { subscriptionId: late["id"], status: "withdrawn", reason: "seller" },
    ]);
  });

  it("16 February: the Subscription that was left pays the price as sold", async () => {
    await story.statement();
    await story.travel("2026-02-16");
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     pro 3000 2026-02-15 → 2026-03-15"]);
  });
});
