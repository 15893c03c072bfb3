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
let products: Record<string, string>;
let buyers = 0;

async function begin(productKey = "solo", quantity = 1, more: object = {}): Promise<void> {
  const externalId = `both-${(buyers += 1)}`;
  const customer = { email: `${externalId}@example.com`, externalId, ...more };
  sold = await story.buy({ productKey, quantity, customer }, CARDS.pays);
  there = await signInTo(story, sold.customerId);
  await story.news();
}
const plans = () => `${portal}/subscriptions/${sold.id}/plan`;
const pathTo = (key: string) => `${plans()}/${products[key]}`;
const open = (key: string) => there.get(pathTo(key));
const show = (key: string, quantity: number | string) =>
  there.post(`${pathTo(key)}/figures`, { quantity: `${quantity}` });
const fieldsOf = ({ text }: Page) =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
const fieldOf = ({ text }: Page) => /<input id="quantity"[^>]*? value="([^"]*)"/.exec(text)?.[1];
const confirm = (key: string, page: Page, quantity = fieldOf(page)) =>
  there.post(pathTo(key), { ...fieldsOf(page), ...(quantity !== undefined && { quantity }) });
const subscription = () => story.subscription(sold.id);
const said = async (page: Promise<Page> | Page) =>
  wordsOf((await page).text)
    .replaceAll("\u00a0", " ")
    .replaceAll(" ,", ",");
const settings = (body: object) => story.ok(story.app.manage("PATCH", "/organization", body));
const allow = (portalSettings: object) => settings({ portal: portalSettings });

beforeAll(async () => {
  ({ story, portal } = await startPortalStory());
  const seats = (minimum: number, maximum: number) => ({ quantity: { minimum, maximum }, unitName: SEATS });
  await story.plan("solo", 900, { name: "Solo" });
  await story.plan("team", 1200, { name: "Team", ...seats(2, 50) });
  await story.plan("firm", 1000, { name: "Firm", ...seats(10, 100) });
  await story.plan("trial", 0, { name: "Trial", ...seats(1, 20) });
  const { data } = await story.ok(story.app.manage("GET", "/products"));
  products = Object.fromEntries(data.map(({ key, id }: Json) => [key, id]));
  await allow({ changeQuantity: true });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("another plan with another quantity (rule Q9e)", () => {
  it("can be chosen where the plan is not sold in the present quantity, and begins with the nearest one", async () => {
    await begin();
    const words = await said(there.get(plans()));
    expect(words).toContain(
      "Team US$24.00 every month 2 seats × US$12.00 Available in quantities from 2 to 50 seats. Choose Team",
    );
    const page = await open("team");
    expect([page.status, fieldOf(page)]).toEqual([200, "2"]);
    const shown = await said(page);
    for (const each of ["Change to Team, 2 seats × US$12.00", "2 to 50 seats", "Confirm and pay US$15.00"])
      expect(shown).toContain(each);
    await begin("firm", 60);
    expect(fieldOf(await open("team"))).toBe("50");
    await begin("firm", 20);
    expect(fieldOf(await open("team"))).toBe("20");
  });

  it("shows the figures of both, and one click makes both: one change, one invoice, one event", async () => {
    await begin("team", 5);
    const page = await show("firm", 12);
    const words = await said(page);
    for (const each of [
      "Change to Firm, 12 seats × US$10.00",
      "Your current plan: Team, 5 seats × US$12.00",
      "Team, 5 seats × US$12.00, unused rest of the period −US$60.00",
      "Firm, 12 seats × US$10.00, rest of the period US$120.00",
      "Due today US$60.00",
      "Next charge US$120.00 on 1 April 2026",
      "Confirm and pay US$60.00",
    ])
      expect(words).toContain(each);
    const done = await confirm("firm", page);
    expect([done.status, done.headers.get("Location")]).toEqual([303, pathTo("firm")]);
    expect(await said(open("firm"))).toContain("Your subscription is now Firm, 12 seats × US$10.00.");
    expect(await subscription()).toMatchObject({ productId: products["firm"], quantity: 12, amount: 12_000 });
    expect(await story.news()).toEqual([
      "checkout.created",
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    // A second click, and the form again, have no second effect.
    expect((await confirm("firm", page)).headers.get("Location")).toBe(pathTo("firm"));
    expect((await confirm("firm", page, "13")).headers.get("Location")).toBe(plans());
    expect(await story.news()).toEqual([]);
  });

  it("charges no quantity that the page has not shown", async () => {
    await begin();
    const page = await open("team");
    const again = await confirm("team", page, "8");
    expect([again.status, fieldOf(again)]).toEqual([409, "8"]);
    expect(await said(again)).toContain("Confirm and pay US$87.00");
    expect(await story.news()).toEqual([]);
    expect((await confirm("team", again)).status).toBe(303);
    expect(await subscription()).toMatchObject({ quantity: 8, amount: 9600 });
  });

  it("asks again about the quantity of a free plan, too", async () => {
    await begin();
    const again = await confirm("trial", await open("trial"), "8");
    expect([again.status, await said(again)]).toEqual([409, expect.stringContaining("Quantity: 8 seats")]);
    expect((await confirm("trial", again)).status).toBe(303);
    expect(await subscription()).toMatchObject({ productId: products["trial"], quantity: 8, amount: 0 });
  });

  it.each(["51", "1", "0", "-3", "2.5", "many", "", "99999999999"])("answers %j with the limits", async (typed) => {
    await begin();
    for (const page of [await show("team", typed), await confirm("team", await open("team"), typed)]) {
      const words = await said(page);
      expect([page.status, fieldOf(page)]).toEqual([422, typed]);
      expect(words).toContain("Enter a whole number: 2 to 50 seats.");
      expect(words).toContain("Change to Team");
      expect(words).not.toContain("Confirm and pay");
    }
    expect(await story.news()).toEqual([]);
  });

  it("takes no quantity from an address, as a link of a stranger must not choose the amount", async () => {
    await begin();
    expect(fieldOf(await there.get(`${pathTo("team")}?quantity=50`))).toBe("2");
  });

  it("has no field where the plan is sold in one quantity", async () => {
    await begin("team", 5);
    const page = await open("solo");
    expect([page.status, fieldOf(page)]).toEqual([200, undefined]);
    expect(await said(page)).toContain("Change to Solo Your current plan: Team, 5 seats × US$12.00");
    expect((await confirm("solo", page)).status).toBe(303);
    expect(await subscription()).toMatchObject({ productId: products["solo"], quantity: 1, amount: 900 });
  });

  it("keeps a planned quantity, and plans another one in its place", async () => {
    await begin("team", 5);
    await settings({ defaultProration: "next_period" });
    expect((await confirm("firm", await show("firm", 12))).status).toBe(303);
    const planned = "Firm US$120.00 every month 12 seats × US$10.00 From 1 April 2026";
    expect(await said(there.get(plans()))).toContain(planned);
    await story.change(sold.id, { cancelAtPeriodEnd: true });
    const page = await open("firm");
    expect(fieldOf(page)).toBe("12");
    expect((await confirm("firm", await show("firm", 14))).status).toBe(303);
    const pendingChange = { productId: products["firm"], quantity: 14, amount: 14_000 };
    expect(await subscription()).toMatchObject({ quantity: 5, cancelAtPeriodEnd: false, pendingChange });
    await settings({ defaultProration: "invoice_now" });
  });

  it("is written in the Customer's language", async () => {
    await begin("solo", 1, { locale: "ja" });
    const page = await open("team");
    expect(await said(page)).toContain("数量（席）");
    expect(await said(show("team", "51"))).toContain("2～50席");
  });

  it("is there only for the Customer's own Subscription", async () => {
    await begin();
    const [own, fields] = [pathTo("team"), fieldsOf(await show("team", 8))];
    await begin();
    for (const path of [own, `${own}/figures`])
      expect((await there.post(path, { ...fields, quantity: "8" })).status).toBe(404);
    const stranger = startWebClient(story.app.url);
    expect((await stranger.post(`${own}/figures`, { quantity: "8" })).headers.get("Location")).toBe(portal);
    expect(await story.news()).toEqual([]);
  });
});

describe("a seller that allows no change of the quantity (rule I10)", () => {
  it("has no field, and refuses a page that was opened before", async () => {
    await begin("firm", 20);
    const page = await show("team", 8);
    await allow({ changeQuantity: false });
    for (const refused of [await show("team", 8), await confirm("team", page)]) expect(refused.status).toBe(403);
    expect(await story.news()).toEqual([]);
    const at20 = await open("team");
    expect([at20.status, fieldOf(at20)]).toEqual([200, undefined]);
    await allow({ changeQuantity: true });
    const seen = await open("team");
    await allow({ changeQuantity: false });
    // The quantity of that page is the present one, so the plan alone changes.
    expect((await confirm("team", seen)).headers.get("Location")).toBe(pathTo("team"));
    expect(await subscription()).toMatchObject({ productId: products["team"], quantity: 20 });
    await allow({ changeQuantity: true });
  });
});
