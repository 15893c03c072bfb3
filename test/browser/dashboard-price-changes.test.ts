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
let home: string;
let plans = 0;
beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  home = `${story.app.url}/dashboard/${story.app.organization.id}`;
  await joinAs(story.app, "owner");
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await browser.close();
  await story.close();
});

/** A Product in two currencies. Ada and Bea pay 20.00, Cleo's end is planned, and the price is 24.00 since. */
async function raised(): Promise<{ id: string; ada: Json }> {
  const key = `pro-${(plans += 1)}`;
  const prices = (usd: number) => [
    { currency: "usd", amount: usd },
    { currency: "eur", amount: 2200 },
  ];
  const { id } = await story.plan(key, 2000, { name: "Pro", prices: prices(2000) });
  const buy = (name: string) =>
    story.buy(
      { productKey: key, currency: "usd", customer: { email: `${key}-${name}@example.com`, name } },
      CARDS.pays,
    );
  const [ada, , cleo] = [await buy("Ada"), await buy("Bea"), await buy("Cleo")];
  await story.change(cleo.id, { cancelAtPeriodEnd: true });
  await story.ok(story.app.manage("PATCH", `/products/${id}`, { prices: prices(2400) }));
  return { id, ada };
}

/** A browser at a page of the dashboard, signed in as an owner. */
async function open(path: string, options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${home}${path}`);
  await signInWith(page, emailOf("owner", story.app.organization.id));
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  return page;
}
const click = (page: Page, name: string) => page.getByRole("button", { name }).click();
const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();

test.each([
  ["with a script", true],
  ["without a script", false],
])("%s, a seller sees the effect first, and brings the price with one click", async (_name, javaScriptEnabled) => {
  const { id, ada } = await raised();
  const page = await open(`/products/${id}`, { viewport: DESK, javaScriptEnabled });
  await follow(page, "All prices, and how many pay each");
  await follow(page, "New prices for those who subscribed");
  await page.getByLabel("Days of notice").fill("200");
  await click(page, "Preview");
  await page.locator(".fault").first().waitFor();
  await page.getByLabel("Days of notice").fill("10");
  await page.getByLabel("The Customer has to agree").check();
  await click(page, "Preview");
  await page.getByRole("row", { name: "US$24.00 2 US$40.00 US$48.00" }).waitFor();
  await page.getByText("Its end is planned: 1").waitFor();
  await click(page, "Change the values again");
  expect(await page.getByLabel("Days of notice").inputValue()).toBe("10");
  await click(page, "Preview");
  await click(page, "Give notice to 2 Subscriptions");
  await page.getByRole("heading", { name: "Progress" }).waitFor();
  await story.settle();
  // The page loads itself again.
  await page.getByText("All notices are given").waitFor();
  expect(await page.getByRole("link", { name: "Refresh" }).count()).toBe(0);
  expect((await story.subscription(ada.id)).priceChange).toMatchObject({ unitAmount: 2400, consent: "required" });
  await follow(page, "Left out");
  await page.getByRole("row", { name: /Cleo.*Its end is planned/ }).waitFor();
  await follow(page, "Withdraw");
  await click(page, "Withdraw the price change");
  await page.getByText("Being withdrawn").waitFor();
  await story.settle();
  await page.getByText("Being withdrawn").waitFor({ state: "detached" });
  await follow(page, "All");
  await page.getByRole("row", { name: /Ada.*Withdrawn/ }).waitFor();
  expect((await story.subscription(ada.id)).priceChange).toBe(null);
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no page has a fault that a machine can find", async (_name, viewport) => {
  const { id, ada } = await raised();
  const page = await open(`/products/${id}/price-changes/new`, { viewport });
  await inspect(page);
  await page.getByLabel("Days of notice").fill("200");
  await click(page, "Preview");
  await page.locator(".fault").first().waitFor();
  await inspect(page);
  await page.getByLabel("Days of notice").fill("10");
  await click(page, "Preview");
  await page.getByText("Its end is planned: 1").waitFor();
  await inspect(page);
  await click(page, "Give notice to 2 Subscriptions");
  await page.getByRole("heading", { name: "Progress" }).waitFor();
  const place = page.url();
  await story.settle();
  const paths = [place, `${place}/withdraw`, `${home}/products/${id}/prices`, `${home}/customers/${ada.customerId}`];
  for (const path of paths) {
    await page.goto(path);
    await inspect(page);
  }
});
