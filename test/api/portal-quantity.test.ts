import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { signInTo, startPortalStory, startWebClient, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

const SEATS = { en: { one: "seat", other: "seats" }, ja: { one: "席", other: "席" } };

let story: Story;
let portal: string;
let there: WebClient;
let sold: Json;
let team: Json;
let buyers = 0;

async function begin(quantity = 5, more: object = {}, productKey = "team"): Promise<void> {
  const externalId = `seats-${(buyers += 1)}`;
  const customer = { email: `${externalId}@example.com`, externalId, ...more };
  sold = await story.buy({ productKey, quantity, customer }, CARDS.pays);
  there = await signInTo(story, sold.customerId);
  await story.news();
}
const path = () => `${portal}/subscriptions/${sold.id}/quantity`;
const show = (quantity: number | string) => there.post(`${path()}/figures`, { quantity: `${quantity}` });
const fieldsOf = ({ text }: Page) =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
const confirm = (page: Page) => there.post(path(), fieldsOf(page));
const subscription = () => story.subscription(sold.id);
const said = async (page: Promise<Page> | Page) =>
  wordsOf((await page).text)
    .replaceAll("\u00a0", " ")
    .replaceAll(" ,", ",");
const allow = (settings: object) => story.ok(story.app.manage("PATCH", "/organization", { portal: settings }));

beforeAll(async () => {
  ({ story, portal } = await startPortalStory());
  const quantity = { minimum: 2, maximum: 50 };
  team = await story.plan("team", 1200, { name: "Team", quantity, unitName: SEATS });
  await story.plan("pair", 1500, { name: "Pair", quantity: { minimum: 1, maximum: 2 }, unitName: SEATS });
  await story.plan("fixed", 900, { name: "Fixed", group: "others" });
  await allow({ changeQuantity: true });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("the page of the quantity (rule Q9)", () => {
  it("has the present units and the limits, and the account has a link to it", async () => {
    await begin();
    const home = await said(there.get(portal));
    expect(home).toContain("Price US$60.00 every month Quantity 5 seats × US$12.00");
    expect(home).toContain("Change quantity Team");
    const page = await said(there.get(path()));
    expect(page).toContain("You have Team, 5 seats × US$12.00.");
    expect(page).toContain("2 to 50 seats");
  });

  it("takes no quantity from an address, as a link of a stranger must not choose the amount", async () => {
    await begin();
    const { status, text } = await there.get(`${path()}?quantity=50`);
    expect([status, text.includes("Confirm and pay"), text.includes('value="50"')]).toEqual([200, false, false]);
  });

  it("shows the figures of the change, and one click makes it", async () => {
    await begin();
    const page = await show(8);
    const words = await said(page);
    for (const each of [
      "Change to Team, 8 seats × US$12.00",
      "Your current plan: Team, 5 seats × US$12.00",
      "Team, 5 seats × US$12.00, unused rest of the period −US$60.00",
      "Team, 8 seats × US$12.00, rest of the period US$96.00",
      "Due today US$36.00 Takes effect Today Paid with Visa •••• 4242",
      "Next charge US$96.00 on 1 April 2026",
      "Confirm and pay US$36.00",
    ])
      expect(words).toContain(each);
    const done = await confirm(page);
    expect([done.status, done.headers.get("Location")]).toEqual([303, `${path()}?quantity=8`]);
    expect(await said(show(8))).toContain("Your subscription is now Team, 8 seats × US$12.00.");
    expect(await subscription()).toMatchObject({ quantity: 8, unitAmount: 1200, amount: 9600 });
    // A second click, and the form again, have no second effect.
    expect((await confirm(page)).status).toBe(303);
    const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`));
    expect(data.map(({ amount }: Json) => amount)).toEqual([3600, 6000]);
  });

  it.each(["51", "1", "0", "-3", "2.5", "many", "", "99999999999"])("answers %j with the limits", async (typed) => {
    await begin();
    for (const page of [await show(typed), await there.post(path(), { quantity: typed })]) {
      expect(page.status).toBe(422);
      expect(await said(page)).toContain("Enter a whole number: 2 to 50 seats.");
    }
    expect(await story.news()).toEqual([]);
  });

  it("asks again if the figures, or the limits, are others than those of the page", async () => {
    await begin();
    const page = await show(8);
    await story.change(sold.id, { quantity: 6 });
    const again = await confirm(page);
    expect(again.status).toBe(409);
    expect(await said(again)).toContain("Team, 6 seats × US$12.00, unused rest of the period −US$72.00");
    expect(await subscription()).toMatchObject({ quantity: 6 });
    const limits = (maximum: number) =>
      story.ok(story.app.manage("PATCH", `/products/${team.id}`, { quantity: { minimum: 2, maximum } }));
    await limits(7);
    const refused = await confirm(again);
    expect([refused.status, await said(refused)]).toEqual([422, expect.stringContaining("2 to 7 seats.")]);
    await limits(50);
    const other = { ...fieldsOf(again), quantity: "50" };
    expect((await there.post(path(), other)).status).toBe(409);
    expect(await subscription()).toMatchObject({ quantity: 6 });
  });

  it("is written in the Customer's language", async () => {
    await begin(5, { locale: "ja" });
    expect(await said(show(8))).toContain("$12.00 × 8席");
  });

  it("is there only for the Customer's own Subscription", async () => {
    await begin();
    const [own, fields] = [path(), fieldsOf(await show(8))];
    await begin();
    for (const page of [await there.get(own), await there.post(own, fields), await there.post(`${own}/keep`)])
      expect(page.status).toBe(404);
    const stranger = startWebClient(story.app.url);
    expect((await stranger.post(own, fields)).headers.get("Location")).toBe(portal);
    expect(await story.news()).toEqual([]);
  });

  it("has no link where the Product is sold in one quantity", async () => {
    await begin(1, {}, "fixed");
    const home = await said(there.get(portal));
    expect(home).not.toContain("Change quantity");
    expect(home).not.toContain("Quantity 1");
    expect((await show(2)).status).toBe(422);
  });
});

describe("the other plans", () => {
  it("cost the present quantity, and a plan without it names its limits (rule Q9d)", async () => {
    await begin(2);
    await allow({ changeQuantity: false });
    const plans = `${portal}/subscriptions/${sold.id}/plan`;
    expect(await said(there.get(plans))).toMatch(/Pair US\$30\.00 every month 2 seats × US\$15\.00 Choose Pair/);
    await begin(5);
    const { data } = await story.ok(story.app.manage("GET", "/products?key=pair"));
    const page = await there.get(`${portal}/subscriptions/${sold.id}/plan/${data[0].id}`);
    expect(page.status).toBe(303);
    const words = await said(there.get(page.headers.get("Location")!));
    expect(words).toContain("Pair US$30.00 every month 2 seats × US$15.00 Available in quantities from 1 to 2 seats.");
    expect(words).not.toContain("Choose Pair");
    await allow({ changeQuantity: true });
  });
});

describe("a portal that allows no change of the quantity (rule I10)", () => {
  it("has neither its link, nor its page, nor its form", async () => {
    await begin();
    const page = await show(8);
    await allow({ changeQuantity: false });
    expect(await said(there.get(portal))).not.toContain("Change quantity");
    for (const refused of [await show(8), await confirm(page), await there.post(`${path()}/keep`)])
      expect(refused.status).toBe(403);
    expect(await story.news()).toEqual([]);
    await allow({ changeQuantity: true });
  });
});
