import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const CARD = { number: CARDS.pays, expiry: "12 / 40", cvc: "123" };
const CHANGE = { quantity: 5, quantityChange: { minimum: 2, maximum: 50 } };
const PLURAL = { quantity: { minimum: 2, maximum: 50 }, unitName: { en: { one: "seat", other: "seats" } } };

let story: Story;
let buyers = 0;
beforeAll(async () => {
  story = await startStory({ clock: "2026-06-01T00:00:00Z" });
});
afterEach(async () => expect(await story.audit()).toEqual([]));
afterAll(() => story.close());

async function open(productKey: string, more: object) {
  const customer = { email: `buyer-${++buyers}@example.com` };
  return story.ok(story.app.api("POST", "/checkouts", { productKey, customer, ...more }));
}
/** The buyer chooses a quantity on the page, sees the amount due in minor units, and pays with this agreement. */
async function choose(url: string, from: number, quantity: number, due: number): Promise<void> {
  const chosen = { action: "quantity", quantity: String(quantity), expectedQuantity: String(from) };
  const { text } = await post(url, chosen);
  expect(text).toContain(`name="expectedAmount" value="${due}"`);
  const agreed = { expectedAmount: String(due), expectedQuantity: String(quantity), quantity: String(quantity) };
  expect(await post(url, { ...CARD, ...agreed })).toMatchObject({ status: 303 });
}
const bought = async (id: string) => story.ok(story.app.api("GET", `/checkouts/${id}`));
/** The invoices since the last look, with plain spaces. */
const statement = async () => (await story.statement()).map((line) => line.replaceAll("\u00a0", " "));

test("5 seats become 8 on the page, and the renewal bills 8", async () => {
  await story.plan("team", 1200, { name: "Team", ...PLURAL });
  const { id, url } = await open("team", CHANGE);
  await choose(url, 5, 8, 9600);
  const { subscriptionId, quantity } = await bought(id);
  expect(quantity).toBe(8);
  expect(await statement()).toEqual([
    "0001 checkout paid 9600",
    "     Team, 8 seats × US$12.00 9600 2026-06-01 → 2026-07-01",
  ]);
  await story.travel("2026-07-01");
  expect(await statement()).toEqual([
    "0002 renewal paid 9600",
    "     Team, 8 seats × US$12.00 9600 2026-07-01 → 2026-08-01",
  ]);
  expect(await story.subscription(subscriptionId)).toMatchObject({ quantity: 8, unitAmount: 1200, amount: 9600 });
});

test("one book becomes 3 on the page, at the price of its creation", async () => {
  const book = await story.plan("book", 4900, { name: "Book", interval: null, quantity: { maximum: null } });
  const { id, url } = await open("book", { quantityChange: { minimum: 1, maximum: 10 } });
  const dearer = { prices: [{ currency: "usd", amount: 9900 }] };
  await story.ok(story.app.manage("PATCH", `/products/${book.id}`, dearer));
  await choose(url, 1, 3, 14_700);
  expect(await statement()).toEqual(["0001 checkout paid 14700", "     Book, 3 × US$49.00 14700"]);
  expect(await bought(id)).toMatchObject({ quantity: 3, unitAmount: 4900, subscriptionId: null });
});

test("a trial of 5 seats becomes one of 8, and its end bills 8", async () => {
  await story.travel("2026-08-01T00:00:00Z");
  await statement();
  await story.plan("trial", 1200, { name: "Trial", group: "trial", trialDays: 14, ...PLURAL });
  const { id, url } = await open("trial", CHANGE);
  expect(wordsOf((await get(url)).text)).toContain("Then US$60.00 every month from 15 August 2026");
  await choose(url, 5, 8, 0);
  const { subscriptionId } = await bought(id);
  expect(await story.subscription(subscriptionId)).toMatchObject({ status: "trialing", quantity: 8 });
  expect(await statement()).toEqual([]);
  await story.travel("2026-08-15");
  expect(await statement()).toEqual([
    "0001 renewal paid 9600",
    "     Trial, 8 seats × US$12.00 9600 2026-08-15 → 2026-09-15",
  ]);
});

test("a Benefit with a number of one unit shows the number of all units before the purchase (rule B5)", async () => {
  const properties = { feature: "projects", value: 10, perUnit: true };
  const benefit = await story.ok(
    story.app.manage("POST", "/benefits", { name: "Projects", type: "feature", properties }),
  );
  await story.plan("studio", 1200, { name: "Studio", benefitIds: [benefit.id], ...PLURAL });
  const { url } = await open("studio", CHANGE);
  expect(wordsOf((await get(url)).text)).toContain("Projects: 50");
  const chosen = { action: "quantity", quantity: "8", expectedQuantity: "5" };
  expect(wordsOf((await post(url, chosen)).text)).toContain("Projects: 80");
});
