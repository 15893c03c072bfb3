import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownOrigin } from "../../src/actions/origin.ts";
import { consentToPrice } from "../../src/actions/price-change/consent.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const PAID = ["payment.succeeded", "invoice.paid"];
const MOVED = ["subscription.price_change_applied", "subscription.renewed", "invoice.created", ...PAID];

let story: Story;
let productId: string;
let ada: Json;

const customer = (name: string) => ({ email: `${name}@example.com`, externalId: name });
const buy = (name: string, more: object = {}) =>
  story.buy({ productKey: "pro", customer: customer(name), ...more }, CARDS.pays);
const manage = (method: "GET" | "PATCH" | "POST", path: string, body?: object): Promise<Json> =>
  story.ok(story.app.manage(method, path, body));

/** Ada buys Pro at 30.00 a month on 10 January. Pro is sold in 1 to 9 units, and Team costs 60.00. */
function tell(more: object = {}) {
  beforeAll(async () => {
    story = await startStory({ clock: "2026-01-10T09:00:00Z" });
    const sso = await manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" });
    const sold = { benefitIds: [sso.id], quantity: { maximum: 9 } };
    ({ id: productId } = await story.plan("pro", 3000, { ...sold, ...more }));
    await story.plan("team", 6000, { benefitIds: [sso.id] });
    ada = await buy("ada");
    await story.news();
    await story.statement();
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    const { paid, captured } = await story.books();
    expect(paid).toEqual(captured);
    await story.close();
  });
}

const raise = (amount: number) => manage("PATCH", `/products/${productId}`, { prices: [{ currency: "usd", amount }] });
/** Begins a round, and lets the worker carry it out. */
async function bring(body: object): Promise<string> {
  const { id } = await manage("POST", `/products/${productId}/price-changes`, body);
  await story.settle();
  return id;
}
const control = async (id: string, step: string): Promise<Json> => {
  const round = await manage("POST", `/price-changes/${id}/${step}`);
  await story.settle();
  return round;
};
const read = (id: string) => manage("GET", `/price-changes/${id}`);
const progress = async (id: string) => (await read(id))["progress"];
const rows = async (id: string, status = "") =>
  (await manage("GET", `/price-changes/${id}/subscriptions${status && `?status=${status}`}`))["data"];

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
    await bring({ consent: "notice", noticeDays: 0 });
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

describe("a price that needs a consent (rules N6, N7)", () => {
  tell();
  let ben: Json;
  let round: string;

  it("15 January: both Customers get notice", async () => {
    ben = await buy("ben");
    await story.travel("2026-01-15");
    await raise(3600);
    await story.news();
    round = await bring({ consent: "required", noticeDays: 20 });
    expect(await story.news()).toEqual(Array(2).fill("subscription.price_change_scheduled"));
    const { data } = await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ada"));
    expect(data).toMatchObject([{ expiresAt: "2026-02-10T09:00:00.000Z" }]);
  });

  it("20 January: Ben agrees, once", async () => {
    await story.travel("2026-01-20");
    const { ctx, organization } = story.app;
    const agree = (id: string) => consentToPrice(ctx, ownOrigin(organization.id), ben["id"], id);
    expect([await agree(round), await agree(round), await agree("pch_other")]).toEqual([true, true, false]);
    expect(await story.news()).toEqual(["subscription.updated"]);
    const consentedAt = "2026-01-20T09:00:00.000Z";
    expect(await story.subscription(ben["id"])).toMatchObject({ priceChange: { consentedAt } });
    expect(await rows(round)).toMatchObject([{ consentedAt: null }, { status: "scheduled", consentedAt }]);
    const { data } = await manage("GET", `/subscriptions/${ben["id"]}/timeline`);
    expect(data.at(-1).text).toBe("The Customer agreed to the new price.");
  });

  it("10 February: Ben pays the new price, and Ada's Subscription ends", async () => {
    await story.travel("2026-02-10");
    const ended = ["subscription.canceled", "benefit_grant.revoked"];
    expect((await story.news()).toSorted()).toEqual([...MOVED, ...ended].toSorted());
    expect(await story.statement()).toEqual([
      "0001 checkout paid 3000",
      "     pro 3000 2026-01-10 → 2026-02-10",
      "0002 renewal paid 3600",
      "     pro 3600 2026-02-10 → 2026-03-10",
    ]);
    expect(await story.subscription(ada["id"])).toMatchObject({
      status: "canceled",
      endedAt: "2026-02-10T09:00:00.000Z",
      cancellationReason: "price_not_accepted",
      priceChange: null,
    });
    expect(await story.access("ada")).toEqual([]);
    expect(await progress(round)).toMatchObject({
      found: 2,
      scheduled: 0,
      applied: 1,
      endedWithoutConsent: 1,
      ended: 0,
    });
    expect(await rows(round, "ended")).toMatchObject([{ subscriptionId: ada["id"], reason: "price_not_accepted" }]);
  });
});

describe("a new price and a pause (rules N5, N6)", () => {
  tell();

  it("10 February: the pause comes in place of the period, and the price waits", async () => {
    await story.travel("2026-01-15");
    await raise(3600);
    await bring({ consent: "required", noticeDays: 0 });
    await manage("POST", `/subscriptions/${ada["id"]}/pause`, { access: "keep" });
    await story.travel("2026-02-11");
    expect(await story.subscription(ada["id"])).toMatchObject({ status: "paused", priceChange: { unitAmount: 3600 } });
    await story.news();
  });

  it("20 February: a resume by the API is refused without the consent", async () => {
    await story.travel("2026-02-20");
    const answer = await story.app.manage("POST", `/subscriptions/${ada["id"]}/resume`);
    expect(answer).toMatchObject({ status: 409, body: { code: "price_not_accepted" } });
    expect(await story.news()).toEqual([]);
  });

  it("21 February: after the consent the resume bills the new price", async () => {
    await story.travel("2026-02-21");
    const { priceChange } = await story.subscription(ada["id"]);
    const { ctx, organization } = story.app;
    expect(await consentToPrice(ctx, ownOrigin(organization.id), ada["id"], priceChange.id)).toBe(true);
    await manage("POST", `/subscriptions/${ada["id"]}/resume`);
    await story.settle();
    expect(await story.news()).toEqual([
      "subscription.updated",
      "subscription.price_change_applied",
      "subscription.resumed",
      "invoice.created",
      ...PAID,
    ]);
    expect(await story.statement()).toEqual(["0002 renewal paid 3600", "     pro 3600 2026-02-21 → 2026-03-21"]);
  });

  it("1 April: without the consent a planned resume is the end", async () => {
    await story.travel("2026-02-22");
    await raise(4000);
    await bring({ consent: "required", noticeDays: 0 });
    const pause = { access: "revoke", resumesAt: "2026-04-01T09:00:00Z" };
    await manage("POST", `/subscriptions/${ada["id"]}/pause`, pause);
    await story.travel("2026-03-25");
    await story.news();
    await story.travel("2026-04-02");
    expect(await story.newsAndNotices()).toEqual(["subscription.resume_upcoming", "subscription.canceled"]);
    expect(await story.subscription(ada["id"])).toMatchObject({ cancellationReason: "price_not_accepted" });
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
