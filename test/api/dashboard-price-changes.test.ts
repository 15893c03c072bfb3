import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { actionFieldsOf, doAction, joinAs, seen } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let owner: Desk;
let support: Desk;
let home: string;
let plans = 0;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  home = `/dashboard/${story.app.organization.id}`;
  owner = await openDashboard(story.app);
  support = await joinAs(story.app, "support");
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const read = async (path: string, desk = owner) => {
  const { status, text } = await seen(desk, path);
  return { status, text, words: wordsOf(text).replaceAll("\u00a0", " ") };
};
const buy = (key: string, name: string, more: object = {}): Promise<Json> =>
  story.buy({ productKey: key, customer: { email: `${key}-${name}@example.com`, name }, ...more }, CARDS.pays);

/** A Product that Ada and Bea have bought for 20.00, of which the price is 24.00 since; Cleo's end is planned. */
async function raised(more: object = {}) {
  const key = `plan-${(plans += 1)}`;
  const { id } = await story.plan(key, 2000, { name: "Pro", ...more });
  const [ada, bea, cleo] = [await buy(key, "Ada"), await buy(key, "Bea"), await buy(key, "Cleo")];
  await story.change(cleo.id, { cancelAtPeriodEnd: true });
  await story.ok(story.app.manage("PATCH", `/products/${id}`, { prices: [{ currency: "usd", amount: 2400 }] }));
  return { id, ada, bea, cleo, path: `${home}/products/${id}`, form: `${home}/products/${id}/price-changes/new` };
}
/** Sends the form, and returns the page with the effect. */
async function preview(form: string, fields: Record<string, string>) {
  const sent = await owner.send(form, fields);
  return { ...sent, words: wordsOf(sent.text).replaceAll("\u00a0", " ") };
}
/** Begins a price change through its form. Returns the path of its page. */
async function begin(form: string, fields: Record<string, string>): Promise<string> {
  const { text } = await preview(form, fields);
  const done = await owner.post(form, actionFieldsOf(text)!);
  expect(done.status).toBe(303);
  return done.headers.get("Location")!;
}
const lastEntry = async (): Promise<Json> => (await story.ok(story.app.manage("GET", "/audit-log?limit=1"))).data[0];

describe("the prices of a Product in the dashboard (rules N)", () => {
  test("have a preview with the numbers, the MRR, the examples and those that are left out", async () => {
    const { form, ada, cleo } = await raised();
    const { words, text } = await preview(form, { consent: "required", noticeDays: "10" });
    expect(words).toContain("Subscriptions that get notice 2 New price US$24.00 Notice 10 days");
    expect(words).toContain("Consent Without a consent, the Subscription ends");
    expect(words).toContain("US$24.00 2 US$40.00 US$48.00");
    expect(words).toMatch(/Ada 1 US\$20\.00 US\$24\.00 1 Apr 2026, 09:00/);
    expect(words).toContain(`Its end is planned: 1 ${cleo.id}`);
    expect(words).toContain("Give notice to 2 Subscriptions");
    expect(text).toContain(ada.id);
    expect((await story.subscription(ada.id)).priceChange).toBe(null);
  });

  test("are brought by one click, once, with an entry in the audit log", async () => {
    const { form, path, ada } = await raised();
    const { text } = await preview(form, { consent: "required" });
    const fields = actionFieldsOf(text)!;
    const made = await owner.post(form, fields);
    const place = made.headers.get("Location")!;
    expect(place).toMatch(/\/price-changes\/pch_\w+$/);
    expect((await owner.post(form, fields)).headers.get("Location")).toBe(`${path}/prices`);
    expect(await lastEntry()).toMatchObject({
      operation: "createPriceChange",
      resourceId: place.split("/").at(-1),
      values: { consent: "required", noticeDays: 30 },
    });
    await story.settle();
    const { words } = await read(place, support);
    expect(words).toContain("Status All notices are given");
    expect(words).toContain("Found when it began 3 Wait for their first day 2 Moved to the new price 0");
    expect(words).toContain("Left out Its end is planned: 1");
    expect(words).toContain("Ada Scheduled 1 US$20.00 US$24.00 1 Apr 2026, 09:00");
    expect((await read(`${path}/prices`)).words).toMatch(/1 Mar 2026, 09:00 All notices are given 2 0 0 1/);
    const out = (await read(`${place}?status=left_out`)).words;
    expect(out).toContain("Cleo Left out Its end is planned");
    expect(out).not.toContain("Ada");
    const customer = (await read(`${home}/customers/${ada.customerId}`)).words;
    expect(customer).toContain("Ends 1 Apr 2026, 09:00 unless the Customer agrees to the new price");
    expect(customer).toContain("New price US$24.00 from 1 Apr 2026, 09:00 , if the Customer agrees");
    expect((await read(`${home}/audit-log`)).text).toContain(place);
    const found = await owner.get(`${home}/search?q=${place.split("/").at(-1)}`);
    expect(`${found.headers.get("Location") ?? ""}${found.text}`).toContain(place);
  });

  test("need the prices that the page has shown", async () => {
    const { form, id, ada } = await raised();
    const { text } = await preview(form, { consent: "notice" });
    await story.ok(story.app.manage("PATCH", `/products/${id}`, { prices: [{ currency: "usd", amount: 9900 }] }));
    const refused = await owner.post(form, actionFieldsOf(text)!);
    expect(refused.status).toBe(409);
    expect(wordsOf(refused.text)).toContain("The Product has been changed since you opened this page.");
    expect(wordsOf(refused.text)).toContain("US$99.00");
    expect((await story.subscription(ada.id)).priceChange).toBe(null);
    expect((await owner.post(form, actionFieldsOf(refused.text)!)).status).toBe(303);
  });

  test("are paused, resumed, stopped and withdrawn, each with an entry in the audit log", async () => {
    const { form, ada } = await raised();
    const place = await begin(form, { consent: "notice" });
    const id = place.split("/").at(-1)!;
    const status = async () => (await story.ok(story.app.manage("GET", `/price-changes/${id}`))).status;
    expect((await support.get(`${place}/pause`)).status).toBe(403);
    for (const [step, result] of [
      ["pause", "paused"],
      ["resume", "running"],
      ["pause", "paused"],
    ] as const) {
      expect((await doAction(owner, `${place}/${step}`)).headers.get("Location")).toBe(place);
      expect(await status()).toBe(result);
      expect(await lastEntry()).toMatchObject({ operation: `${step}PriceChange`, resourceId: id });
    }
    expect((await read(place)).words).toContain("Status Paused");
    expect((await preview(form, { consent: "notice" })).words).toContain("Give notice to 2 Subscriptions");
    await doAction(owner, `${place}/resume`);
    await story.settle();
    expect((await read(`${place}/withdraw`)).words).toContain(
      "2 Subscriptions with notice of a new price will keep the present price.",
    );
    await doAction(owner, `${place}/withdraw`);
    await story.settle();
    expect(await status()).toBe("withdrawn");
    expect((await read(place)).words).toContain("Ada Withdrawn The price change was withdrawn");
    expect((await story.subscription(ada.id)).priceChange).toBe(null);
    const over = await doAction(owner, `${place}/stop`);
    expect(over.status).toBe(409);
    expect(wordsOf(over.text)).toContain("This price change has ended.");
  });

  test("refuse values that they can't use, at their fields", async () => {
    const { form } = await raised();
    for (const [fields, said] of [
      [{ noticeDays: "121" }, /Days of notice.*120/],
      [{ noticeDays: "soon" }, /Days of notice/],
      [{ "only.priceBelow": "1.234" }, /An amount in USD has at most 2 decimals/],
      [{ "only.subscribedBefore": "yesterday" }, /Enter a day such as/],
    ] as const) {
      const { status, words } = await preview(form, { consent: "notice", ...fields });
      expect(status).toBe(422);
      expect(words).toMatch(said);
    }
    const none = await preview(form, { consent: "notice", "only.priceBelow": "20" });
    expect(none.words).toContain("No Subscription would get notice.");
    expect(none.words).not.toContain("Give notice");
  });

  test("bring the same price with a consent only after the price change without it was withdrawn", async () => {
    const { form, ada } = await raised();
    const place = await begin(form, { consent: "notice" });
    await story.settle();
    const again = await preview(form, { consent: "required" });
    expect(again.words).toContain("wait already keep the terms of their notice, until that price change is withdrawn");
    await doAction(owner, `${place}/withdraw`);
    await story.settle();
    await begin(form, { consent: "required" });
    await story.settle();
    expect(await story.subscription(ada.id)).toMatchObject({ priceChange: { consent: "required" } });
  });

  test("are for chosen currencies, and a second price change waits for the first", async () => {
    const prices = [
      { currency: "usd", amount: 2000 },
      { currency: "eur", amount: 1800 },
    ];
    const { id, form } = await raised({ prices });
    await story.ok(
      story.app.manage("PATCH", `/products/${id}`, { prices: prices.map((each) => ({ ...each, amount: 2400 })) }),
    );
    const missing = await preview(form, { consent: "notice", "only.priceBelow": "21", currencies: "" });
    expect(missing.status).toBe(422);
    const place = await begin(form, { consent: "notice", "only.priceBelow": "21.00", currencies: "usd" });
    expect((await read(place)).words).toContain("New price US$24.00 Only if a unit costs less than US$21.00");
    await doAction(owner, `${place}/pause`);
    const { text } = await preview(form, { consent: "notice", currencies: "usd" });
    const second = await owner.post(form, actionFieldsOf(text)!);
    expect(second.status).toBe(409);
    expect(wordsOf(second.text)).toContain("Withdraw it to bring the same price with another consent");
    await doAction(owner, `${place}/stop`);
  });

  test("are listed with their time, and the number that pay each", async () => {
    const { id, path, form } = await raised();
    await story.travel("2026-03-02");
    await story.ok(story.app.manage("PATCH", `/products/${id}`, { prices: [{ currency: "usd", amount: 2500 }] }));
    expect((await read(path)).text).toContain(`href="${path}/prices"`);
    const { words, text } = await read(`${path}/prices`);
    expect(words).toContain("US$25.00 2 Mar 2026, 09:00 Now 0 US$24.00 1 Mar 2026, 09:00 2 Mar 2026, 09:00 0");
    expect(words).toContain(
      "US$20.00 No time on record 3 A price without a time was set by a request, or stood for no time",
    );
    expect(text).toContain(`href="${form}"`);
    const other = await read(`${path}/prices`, support);
    expect(other.status).toBe(200);
    expect(other.text).not.toContain("price-changes/new");
    expect((await support.get(form)).status).toBe(403);
  });
});
