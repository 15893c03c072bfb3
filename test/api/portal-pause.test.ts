import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let id: string;
let customerId: string;
let there: Awaited<ReturnType<typeof signInTo>>;

beforeAll(async () => {
  let subscription: Json;
  ({ story, portal, subscription } = await startPortalStory());
  ({ id, customerId } = subscription as { id: string; customerId: string });
  there = await signInTo(story, customerId);
  await story.news();
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const clockStatement = sql("test.clock", "UPDATE organizations SET clock_at = $2 WHERE id = $1");
const path = (verb: string) => `${portal}/subscriptions/${id}/${verb}`;
const pause = (body: object = { access: "revoke" }) =>
  story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, body));
const home = async () => wordsOf((await there.get(portal)).text);
const fieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, n, v]) => [n!, v!]));
const location = (answer: { headers: Headers }) => answer.headers.get("Location");

describe("a pause in the portal (rule S8k)", () => {
  test("is told, and can be undone before it begins", async () => {
    await pause({ access: "revoke", resumesAt: "2026-06-15T09:00:00Z" });
    expect(await home()).toContain("Pauses on 1 April 2026, until 15 June 2026.");
    expect(await home()).toContain("Next charge 15 June 2026: US$30.00 to Visa");
    for (let n = 0; n < 2; n += 1) expect(location(await there.post(path("resume")))).toBe(portal);
    expect(await story.subscription(id)).toMatchObject({ status: "active", pause: null });
    expect(await story.news()).toEqual(["subscription.updated", "subscription.updated"]);
  });

  test("is undone by a cancellation, and the page of the cancellation says so", async () => {
    await pause();
    expect(wordsOf((await there.get(path("cancel"))).text)).toContain("This also undoes the planned pause.");
    expect(location(await there.post(path("cancel")))).toBe(portal);
    expect(await story.subscription(id)).toMatchObject({ pause: null, cancelAtPeriodEnd: true });
    await there.post(path("keep"));
    await story.news();
  });

  test("makes no charge if it begins right before a click that undoes it or cancels", async () => {
    const eve = await story.buy({ productKey: "pro", customer: { email: "eve@example.com" } }, CARDS.pays);
    const cancels = await signInTo(story, eve.customerId);
    await pause();
    await story.ok(story.app.manage("POST", `/subscriptions/${eve.id}/pause`, { access: "revoke" }));
    await story.news();
    // No worker has come since the end of the periods.
    await story.app.ctx.db.tx((tx) => tx.query(clockStatement, [story.app.organization.id, "2026-04-01T09:00:01Z"]));
    expect(location(await there.post(path("resume")))).toBe(path("resume"));
    expect(await story.subscription(id)).toMatchObject({ status: "paused" });
    expect(location(await cancels.post(`${portal}/subscriptions/${eve.id}/cancel`))).toBe(portal);
    expect(await story.subscription(eve.id)).toMatchObject({ status: "canceled" });
    const news = await story.news();
    expect(news.filter((type) => /^(invoice|payment)\./.test(type))).toEqual([]);
    expect(news).toEqual(expect.arrayContaining(["subscription.paused", "subscription.canceled"]));
  });

  test("ends with a charge in the Customer's presence, as the page has shown", async () => {
    await pause();
    await story.travel("2026-05-10");
    await story.news();
    expect(await home()).toContain("Paused. You won’t be charged until you resume it.");
    expect(await home()).not.toContain("Next charge");
    const { text } = await there.get(path("resume"));
    expect(wordsOf(text)).toContain("A new period begins now and runs until 10 June 2026. US$30.00 is charged to Visa");
    expect(wordsOf(text)).toContain("Your access comes back as soon as the payment has gone through.");
    const agreed = fieldsOf(text);
    for (const wrong of [{}, { ...agreed, expectedAmount: "1" }, { ...agreed, expectedCard: "" }])
      expect((await there.post(path("resume"), wrong)).status).toBe(409);
    expect(await story.news()).toEqual([]);
    for (let n = 0; n < 2; n += 1) expect(location(await there.post(path("resume"), agreed))).toBe(portal);
    const news = await story.news();
    expect(news.slice(0, 4)).toEqual(["subscription.resumed", "invoice.created", "payment.succeeded", "invoice.paid"]);
    const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${customerId}&limit=1`));
    expect(data[0]).toMatchObject({ trigger: "renewal", amount: 3000 });
  });

  test("leads to the page of the invoice if the bank asks, and the access waits for the answer", async () => {
    await pause();
    await story.newCard(customerId, CARDS.asksBuyer);
    await story.travel("2026-07-01");
    await story.news();
    const agreed = fieldsOf((await there.get(path("resume"))).text);
    for (let n = 0; n < 2; n += 1)
      expect(location(await there.post(path("resume"), agreed))).toMatch(/^\/invoices\/|\/i\//);
    expect((await story.news()).slice(0, 3)).toEqual([
      "subscription.resumed",
      "invoice.created",
      "payment.action_required",
    ]);
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    await story.answerChallenge(true);
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
  });

  test("needs a card for an amount due, and a cancellation ends the Subscription at once", async () => {
    await pause();
    await story.travel("2026-09-01");
    const [card] = (await story.ok(story.app.manage("GET", `/customers/${customerId}/payment-methods`))).data;
    await story.ok(story.app.manage("POST", `/sandbox/payment-methods/${card.id}/detach`));
    const { text } = await there.get(path("resume"));
    expect(wordsOf(text)).toContain("there is no card on file. Add a card first.");
    expect((await there.post(path("resume"), { expectedAmount: "3000", expectedCard: "" })).status).toBe(409);
    expect(wordsOf((await there.get(path("cancel"))).text)).toContain("Pro ends immediately");
    await there.post(path("cancel"));
    expect(await story.subscription(id)).toMatchObject({ status: "canceled" });
    expect((await there.get(path("resume"))).status).toBe(404);
  });
});

describe("a pause that a Customer makes (rule S8l)", () => {
  const allow = (body: object | null) =>
    story.ok(story.app.manage("PATCH", "/organization", { portal: { pause: body } }));
  let own: string;
  let self: typeof there;
  beforeAll(async () => {
    const ben = await story.buy({ productKey: "pro", customer: { email: "ben@example.com" } }, CARDS.pays);
    own = `${portal}/subscriptions/${ben.id}`;
    id = ben.id;
    self = await signInTo(story, ben.customerId);
    await story.news();
  });

  test("is off at first: no link, no choice, and no effect of a request", async () => {
    expect((await story.ok(story.app.manage("GET", "/organization"))).portal.pause).toBeNull();
    expect((await self.get(portal)).text).not.toContain(`${own}/pause`);
    expect(wordsOf((await self.get(`${own}/pause`)).text)).toContain("A pause is not possible now.");
    expect((await self.post(`${own}/pause`, { months: "1" })).status).toBe(409);
    expect(await story.news()).toEqual([]);
  });

  test("has settings with bounds", async () => {
    const good = { longestMonths: 3, perYear: 1, access: "revoke" };
    for (const wrong of [{ longestMonths: 13 }, { longestMonths: 0 }, { perYear: 13 }, { access: "half" }]) {
      const answer = await story.app.manage("PATCH", "/organization", { portal: { pause: { ...good, ...wrong } } });
      expect(answer.status, JSON.stringify(wrong)).toBe(422);
    }
    expect((await allow(good)).portal).toMatchObject({ pause: good, cancel: true });
    expect((await story.ok(story.app.manage("GET", "/organization"))).portal.pause).toEqual(good);
  });

  test("offers the months, also on the page of the cancellation, and pauses from the end of the period", async () => {
    expect((await self.get(`${own}/cancel`)).text).toContain(`${own}/pause`);
    const page = wordsOf((await self.get(`${own}/pause`)).text);
    expect(page).toContain("The pause begins on 1 October 2026.");
    expect(page).toContain("1 month, until 1 November 2026 2 months, until 1 December 2026 3 months, until 1 January");
    for (const months of ["4", "0", "1.5", "x", ""])
      expect((await self.post(`${own}/pause`, { months })).status, months).toBe(409);
    expect(location(await self.post(`${own}/pause`, { months: "2" }))).toBe(portal);
    const shown = { startsAt: "2026-10-01T09:00:00.000Z", resumesAt: "2026-12-01T09:00:00.000Z", access: "revoke" };
    expect(await story.subscription(id)).toMatchObject({ pause: shown });
    expect(await story.news()).toEqual(["subscription.updated"]);
    expect(location(await self.get(`${own}/pause`))).toBe(portal);
  });

  test("counts within 365 days", async () => {
    await story.travel("2026-12-02");
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
    expect((await self.post(`${own}/pause`, { months: "1" })).status).toBe(409);
    await story.travel("2027-10-02");
    expect(location(await self.post(`${own}/pause`, { months: "1" }))).toBe(portal);
    await allow(null);
    await story.news();
  });
});

test("a second click on the resume leads to the payment that is at the bank", async () => {
  const { id: lost, customerId: fay } = await story.buy(
    { productKey: "pro", customer: { email: "fay@example.com" } },
    CARDS.pays,
  );
  await story.ok(story.app.manage("POST", `/subscriptions/${lost}/pause`, { access: "revoke" }));
  await story.newCard(fay, CARDS.answerLost);
  await story.travel("2028-01-05");
  const own = `${portal}/subscriptions/${lost}/resume`;
  const self = await signInTo(story, fay);
  const agreed = fieldsOf((await self.get(own)).text);
  await story.news();
  const places = [location(await self.post(own, agreed)), location(await self.post(own, agreed))];
  expect(places[1]).toBe(places[0]);
  expect(wordsOf((await self.get(places[0]!)).text)).toMatch(/US\$30\.00 is being charged to Visa •••• \d+ right now/);
  expect(wordsOf((await self.get(portal)).text)).not.toContain("Your subscription continues.");
  await story.settle();
  expect((await story.news()).filter((type) => type.startsWith("payment."))).toEqual(["payment.succeeded"]);
  expect(await story.subscription(lost)).toMatchObject({ status: "active" });
});

test("a pause with a planned resume shows its charge, with a planned change and credit (rule S8e)", async () => {
  await story.plan("team", 6000, { name: "Team" });
  const { id: planned, customerId: gil } = await story.buy(
    { productKey: "pro", customer: { email: "gil@example.com" } },
    CARDS.pays,
  );
  const asked = { access: "revoke", resumesAt: "2028-06-15T09:00:00Z" };
  await story.ok(story.app.manage("POST", `/subscriptions/${planned}/pause`, asked));
  await story.change(planned, { productKey: "team", prorationBehavior: "next_period" });
  await story.travel("2028-05-01");
  const credit = { currency: "usd", amount: 1000, reason: "By hand" };
  await story.ok(story.app.manage("POST", `/customers/${gil}/balance-adjustments`, credit));
  const self = await signInTo(story, gil);
  const shown = wordsOf((await self.get(portal)).text);
  expect(shown).toContain("Paused until 15 June 2028.");
  expect(shown).toMatch(/15 June 2028: US\$50\.00 to Visa •••• 4242, and US\$10\.00 from your account balance/);
});
