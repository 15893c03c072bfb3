import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { OWNER } from "../support/dashboard.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { signInWith } from "../support/signed-in.ts";

const LISTS = ["customers", "subscriptions", "invoices", "payments", "refunds", "disputes", "checkouts", "discounts"];
/** The sum of all layout shifts since the page was opened, after two frames. */
const SHIFTS = `new Promise((resolve) => {
  const sum = (list) => list.getEntries().reduce((total, { value }) => total + value, 0);
  const observer = new PerformanceObserver((list) => resolve(sum(list)));
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
})`;
/** Half of the sum that still counts as good. A busy machine draws a table in two steps, which moves its columns. */
const MOST_SHIFTED = 0.05;
let fixture: Fixture;
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  [fixture, browser] = await Promise.all([startFixture(), launchBrowser()]);
  const { app, ok } = fixture.story;
  const emails = Array.from({ length: 110 }, (_, n) => `many${n}@example.com`);
  await Promise.all(emails.map((email) => ok(app.api("POST", "/customers", { email }))));
  const email = "mieczyslawa.brzeczyszczykiewicz+invoices@northern-lights-workshop.example";
  const name = "Bartholomew Featherstonehaugh-Cholmondeley";
  await ok(app.api("POST", "/customers", { email }));
  await ok(app.api("POST", "/customers", { email: `b.${email}`, name, companyName: name, externalId: email }));
});
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
const headingOf = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

test.each([360, 768, 1024, 1280, 1600])("at %i pixels, no name or e-mail of a Customer is cut off", async (width) => {
  const page = await open("/customers", { viewport: { width, height: 800 } });
  for (const text of ["mieczyslawa.brzeczyszczykiewicz+invoices@northern-lights-workshop.example", "Bartholomew"]) {
    const cell = page.locator(".list tbody").getByText(text, { exact: false }).first();
    await cell.waitFor();
    expect(await cell.innerText()).toContain(text);
  }
  const cut = `[...document.querySelectorAll(".list :is(th, td, th *, td *)")]
    .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth).map((each) => each.outerHTML)`;
  expect(await page.evaluate(cut)).toEqual([]);
  const wide = `[...document.querySelectorAll("html, main, main *")]
    .filter((each) => each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1)
    .filter((each) => getComputedStyle(each).overflowX !== "visible").map((each) => each.className || each.tagName)`;
  expect(await page.evaluate(wide)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
});

test("the list of Customers is filtered by a part of an e-mail, and the search finds a Product by name", async () => {
  const page = await open("/customers", { javaScriptEnabled: false });
  await page.getByLabel("Name, e-mail or external id").fill("Many10");
  await page.getByRole("button", { name: "Filter" }).click();
  // many10 and many100 to many109
  expect(await page.getByRole("row").count()).toBe(1 + 11);
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("yearly");
  await search.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Pro, yearly" }).first().waitFor();
});

test("a person filters a list, pages through another one and searches, without a script", async () => {
  const page = await open("", { javaScriptEnabled: false });
  await page.getByRole("link", { name: "Subscriptions" }).click();
  await page.getByRole("combobox", { name: "Status" }).selectOption("Past due");
  await page.getByRole("button", { name: "Filter" }).click();
  expect(await page.getByRole("row").count()).toBe(2);
  await page.getByRole("row", { name: /Grace Hopper.*Past due.*US\$30\.00/ }).waitFor();
  await page.getByRole("link", { name: "Clear filters" }).click();
  expect(await page.getByRole("row").count()).toBe(3);

  await page.getByRole("link", { name: "Customers" }).click();
  await page.getByRole("link", { name: "Next page" }).click();
  await page.getByRole("link", { name: "Next page" }).click();
  await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
  expect(await page.getByRole("link", { name: "Next page" }).count()).toBe(0);
  await page.getByRole("link", { name: "Previous page" }).click();
  await page.getByRole("link", { name: "Previous page" }).click();
  expect(pathOf(page)).toBe(`${fixture.home}/customers`);

  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("nowhere@example.com");
  await search.press("Enter");
  await page.getByText("There is no “nowhere@example.com”.").waitFor();
  await search.fill(fixture.checkout.id);
  await page.getByRole("button", { name: "Search" }).click();
  expect([await headingOf(page), pathOf(page)]).toEqual([
    "Checkout",
    `${fixture.home}/checkouts/${fixture.checkout.id}`,
  ]);
});

test("the owner gets a list as CSV", async () => {
  const page = await open("/invoices?status=paid");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("invoices.csv");
});

test("keys lead to the search, through the rows and through the pages, and can be turned off", async () => {
  const page = await open("/customers");
  const focused = () => page.evaluate("document.activeElement.textContent");
  const names = await page.getByRole("table").getByRole("rowheader").getByRole("link").allTextContents();
  for (const [key, n] of [
    ["j", 0],
    ["j", 1],
    ["j", 2],
    ["k", 1],
    ["k", 0],
    ["k", 0],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused()).toBe(names[n]);
  }
  await page.keyboard.press("n");
  await page.waitForURL(/cursor=/);
  await page.keyboard.press("p");
  await page.waitForURL(`**${fixture.home}/customers`);
  await page.keyboard.press("/");
  await page.keyboard.type("join");
  expect(await page.getByRole("searchbox").inputValue()).toBe("join");

  await page.goto(`${fixture.story.app.url}${fixture.home}/checkouts`);
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  await page.getByRole("heading", { level: 1, name: "Checkout", exact: true }).waitFor();

  await page.goto(`${fixture.story.app.url}${fixture.home}/customers`);
  await page.getByText("Keyboard").click();
  await page.getByLabel("Use these keys").uncheck();
  await page.reload();
  const before = await focused();
  await page.keyboard.press("j");
  expect(await focused()).toBe(before);
});

test("on a phone the navigation folds away, without a script", async () => {
  const page = await open("/payments", { viewport: PHONE, javaScriptEnabled: false });
  expect(await page.getByRole("link", { name: "Refunds" }).count()).toBe(0);
  await page.getByText("Menu").click();
  await page.getByRole("link", { name: "Refunds" }).click();
  expect(await headingOf(page)).toBe("Refunds");
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no list has a fault that a machine can find, and no page moves", async (_, viewport) => {
  const page = await open("/customers", { viewport });
  const pages = [
    ...LISTS,
    "invoices?status=void",
    "refunds?status=x",
    "search?q=many",
    `checkouts/${fixture.checkout.id}`,
  ];
  for (const path of pages) {
    await page.goto(`${fixture.story.app.url}${fixture.home}/${path}`);
    const moved = await page.evaluate(SHIFTS);
    expect(moved, path).toBeLessThan(MOST_SHIFTED);
    await inspect(page);
  }
});
