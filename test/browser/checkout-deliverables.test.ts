import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sealMemory } from "../../src/actions/checkout/browser-memory.ts";
import { realNow } from "../../src/clock.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press, typeCard } from "../support/buyers.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
let shop: Shop;
let browser: Browser;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "billow-deliverables-"));
  [app, shop, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"], dataDir }, { clock: "2026-02-01T09:00:00Z" }),
    openShop(),
    launchBrowser(),
  ]);
  const directory = join(dataDir, "downloads", app.organization.id);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "setup.txt"), "Run me.");
  const key = { type: "license_key", name: "Desktop", properties: { prefix: "ACME", activationLimit: 2 } };
  const files = { type: "download", name: "Installers", properties: { files: [{ path: "setup.txt" }] } };
  const note = { type: "custom", name: "Onboarding", properties: { note: "Book your call.\nAny day." } };
  const benefitIds: string[] = [];
  for (const each of [key, files, note]) benefitIds.push((await ok(app.manage("POST", "/benefits", each))).id);
  const book = { key: "book", name: "Book", interval: null, prices: [{ currency: "usd", amount: 4900 }], benefitIds };
  await ok(app.manage("POST", "/products", book));
  await ok(app.manage("PATCH", "/organization", { branding: { displayName: "Acme Tools" } }));
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await shop.close();
  await app.close();
  await rm(dataDir, { recursive: true });
});

/** Buys the book, and shows the page after the payment. */
async function buy(options: BrowserContextOptions = {}, more: object = {}): Promise<Json & { page: Page }> {
  const sold = await ok(app.api("POST", "/checkouts", { productKey: "book", ...more }));
  const page = await openPage(browser, options);
  const email = newBuyer();
  await page.goto(sold.url);
  await page.getByLabel("E-mail").fill(email);
  await typeCard(page, CARDS.pays);
  await press(page, "Pay");
  return { ...sold, page, email };
}

const keyOf = (page: Page) => page.locator(".key code").innerText();
const seen = async (url: string, page: Page) => {
  await page.goto(url);
  return page.locator("main").innerText();
};

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a buyer gets key, file, note, invoice and PDF", async () => {
    const { page } = await buy({ ...options, acceptDownloads: true });
    await page.getByText("Paid US$49.00 with Visa ending in 4242.").waitFor();
    expect(await heading(page)).toBe("Thank you");
    expect(await keyOf(page)).toMatch(/^ACME(-\w{5}){4}$/);
    await page.getByText("Book your call.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "setup.txt" }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toBe("Run me.");
    // A line parts the invoice from the last Benefit.
    const line = "getComputedStyle(document.querySelector('.records:has(a[href*=\"/invoices/\"])')).borderTopWidth";
    expect(await page.evaluate(line)).toBe("1px");
    const pdf = await page.getByRole("link", { name: /^Invoice .* as a PDF$/ }).getAttribute("href");
    expect(pdf).toMatch(/\/invoices\/inv_\w+\/[\w-]+\/pdf$/);
    await page.getByRole("link", { name: /^Invoice INV-\w+-0001$/ }).click();
    await page.waitForURL("**/invoices/**");
    await page.goBack();
    await page.getByRole("link", { name: "Your account with Acme Tools" }).click();
    await page.waitForURL(`**/portal/${app.organization.id}`);
  });

  test("a buyer who comes back from the shop gets the deliverables", async () => {
    const { page, url, id } = await buy(options, { successUrl: `${shop.url}/thanks/{CHECKOUT_ID}` });
    await page.waitForURL(`${shop.url}/thanks/${id}`);
    expect(await seen(url, page)).toMatch(/ACME-/);
    await page.getByRole("link", { name: "Continue to" }).click();
    await page.waitForURL(`${shop.url}/thanks/${id}`);
  });

  test("another browser gets no deliverables, and neither does a changed or an old proof", async () => {
    const { page, url, id } = await buy(options);
    await page.getByText("Thank you").waitFor();
    const other = await openPage(browser, options);
    expect(await seen(url, other)).toContain("We’ve e-mailed your licence key to b•••@e•••.com.");
    const [payment] = (await ok(app.manage("GET", `/payments?checkoutId=${id}`))).data;
    const checkout = { organizationId: app.organization.id, id };
    const proof = (hours: number) =>
      sealMemory(
        app.ctx,
        checkout,
        "purchase",
        JSON.stringify({ paymentId: payment.id, email: null, name: null }),
        realNow() - hours * 3_600_000,
      );
    for (const [value, isSeen] of [
      [proof(25), false],
      [`${proof(1).slice(0, -4)}AAAA`, false],
      [proof(23), true],
    ] as const) {
      const domain = { domain: new URL(app.url).hostname, path: `/checkout/${id}` };
      await other.context().addCookies([{ name: "billow_purchase", value, ...domain }]);
      expect((await seen(url, other)).includes("ACME-")).toBe(isSeen);
    }
  });

  test("the owner of the address signs in to the portal, and gets the deliverables there", async () => {
    const { page, url, id } = await buy(options);
    await page.getByText("Thank you").waitFor();
    const other = await openPage(browser, options);
    await seen(url, other);
    await other.getByRole("link", { name: "Sign in to see your purchase" }).click();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    const { customerId } = await ok(app.api("GET", `/checkouts/${id}`));
    const link = await ok(app.manage("POST", `/customers/${customerId}/portal-sessions`, {}));
    await other.goto(link.url);
    await other.waitForURL(`**/portal/${app.organization.id}`);
    await seen(url, other);
    await other.getByRole("link", { name: "Sign in to see your purchase" }).click();
    await other.getByText("Paid US$49.00 with Visa ending in 4242.").waitFor();
    expect(await keyOf(other)).toBe(await keyOf(page));
  });
});

test("a button copies the key, by keyboard", async () => {
  const { page } = await buy({ permissions: ["clipboard-read", "clipboard-write"] });
  const copy = page.getByRole("button", { name: "Copy the key of Desktop" });
  await copy.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("Copied").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await keyOf(page));
});

test("without a script there is no button, and a click selects the whole key", async () => {
  const { page } = await buy({ javaScriptEnabled: false });
  await page.locator(".key code").waitFor();
  expect(await page.getByRole("button").count()).toBe(0);
  await page.locator(".key code").click();
});

test("a Benefit that comes later appears by itself", async () => {
  const { page, id } = await buy();
  await page.getByText("Thank you").waitFor();
  const { productId } = await ok(app.api("GET", `/checkouts/${id}`));
  const { benefitIds } = await ok(app.manage("GET", `/products/${productId}`));
  const poster = await ok(
    app.manage("POST", "/benefits", { type: "custom", name: "Poster", properties: { note: "By post." } }),
  );
  await ok(app.manage("PATCH", `/products/${productId}`, { benefitIds: [...benefitIds, poster.id] }));
  await page.reload();
  await page.getByText("We’re preparing this").waitFor();
  await inspect(page);
  await app.runDue();
  await page.getByText("By post.").waitFor();
  await ok(app.manage("PATCH", `/products/${productId}`, { benefitIds }));
});

test.each([PHONE, DESK])("no page has a fault that a machine can find (%j)", async (viewport) => {
  const { page, url } = await buy({ viewport });
  await page.getByText("Thank you").waitFor();
  await inspect(page);
  const other = await openPage(browser, { viewport });
  await other.goto(url);
  await inspect(other);
});
