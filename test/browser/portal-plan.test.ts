import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press, typeCard } from "../support/buyers.ts";
import { takeHostedCards } from "../support/hosted.ts";
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
  const { app, ok } = story;
  const branding = { displayName: "Acme Tools", accentColor: "#ffd400" };
  portal = (await ok(app.manage("PATCH", "/organization", { branding }))).portalUrl;
  const benefit = async (name: string, type: string, properties: object) =>
    (await ok(app.manage("POST", "/benefits", { name, type, properties }))).id;
  const editor = await benefit("Editor", "license_key", { prefix: "ACME", activationLimit: 2 });
  const sso = await benefit("Single sign-on", "feature", { feature: "sso", value: true });
  await story.plan("basic", 1000, { name: "Basic — أساسي", description: "To begin with." });
  await story.plan("pro", 3000, { name: "Pro", benefitIds: [editor] });
  await story.plan("team", 6000, { name: "Team", description: "For everyone.", benefitIds: [editor, sso] });
  await story.plan("year", 60_000, { name: "Team yearly", interval: "year" });
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** A page of the portal's home, for a new Customer with Pro. */
async function enter(options: BrowserContextOptions = {}): Promise<{ page: Page; sold: Json }> {
  const email = newBuyer();
  const sold = await story.buy({ productKey: "pro", customer: { email, externalId: email } }, CARDS.pays);
  const page = await openPage(browser, options);
  await goHome(page, story, sold);
  return { page, sold };
}
async function choose(page: Page, plan: string): Promise<void> {
  await follow(page, /^Change plan/);
  await follow(page, `Choose ${plan}`);
}
const amountOf = async ({ id }: Json) => (await story.subscription(id)).amount;

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a Customer compares the plans, sees the exact amount, and changes with one click", async () => {
    const { page, sold } = await enter(options);
    await follow(page, /^Change plan/);
    expect(await heading(page)).toBe("Change your plan");
    const present = page.getByRole("listitem").filter({ hasText: "Your plan" });
    expect(await present.innerText()).toContain("Pro");
    expect(await present.getByRole("link").count()).toBe(0);
    await follow(page, "Choose Team");
    expect(await heading(page)).toBe("Change to Team");
    const words = await mainOf(page);
    expect(words).toContain("Pro, unused rest of the period −US$30.00 Team, rest of the period US$60.00");
    expect(words).toContain("Due today US$30.00 Takes effect Today Paid with Visa •••• 4242 Use another card");
    await press(page, "Confirm and pay US$30.00");
    await page.getByText("Your subscription is now Team.").waitFor();
    expect(await amountOf(sold)).toBe(6000);
    await follow(page, "Back to your account");
    expect(await page.getByRole("heading", { level: 3, name: "Team" }).count()).toBe(1);
  });

  test("the bank asks, and the buyer is back in the portal with the new plan", async () => {
    const { page, sold } = await enter(options);
    await giveAskingCard(story, sold, CARDS.asksBuyer);
    await choose(page, "Team");
    await confirmAtBank(page, "Confirm and pay US$30.00");
    await page.waitForURL(`${portal}/subscriptions/${sold.id}/plan/*`);
    expect(await heading(page)).toBe("Your plan has changed");
    expect(await amountOf(sold)).toBe(6000);
  });

  test("the buyer refuses at the bank, and another card finishes the change", async () => {
    const { page, sold } = await enter(options);
    await giveAskingCard(story, sold, CARDS.asksBuyer);
    await choose(page, "Team");
    await press(page, "Confirm and pay US$30.00");
    await follow(page, "Continue to your bank");
    await press(page, "No, refuse");
    await page.getByRole("alert").getByText("The payment was not confirmed with your bank.").waitFor();
    expect(await amountOf(sold)).toBe(3000);
    await page.getByText("Visa •••• 3220").waitFor();
    await page.getByRole("link", { name: "Pay with another card" }).click();
    await typeCard(page, CARDS.paysToo);
    await press(page, "Pay US$30.00 and change plan");
    await page.waitForURL(`${portal}/subscriptions/${sold.id}/plan/*`);
    expect(await amountOf(sold)).toBe(6000);
  });

  test("a lost device is removed after a question", async () => {
    const { page, sold } = await enter(options);
    const { data } = await story.ok(story.app.api("GET", `/benefit-grants?customerId=${sold.customerId}`));
    const key = { organizationId: story.app.organization.id, key: data[0].properties.key };
    for (const label of ["Ada's laptop", "Ada's phone"])
      await story.ok(story.app.licenses("POST", "/activate", { ...key, label }));
    await page.reload();
    await follow(page, /^Manage devices/);
    expect(await heading(page)).toBe("Editor");
    await page.getByText("2 of 2 devices in use").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "Ada's laptop" })
      .getByRole("link", { name: /^Remove/ })
      .click();
    expect(await heading(page)).toBe("Remove Ada's laptop?");
    await press(page, "Remove this device");
    await page.getByText("1 of 2 devices in use").waitFor();
    expect(await page.getByText("Ada's laptop").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Copy" }).count()).toBe(options.javaScriptEnabled ? 1 : 0);
  });
});

test("a change works by the keyboard alone", async () => {
  const { page, sold } = await enter();
  for (const name of [/^Change plan/, "Choose Basic — أساسي", "Change now"]) {
    await enterAt(page, page.getByRole("link", { name }).or(page.getByRole("button", { name })).first());
    await page.waitForLoadState();
  }
  await page.getByText("Your subscription is now Basic — أساسي.").waitFor();
  expect(await amountOf(sold)).toBe(1000);
});

test("a second click makes no second change", async () => {
  const { page, sold } = await enter();
  await choose(page, "Team");
  await page.getByRole("button", { name: "Confirm and pay US$30.00" }).dblclick();
  await page.getByText("Your subscription is now Team.").waitFor();
  const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`));
  expect(data).toHaveLength(2);
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("no page has a fault that a machine can find", async () => {
    const { page, sold } = await enter({ viewport });
    const { data } = await story.ok(story.app.api("GET", `/benefit-grants?customerId=${sold.customerId}`));
    const key = { organizationId: story.app.organization.id, key: data[0].properties.key };
    await story.ok(story.app.licenses("POST", "/activate", { ...key, label: "Ada's laptop" }));
    await inspect(page);
    await follow(page, /^Change plan/);
    await inspect(page);
    await follow(page, "Choose Team yearly");
    await inspect(page);
    await press(page, /^Confirm and pay/);
    await page.getByText("Your subscription is now Team yearly.").waitFor();
    await inspect(page);
    await page.goto(`${portal}/licences/${data[0].id}`);
    await inspect(page);
    await follow(page, /^Remove/);
    await inspect(page);
  });
});

/** These tests are the last ones, because they change the settings of the Organization. */
describe("by other settings", () => {
  test("a change waits for the end of the period, and the current plan can be kept", async () => {
    await story.ok(story.app.manage("PATCH", "/organization", { defaultProration: "next_period" }));
    const { page, sold } = await enter();
    await choose(page, "Basic — أساسي");
    await press(page, "Change on 1 April 2026");
    await page.getByText("Your subscription changes to Basic — أساسي on 1 April 2026.").waitFor();
    expect(await heading(page)).toBe("Your plan change is scheduled");
    await follow(page, "Back to your account");
    await follow(page, /^Change plan/);
    await page.getByText("From 1 April 2026").waitFor();
    await inspect(page);
    await press(page, "Keep Pro");
    await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
    expect((await story.subscription(sold.id)).pendingChange).toBeNull();
    await story.ok(story.app.manage("PATCH", "/organization", { defaultProration: "invoice_now" }));
  });

  test("with a hosted entry, a card that was ended is replaced on the provider's page", async () => {
    await takeHostedCards(story.app);
    const { page, sold } = await enter();
    const { data } = await story.ok(story.app.manage("GET", `/customers/${sold.customerId}/payment-methods`));
    await story.ok(story.app.manage("POST", `/sandbox/payment-methods/${data[0].id}/detach`, {}));
    await choose(page, "Team");
    await press(page, "Continue to payment");
    await press(page, "Continue to payment");
    await page.waitForURL("**/sandbox/pay/**");
    await typeCard(page, CARDS.paysToo);
    await press(page, "Pay US$30.00");
    await page.waitForURL(`${portal}/subscriptions/${sold.id}/plan/*`);
    expect(await heading(page)).toBe("Your plan has changed");
    expect(await amountOf(sold)).toBe(6000);
  });
});
