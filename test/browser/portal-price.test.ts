import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press } from "../support/buyers.ts";
import { enterAt } from "../support/keyboard.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let portal: string;
let plans = 0;

beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  portal = (await story.ok(story.app.manage("GET", "/organization"))).portalUrl;
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await browser.close();
  await story.close();
});

/** The portal's home of a new Customer with 3 seats, whose price rises on 1 April if the Customer agrees. */
async function enter(options: BrowserContextOptions = {}): Promise<{ page: Page; sold: Json }> {
  const key = `team-${(plans += 1)}`;
  const unitName = { en: { one: "seat", other: "seats" }, de: { one: "Platz", other: "Plätze" } };
  const { id } = await story.plan(key, 1000, { name: "Team", quantity: { minimum: 2, maximum: 50 }, unitName });
  const sold = await story.buy({ productKey: key, quantity: 3, customer: { email: newBuyer() } }, CARDS.pays);
  await story.ok(story.app.manage("PATCH", `/products/${id}`, { prices: [{ currency: "usd", amount: 1200 }] }));
  await story.ok(story.app.manage("POST", `/products/${id}/price-changes`, { consent: "required" }));
  await story.settle();
  const { url } = await story.ok(story.app.manage("POST", `/customers/${sold.customerId}/portal-sessions`, {}));
  const page = await openPage(browser, options);
  await page.goto(url);
  const button = page.getByRole("button", { name: "Sign in" });
  if (await button.count()) await button.click();
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  return { page, sold };
}
const mainOf = async (page: Page) =>
  (await page.getByRole("main").innerText()).replaceAll("\u00a0", " ").replace(/\s+/g, " ");
const missing = (page: Page) => page.getByRole("region", { name: /^Team ends on 1 April 2026 unless you agree/ });

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("the home page asks first, and one click on the page of the price agrees", async () => {
    const { page, sold } = await enter(options);
    await missing(page)
      .getByRole("link", { name: /^See the new price/ })
      .click();
    expect(await heading(page)).toBe("New price of Team");
    const said = await mainOf(page);
    expect(said).toContain("Until then US$30.00 every month (3 seats × US$10.00)");
    expect(said).toContain("From 1 April 2026 US$36.00 every month (3 seats × US$12.00)");
    expect(said).toContain("Otherwise, it ends on 1 April 2026, and you won’t be charged again.");
    await press(page, "Agree to the new price");
    await page.getByText("Thank you. You agreed to the new price.").waitFor();
    expect(await missing(page).count()).toBe(0);
    expect(await mainOf(page)).toContain("Next charge 1 April 2026: US$36.00 to Visa •••• 4242");
    expect((await story.subscription(sold.id)).priceChange.consentedAt).toBe("2026-03-01T09:00:00.000Z");
  });
});

test("the page of the price leads to the cancellation, and back without a consent", async () => {
  const { page, sold } = await enter();
  await page.goto(`${portal}/subscriptions/${sold.id}/price`);
  await page.getByRole("link", { name: "Not now" }).click();
  await missing(page).waitFor();
  await page.goto(`${portal}/subscriptions/${sold.id}/price`);
  await page.getByRole("link", { name: "Cancel subscription" }).click();
  await press(page, /^Cancel on/);
  await page.getByText("Your cancellation is confirmed.").waitFor();
  expect(await missing(page).count()).toBe(0);
  expect(await story.subscription(sold.id)).toMatchObject({
    cancelAtPeriodEnd: true,
    priceChange: { consentedAt: null },
  });
});

test("a consent works by the keyboard alone", async () => {
  const { page, sold } = await enter();
  await enterAt(page, missing(page).getByRole("link"));
  await page.getByRole("heading", { name: "New price of Team" }).waitFor();
  await enterAt(page, page.getByRole("button", { name: "Agree to the new price" }));
  await page.getByText("Thank you. You agreed to the new price.").waitFor();
  expect((await story.subscription(sold.id)).priceChange.consentedAt).not.toBe(null);
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no page has a fault that a machine can find", async (_name, viewport) => {
  const { page, sold } = await enter({ viewport });
  await inspect(page);
  await page.goto(`${portal}/subscriptions/${sold.id}/price`);
  await inspect(page);
  await press(page, "Agree to the new price");
  await page.getByText("Thank you. You agreed to the new price.").waitFor();
  await inspect(page);
});
