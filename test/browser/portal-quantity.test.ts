import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press } from "../support/buyers.ts";
import { enterAt } from "../support/keyboard.ts";
import { confirmAtBank, follow, giveAskingCard, goHome, mainOf } from "../support/portal-pages.ts";
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
  await story.plan("team", 1200, { name: "Team", quantity: { minimum: 2, maximum: 50 }, unitName });
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** The portal's home, for a new Customer with 5 seats. */
async function enter(options: BrowserContextOptions = {}): Promise<{ page: Page; sold: Json }> {
  const email = newBuyer();
  const customer = { email, externalId: email };
  const sold = await story.buy({ productKey: "team", quantity: 5, customer }, CARDS.pays);
  const page = await openPage(browser, options);
  await goHome(page, story, sold);
  return { page, sold };
}
/** Types a quantity on the page of the Subscription, and asks for its figures. */
async function type(page: Page, { id }: Json, quantity: string): Promise<void> {
  await page.goto(`${portal}/subscriptions/${id}/quantity`);
  await page.getByLabel("Quantity (seats)").fill(quantity);
  await press(page, "Show the new price");
}

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a Customer types a quantity, sees the exact amount, and changes with one click", async () => {
    const { page, sold } = await enter(options);
    expect(await mainOf(page)).toContain("5 seats × US$12.00");
    await follow(page, /^Change quantity/);
    const field = page.getByLabel("Quantity (seats)");
    expect(await field.inputValue()).toBe("5");
    await field.fill("51");
    await press(page, "Show the new price");
    await page.getByRole("alert").waitFor();
    expect(await mainOf(page)).toContain("Enter a whole number: 2 to 50 seats.");
    await field.fill("8");
    await press(page, "Show the new price");
    expect(await heading(page)).toBe("Change to Team, 8 seats × US$12.00");
    expect(await mainOf(page)).toContain("Due today US$36.00 Takes effect Today Paid with Visa •••• 4242");
    await press(page, "Confirm and pay US$36.00");
    await page.getByText("Your subscription is now Team, 8 seats × US$12.00.").waitFor();
    expect(await story.subscription(sold.id)).toMatchObject({ quantity: 8, amount: 9600 });
    await follow(page, "Back to your account");
    expect(await mainOf(page)).toContain("8 seats × US$12.00");
  });

  test("the bank asks, and the buyer is back in the portal with the new quantity", async () => {
    const { page, sold } = await enter(options);
    await giveAskingCard(story, sold, CARDS.asksBuyer);
    await type(page, sold, "8");
    await confirmAtBank(page, "Confirm and pay US$36.00");
    await page.waitForURL(`${portal}/subscriptions/${sold.id}/quantity?quantity=8`);
    expect(await heading(page)).toBe("Your plan has changed");
    expect(await story.subscription(sold.id)).toMatchObject({ quantity: 8 });
  });
});

test("a second click makes no second change", async () => {
  const { page, sold } = await enter();
  await type(page, sold, "8");
  await page.getByRole("button", { name: "Confirm and pay US$36.00" }).dblclick();
  await page.getByText("Your subscription is now Team, 8 seats × US$12.00.").waitFor();
  const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`));
  expect(data).toHaveLength(2);
});

test("a change works by the keyboard alone", async () => {
  const { page, sold } = await enter();
  await enterAt(page, page.getByRole("link", { name: /^Change quantity/ }));
  await page.waitForLoadState();
  await page.getByLabel("Quantity (seats)").fill("3");
  await page.getByLabel("Quantity (seats)").press("Enter");
  await page.getByRole("heading", { name: /^Change to Team, 3 seats/ }).waitFor();
  await enterAt(page, page.getByRole("button", { name: "Change now" }));
  await page.getByText("Your subscription is now Team, 3 seats").waitFor();
  expect(await story.subscription(sold.id)).toMatchObject({ quantity: 3 });
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no page has a fault that a machine can find", async (_name, viewport) => {
  const { page, sold } = await enter({ viewport });
  await inspect(page);
  await page.goto(`${portal}/subscriptions/${sold.id}/quantity`);
  await inspect(page);
  for (const quantity of ["51", "8"]) {
    await type(page, sold, quantity);
    await inspect(page);
  }
  await press(page, /^Confirm and pay/);
  await page.getByText("Your subscription is now Team, 8 seats").waitFor();
  await inspect(page);
});
