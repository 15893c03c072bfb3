import { readFile } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage } from "../support/buyers.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;

beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  const settings = { branding: { displayName: "Acme Tools" }, portal: { export: true } };
  await story.ok(story.app.manage("PATCH", "/organization", settings));
  await story.plan("team", 1200, { name: "Team" });
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** The portal's home, for a new Customer. */
async function enter(options: BrowserContextOptions = {}, locale: string | null = null) {
  const email = newBuyer();
  const sold = await story.buy({ productKey: "team", customer: { email, externalId: email } }, CARDS.pays);
  const customerId: string = sold.customerId;
  if (locale !== null) await story.ok(story.app.manage("PATCH", `/customers/${customerId}`, { locale }));
  const { url } = await story.ok(story.app.manage("POST", `/customers/${customerId}/portal-sessions`, {}));
  const page = await openPage(browser, options);
  await page.goto(url);
  // With JavaScript, the page sends its form by itself.
  if (page.url().includes("/sign-in/") && options.javaScriptEnabled === false)
    await page.getByRole("main").getByRole("button").click();
  const link = page.locator('a[href$="/export"]');
  await link.waitFor();
  return { page, customerId, email, link };
}

const download = async (page: Page, name: string) => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
  return { name: file.suggestedFilename(), document: JSON.parse(await readFile(await file.path(), "utf8")) };
};

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a Customer reads about the file, downloads it, and goes back", async () => {
    const { page, customerId, email, link } = await enter(options);
    await link.click();
    expect(await heading(page)).toBe("Your data");
    const { name, document } = await download(page, "Download your data");
    expect(name).toBe(`${customerId}.json`);
    expect(document).toMatchObject({
      format: "billow-customer-export",
      customer: { id: customerId, email },
      subscriptions: [{ customerId, status: "active" }],
      invoices: [{ totalAmount: 1200 }],
    });
    await page.getByRole("link", { name: "Back to your account" }).click();
    expect(await heading(page)).toBe("Your account");
  });
});

test.each([
  ["en", "Download your data"],
  ["de", "Ihre Daten herunterladen"],
  ["fr", "Télécharger vos données"],
  ["es", "Descargar sus datos"],
  ["ja", "データをダウンロード"],
])("axe finds no fault in %s, in both schemes, on a phone and at a desk", async (locale, label) => {
  for (const viewport of [PHONE, DESK]) {
    const { page, customerId, link } = await enter({ viewport }, locale);
    await inspect(page);
    await link.click();
    await page.getByRole("link", { name: label }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toContain(locale);
    await inspect(page);
    expect((await download(page, label)).document.customer).toMatchObject({ id: customerId, locale });
  }
});
