import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { OWNER } from "../support/dashboard.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { signInWith } from "../support/signed-in.ts";

let fixture: Fixture;
let browser: Browser;
const contexts: BrowserContext[] = [];
beforeAll(async () => void ([fixture, browser] = await Promise.all([startFixture(), launchBrowser()])));
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser.close();
  await fixture.story.close();
});

/** A browser at a page below the Organization's dashboard, signed in as the owner. */
async function open(path: string, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, ...options });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(fixture.story.app.url + fixture.home + path);
  await signInWith(page, OWNER.email);
  await page.getByRole("searchbox").waitFor();
  return page;
}

test("a person finds an invoice and reads why the Customer was charged, without a script", async () => {
  const page = await open("/invoices", { javaScriptEnabled: false });
  await page.getByRole("link", { name: fixture.invoice.number }).click();
  await page.getByRole("heading", { level: 1, name: `Invoice ${fixture.invoice.number}` }).waitFor();
  const main = page.locator("main");
  await main.locator("summary").filter({ hasText: "Total" }).click();
  await main.getByText("The sum of the lines.").waitFor();
  await main.getByText("Refund of US$5.00 to the card").waitFor();
  const document = page.frameLocator("iframe");
  await document.getByRole("heading", { level: 1, name: "Invoice" }).waitFor();
  await document.getByRole("row", { name: /Pro/ }).first().waitFor();
  await main.getByRole("link", { name: "Ada Lovelace", exact: true }).first().click();
  await page.getByRole("row", { name: /Desktop: granted, because the Product was bought/ }).waitFor();
  await page.getByText("was charged to").first().waitFor();
});

test.each([
  ["desk", DESK],
  ["phone", PHONE],
])("on a %s the page is accessible, fits the screen, and moves no content", async (_, viewport) => {
  const page = await open(`/customers/${fixture.ada.customerId}`, { viewport });
  const moved = await page.evaluate(
    `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().length))
      .observe({ type: "layout-shift", buffered: true }) ||
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))))`,
  );
  expect(moved).toBe(0);
  await page.evaluate(`document.querySelectorAll("main details").forEach((each) => (each.open = true))`);
  await inspect(page);
  for (const path of [
    `${fixture.grace.customerId}`,
    ...["invoices", "payments", "timeline"].map((each) => `${fixture.ada.customerId}/${each}`),
  ]) {
    await page.goto(`${fixture.story.app.url}${fixture.home}/customers/${path}`);
    await inspect(page);
  }
  const { creditNoteId } = await fixture.story.ok(fixture.story.app.manage("GET", `/refunds/${fixture.refund.id}`));
  for (const path of [`invoices/${fixture.invoice.id}`, `credit-notes/${creditNoteId}`]) {
    await page.goto(`${fixture.story.app.url}${fixture.home}/${path}`);
    await page.frameLocator("iframe").getByRole("article").waitFor();
    await inspect(page);
    await page.goto(`${fixture.story.app.url}${fixture.home}/${path}/document`);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
  }
});

test.each([
  ["a desk", DESK],
  ["a phone", PHONE],
])("on %s, no page about money or the sandbox has a fault that a machine can find", async (_, viewport) => {
  const { app, ok } = fixture.story;
  const ada = `/customers/${fixture.ada.customerId}`;
  const grace = `/customers/${fixture.grace.customerId}`;
  const { data } = await ok(app.manage("GET", `/invoices?customerId=${fixture.grace.customerId}&status=open`));
  const unpaid = `${grace}/invoices/${data[0].id}`;
  const page = await open("", { viewport });
  for (const [path, title] of [
    [`${ada}/next-invoices`, /Next invoice/],
    [`${ada}/balance/adjust`, /balance/],
    [`${ada}/balance/pay-out?currency=usd`, /credit/],
    [`${unpaid}/charge`, /Charge invoice/],
    [`${unpaid}/mark-paid`, /paid/],
    [`${unpaid}/void`, /Void/],
    ["/sandbox/trigger", /Trigger/],
    [`/sandbox/checkouts/${fixture.checkout.id}/pay`, /Pay a Checkout/],
  ] as const) {
    const answer = await page.goto(fixture.story.app.url + fixture.home + path);
    expect(answer!.status(), path).toBe(200);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await inspect(page);
    if (!path.includes("/adjust")) continue;
    await page.getByLabel("Amount").fill("5.00");
    await page.getByLabel("Reason").fill("Goodwill");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("heading", { name: "Effect" }).waitFor();
    await inspect(page);
    await page.getByRole("button", { name: "Change the values" }).click();
    expect(await page.getByLabel("Reason").inputValue()).toBe("Goodwill");
  }
});

test("a printed page has its content, and neither the navigation nor a button", async () => {
  const page = await open("");
  await page.emulateMedia({ media: "print" });
  const paths = ["", `/customers/${fixture.ada.customerId}`, "/customers", "/invoices", "/subscriptions", "/audit-log"];
  for (const path of paths) {
    await page.goto(fixture.story.app.url + fixture.home + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("navigation", { name: "Dashboard" }).isVisible(), path).toBe(false);
    const buttons = page.locator("button:visible, a.button:visible, [role=search]:visible");
    expect(await buttons.allTextContents(), path).toEqual([]);
  }
  await page.emulateMedia({ media: "screen" });
  expect(await page.getByRole("navigation", { name: "Dashboard" }).isVisible()).toBe(true);
});
