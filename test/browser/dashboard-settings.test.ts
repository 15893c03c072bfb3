import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { openDashboard, OWNER } from "../support/dashboard.ts";
import { startPortalStory } from "../support/portal.ts";
import { signInWith } from "../support/signed-in.ts";
import type { Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let settings: string;
const contexts: BrowserContext[] = [];
beforeAll(async () => {
  [{ story }, browser] = await Promise.all([startPortalStory(), launchBrowser()]);
  await openDashboard(story.app);
  settings = `${story.app.url}/dashboard/${story.app.organization.id}/settings`;
});
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser.close();
  await story.close();
});

async function open(options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, ...options });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(settings);
  await signInWith(page, OWNER.email);
  await page.getByRole("heading", { level: 1, name: "General" }).waitFor();
  return page;
}

const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name, exact: true }).click();
const done = (page: Page) => page.getByRole("status").filter({ hasText: "The settings are saved." }).waitFor();

test("an owner changes the brand, an e-mail, the tax of Germany and dunning", async () => {
  const page = await open();
  await tab(page, "Branding");
  await page.getByLabel("Colour").fill("#7a1fa2");
  // The previews follow the typing.
  const checkout = page.frameLocator('iframe[title="Preview of a Checkout"]');
  await checkout.locator('link[href*="accent-7a1fa2"]').waitFor({ state: "attached" });
  const email = page.frameLocator('iframe[title="Preview of an e-mail"]');
  await email.locator('[style*="4px solid #7a1fa2"]').waitFor();
  await page.getByText("The text is white.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await done(page);
  const { url } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro" }));
  const buyer = await browser.newPage();
  await buyer.goto(url);
  const ground = await buyer.evaluate(`getComputedStyle(document.querySelector("button[data-part]")).backgroundColor`);
  expect(ground).toBe("rgb(122, 31, 162)");
  await buyer.close();

  await tab(page, "E-mails");
  await page.getByRole("link", { name: "Preview of “Receipt”" }).click();
  await page.getByRole("link", { name: "Deutsch" }).click();
  await page.frameLocator('iframe[title="The e-mail as HTML"]').getByText("Atlas Pro").first().waitFor();
  await tab(page, "E-mails");
  await page.getByLabel("Renewal ahead").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await done(page);
  expect(await page.getByLabel("Renewal ahead").isChecked()).toBe(false);

  await tab(page, "Tax rates");
  await page.getByLabel("Choose Germany").check();
  await page.getByRole("button", { name: "Fill in the chosen rates" }).click();
  expect(await page.getByLabel("Percent, Germany").inputValue()).toBe("19");
  await page.getByRole("button", { name: "Save" }).click();
  await done(page);

  await tab(page, "Dunning");
  await page.getByLabel("Retries, in days after the failure").fill("2, 4, 8");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("img", { name: /Day 8: Retry 3 of 3/ }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await done(page);
  const { body } = await story.app.manage("GET", "/organization");
  expect(body).toMatchObject({
    branding: { accentColor: "#7a1fa2" },
    emails: { renewalUpcoming: false },
    taxRates: [{ country: "DE", basisPoints: 1900 }],
    dunning: { retryDays: [2, 4, 8] },
  });
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no tab has a fault that a machine can find", async (_, viewport) => {
  const page = await open({ viewport });
  for (const path of [
    "",
    "/branding",
    "/emails",
    "/emails/receipt",
    "/taxes",
    "/dunning",
    "/portal",
    "/payments",
    "/payments/details",
  ]) {
    await page.goto(settings + path);
    await inspect(page);
  }
});
