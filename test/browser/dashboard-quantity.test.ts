import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { emailOf, joinAs } from "../support/form-actions.ts";
import { signInWith } from "../support/signed-in.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let bought: Json;
let team: Json;
let home: string;
beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  const unitName = { en: { one: "seat", other: "seats" } };
  team = await story.plan("team", 1200, { name: "Team", quantity: { minimum: 2, maximum: 50 }, unitName });
  const customer = { email: "ada@example.com", name: "Ada" };
  bought = await story.buy({ productKey: "team", quantity: 5, customer }, CARDS.pays);
  home = `${story.app.url}/dashboard/${story.app.organization.id}`;
  await joinAs(story.app, "owner");
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** A browser at a page of the dashboard, signed in as an owner. */
async function open(path: string, options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${home}${path}`);
  await signInWith(page, emailOf("owner", story.app.organization.id));
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

test("a Product gets limits and nouns in its form, with a script", async () => {
  const page = await open("/products/new", { viewport: DESK });
  await page.getByLabel("Name", { exact: true }).fill("Crew");
  await page.getByLabel("Amount of price 1").fill("12");
  await page.getByLabel("Smallest quantity").fill("2");
  await page.getByLabel("Largest quantity").fill("");
  await page.getByText("Noun of a unit", { exact: true }).click();
  await page.getByLabel("One unit, in English").fill("seat");
  await page.getByLabel("Several units, in English").fill("seats");
  await page
    .getByRole("region", { name: /What the buyer/ })
    .getByText("2 seats × US$12.00")
    .last()
    .waitFor();
  await inspect(page);
  await page.getByRole("button", { name: "Create the Product" }).click();
  await page.getByText("2 to 100,000 seats").waitFor();
  await inspect(page);
});

test("an operator changes the quantity by its preview, without a script", async () => {
  const page = await open(`/customers/${bought.customerId}`, { viewport: DESK, javaScriptEnabled: false });
  await page.getByText("5 seats × US$12.00").first().waitFor();
  await page.getByRole("link", { name: "Change the plan of Team" }).click();
  await page.getByLabel("Quantity of Team").fill("8");
  await page.getByRole("button", { name: "Preview this quantity" }).click();
  await page.getByRole("row", { name: /unused rest of the period/ }).waitFor();
  await page.getByRole("button", { name: "Charge US$36.00 and change to 8 seats of Team" }).click();
  await page.getByText("8 seats × US$12.00").first().waitFor();
  expect(await story.subscription(bought.id)).toMatchObject({ quantity: 8, amount: 9600 });
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no page has a fault that a machine can find", async (_name, viewport) => {
  const change = `/customers/${bought.customerId}/subscriptions/${bought.id}/change`;
  const page = await open(change, { viewport });
  const made = `/customers/${bought.customerId}/subscriptions/new`;
  for (const path of [change, `${change}?productId=${team.id}&quantity=9`, made, "/checkouts/new", "/subscriptions"]) {
    await page.goto(`${home}${path}`);
    await inspect(page);
  }
});
