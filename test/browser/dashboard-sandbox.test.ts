import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { openDashboard, OWNER } from "../support/dashboard.ts";
import { signInWith } from "../support/signed-in.ts";
import { until } from "../support/until.ts";

let app: TestApp;
let browser: Browser;
const contexts: BrowserContext[] = [];
beforeAll(async () => {
  [app, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-03-01T09:00:00Z" }),
    launchBrowser(),
  ]);
  await openDashboard(app);
});
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser.close();
  await app.close();
});

/** A browser at the page of the Organization's sandbox, signed in as the owner. */
async function open(options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, ...options });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(`${app.url}/dashboard/${app.organization.id}`);
  await signInWith(page, OWNER.email);
  await page.getByRole("searchbox").waitFor();
  return page;
}

const feed = (page: Page, name: string) => page.getByRole("region", { name }).getByRole("listitem");

/** Lets workers go on until the page shows this. */
const workUntil = (shown: Locator) =>
  until(
    async () => {
      await app.runDue();
      return shown.isVisible();
    },
    { seconds: 450 },
  );

test("a person fills an empty sandbox, steps a month, and sees the news", { timeout: 540_000 }, async () => {
  const page = await open();
  await page.getByRole("link", { name: "Fill this sandbox" }).click();
  await inspect(page);
  await page.getByRole("button", { name: "Fill this sandbox" }).click();
  await page.getByText(/being filled up to 1 March 2026/).waitFor();
  await page.getByRole("button", { name: "Stop filling" }).waitFor();
  // The script opens the page anew at the end of the filling.
  await workUntil(page.getByRole("button", { name: "Advance by a month" }));
  await page
    .getByRole("row", { name: /etry of the failed charge/ })
    .first()
    .waitFor();
  await inspect(page);
  const before = await feed(page, "Invoices").first().textContent();
  await page.getByRole("button", { name: "Advance by a month" }).click();
  await workUntil(page.getByText("The clock stands at 1 Apr 2026, 09:00"));
  expect(await feed(page, "Invoices").first().textContent()).not.toBe(before);
  await feed(page, "E-mails").first().getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: /Sandbox|receipt|payment|renews/i }).waitFor();
});

test("an advance is stopped without a script, on a phone", async () => {
  const page = await open({ javaScriptEnabled: false, viewport: PHONE });
  await page.goto(`${app.url}/dashboard/${app.organization.id}/sandbox`);
  await page.getByLabel("Advance to a day").fill("2046-01-01");
  await page.getByRole("button", { name: "Advance the clock" }).click();
  await page.getByText(/clock advances to 1 Jan 2046/).waitFor();
  await page.getByRole("link", { name: "Refresh" }).click();
  await page.getByRole("button", { name: "Stop the clock" }).click();
  await page.getByText("The clock was stopped.").waitFor();
  await page.getByText("The clock stands at").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
});
