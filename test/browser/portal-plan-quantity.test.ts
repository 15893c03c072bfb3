import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press } from "../support/buyers.ts";
import { enterAt } from "../support/keyboard.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { confirmAtBank, follow, giveAskingCard, goHome, mainOf } from "../support/portal-pages.ts";
import { cutWords } from "../support/cut-words.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let portal: string;

beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  const settings = { branding: { displayName: "Acme Tools" }, portal: { changeQuantity: true } };
  portal = (await story.ok(story.app.manage("PATCH", "/organization", settings))).portalUrl;
  const unitName = { en: { one: "seat", other: "seats" }, de: { one: "Platz", other: "Plätze" } };
  await story.plan("team", 1200, { name: "Team", quantity: { minimum: 1, maximum: 5 }, unitName });
  await story.plan("studio", 1000, { name: "Studio", quantity: { minimum: 8, maximum: 20 }, unitName });
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** The portal's home, for a new Customer with 5 seats of Team. */
async function enter(options: BrowserContextOptions = {}): Promise<{ page: Page; sold: Json }> {
  const email = newBuyer();
  const customer = { email, externalId: email };
  const sold = await story.buy({ productKey: "team", quantity: 5, customer }, CARDS.pays);
  const page = await openPage(browser, options);
  await goHome(page, story, sold);
  return { page, sold };
}
const field = (page: Page) => page.getByLabel("Quantity (seats)");
/** Chooses Studio, and asks for the figures of a typed quantity. */
async function type(page: Page, quantity: string): Promise<void> {
  await follow(page, /^Change plan/);
  await follow(page, "Choose Studio");
  await field(page).fill(quantity);
  await press(page, "Show the new price");
}

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a Customer chooses a plan and its quantity, sees the exact amount, and changes with one click", async () => {
    const { page, sold } = await enter(options);
    await follow(page, /^Change plan/);
    const offer = page.getByRole("listitem").filter({ hasText: "Studio" });
    expect(withPlainSpaces(await offer.innerText())).toContain("Available in quantities from 8 to 20 seats.");
    await follow(page, "Choose Studio");
    expect(await heading(page)).toBe("Change to Studio, 8 seats × US$10.00");
    expect(await field(page).inputValue()).toBe("8");
    await field(page).fill("21");
    await press(page, "Show the new price");
    await page.getByRole("alert").waitFor();
    expect(await mainOf(page)).toContain("Enter a whole number: 8 to 20 seats.");
    expect(await page.getByRole("button", { name: /^Confirm/ }).count()).toBe(0);
    await field(page).fill("12");
    await press(page, "Show the new price");
    expect(await heading(page)).toBe("Change to Studio, 12 seats × US$10.00");
    expect(await mainOf(page)).toContain("Due today US$60.00 Takes effect Today Paid with Visa •••• 4242");
    await press(page, "Confirm and pay US$60.00");
    await page.getByText("Your subscription is now Studio, 12 seats × US$10.00.").waitFor();
    expect(await story.subscription(sold.id)).toMatchObject({ quantity: 12, amount: 12_000 });
    await follow(page, "Back to your account");
    expect(await mainOf(page)).toContain("12 seats × US$10.00");
  });

  test("a quantity that is typed right before the click is shown first", async () => {
    const { page, sold } = await enter(options);
    await type(page, "12");
    await field(page).fill("20");
    await press(page, "Confirm and pay US$60.00");
    await page.getByRole("alert").waitFor();
    expect(await heading(page)).toBe("Change to Studio, 20 seats × US$10.00");
    expect(await story.subscription(sold.id)).toMatchObject({ quantity: 5 });
    await press(page, "Confirm and pay US$140.00");
    await page.getByText("Your subscription is now Studio, 20 seats").waitFor();
  });

  test("the bank asks, and the buyer is back in the portal with the new plan and quantity", async () => {
    const { page, sold } = await enter(options);
    await giveAskingCard(story, sold, CARDS.asksBuyer);
    await type(page, "12");
    await confirmAtBank(page, "Confirm and pay US$60.00");
    await page.waitForURL(`${portal}/subscriptions/${sold.id}/plan/*`);
    expect(await heading(page)).toBe("Your plan has changed");
    expect(await story.subscription(sold.id)).toMatchObject({ quantity: 12 });
  });
});

test.each(["en", "de", "fr", "es"])("on a phone, no word, date or amount in %s is cut", async (locale) => {
  const { page, sold } = await enter({ viewport: PHONE });
  await story.ok(story.app.manage("PATCH", `/customers/${sold.customerId}`, { locale }));
  await page.goto(`${portal}/subscriptions/${sold.id}/plan`);
  expect(await cutWords(page)).toEqual([]);
  await page.locator('main a[href*="/plan/prd_"]').click();
  await page.locator("#quantity").fill("21");
  await page.locator("#quantity").press("Enter");
  await page.getByRole("alert").waitFor();
  expect(await cutWords(page)).toEqual([]);
  await page.locator("#quantity").fill("12");
  await page.locator("#quantity").press("Enter");
  await page.locator(".figures").first().waitFor();
  expect(await cutWords(page)).toEqual([]);
});

test("a second click makes no second change", async () => {
  const { page, sold } = await enter();
  await type(page, "8");
  await page.getByRole("button", { name: "Confirm and pay US$20.00" }).dblclick();
  await page.getByText("Your subscription is now Studio, 8 seats × US$10.00.").waitFor();
  const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`));
  expect(data).toHaveLength(2);
});

test("a change works by the keyboard alone, and the Enter key in the field charges no card", async () => {
  const { page, sold } = await enter();
  await enterAt(page, page.getByRole("link", { name: /^Change plan/ }));
  await page.waitForLoadState();
  await enterAt(page, page.getByRole("link", { name: "Choose Studio" }));
  await page.waitForLoadState();
  await field(page).fill("9");
  await field(page).press("Enter");
  await page.getByRole("heading", { name: /^Change to Studio, 9 seats/ }).waitFor();
  expect(await story.subscription(sold.id)).toMatchObject({ quantity: 5 });
  await enterAt(page, page.getByRole("button", { name: "Confirm and pay US$30.00" }));
  await page.getByText("Your subscription is now Studio, 9 seats").waitFor();
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no page has a fault that a machine can find", async (_name, viewport) => {
  const { page } = await enter({ viewport });
  await follow(page, /^Change plan/);
  await inspect(page);
  await follow(page, "Choose Studio");
  await inspect(page);
  for (const quantity of ["21", "12"]) {
    await field(page).fill(quantity);
    await press(page, "Show the new price");
    await inspect(page);
  }
});
