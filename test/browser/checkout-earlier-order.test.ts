import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { CARDS } from "../support/story.ts";

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp({}, { clock: "2026-02-01T09:00:00Z" }), launchBrowser()]);
  const pro = { key: "pro", name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await app.manage("POST", "/products", pro);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const open = async () => (await app.api("POST", "/checkouts", { productKey: "pro" })).body;
const read = async (id: string) => (await app.api("GET", `/checkouts/${id}`)).body.status;
const UNFINISHED = "Your earlier order is not finished";

async function pay(page: Page, url: string, email: string, card: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel("E-mail").fill(email);
  await payAgain(page, card);
}
async function payAgain(page: Page, card: string): Promise<void> {
  await page.getByLabel("Card number").fill(card);
  await page.getByLabel("Expiry date").fill("12 / 40");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: /^Pay/ }).click();
}
async function leaveAtBank(context: BrowserContext, email: string) {
  const [first, second] = [await open(), await open()];
  const page = await context.newPage();
  await pay(page, first.url, email, CARDS.asksBuyer);
  await page.getByText("Confirm this payment with your bank").waitFor();
  return { first, second, page };
}

test.each([
  ["on a desk", { viewport: DESK, javaScriptEnabled: true }],
  ["on a phone, without JavaScript", { viewport: PHONE, javaScriptEnabled: false }],
])("a buyer who left the bank gives the earlier order up and pays here, %s", async (name, options) => {
  const context = await browser.newContext(options);
  const { first, second, page } = await leaveAtBank(context, `ada-${name.length}@example.com`);
  await pay(page, second.url, `ada-${name.length}@example.com`, CARDS.pays);
  const alert = page.getByRole("alert");
  await alert.getByRole("heading", { name: UNFINISHED }).waitFor();
  expect(await alert.innerText()).toContain("The payment there still waits for your confirmation.");
  expect(await page.getByText("You already have a plan").count()).toBe(0);
  if (options.javaScriptEnabled) await inspect(page);
  const way = alert.getByRole("link", { name: "Continue with your order" });
  expect(new URL((await way.getAttribute("href"))!, app.url).pathname).toBe(new URL(first.url).pathname);
  await alert.getByRole("button", { name: "Give up that order and pay here" }).click();
  await page.getByRole("heading", { name: "Your earlier order was given up" }).waitFor();
  expect(await page.getByLabel("E-mail").inputValue()).toBe(`ada-${name.length}@example.com`);
  await payAgain(page, CARDS.pays);
  await page.getByRole("heading", { name: /^Thank you/ }).waitFor();
  expect([await read(first.id), await read(second.id)]).toEqual(["open", "completed"]);
});

test("another browser says that the address got a link, and leads to no order", async () => {
  const { first, second } = await leaveAtBank(await browser.newContext({ viewport: DESK }), "bo@example.com");
  const stranger = await (await browser.newContext({ viewport: PHONE })).newPage();
  await pay(stranger, second.url, "bo@example.com", CARDS.pays);
  const alert = stranger.getByRole("alert");
  await alert.getByRole("heading", { name: "There is an earlier order with this e-mail address" }).waitFor();
  expect(await alert.innerText()).toContain("We have sent a link to bo@example.com.");
  expect(await alert.getByRole("link").count()).toBe(0);
  await inspect(stranger);
  expect(await read(first.id)).toBe("processing");
  await app.runDue();
  const { data } = (await app.manage("GET", "/emails")).body;
  expect(data.filter(({ kind }: { kind: string }) => kind === "portal_sign_in")).toHaveLength(1);
});
