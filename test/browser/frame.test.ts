import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, inspectColors } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const PHONE = { width: 375, height: 720 };
const ADDRESSES = {
  supportEmail: "help@acme.example",
  supportUrl: "https://acme.example/help",
  termsUrl: "https://acme.example/terms",
  privacyUrl: "https://acme.example/privacy",
  websiteUrl: "https://www.acme.example/",
};
const LINKS = [
  ["Contact Acme Tools", "https://acme.example/help"],
  ["help@acme.example", "mailto:help@acme.example"],
  ["Terms", "https://acme.example/terms"],
  ["Privacy", "https://acme.example/privacy"],
  ["acme.example", "https://www.acme.example/"],
];

let story: Story;
let browser: Browser;
let bought: Json;

beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-02-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  await set({ ...ADDRESSES, branding: { displayName: "Acme Tools", accentColor: "#000000" } });
  await story.plan("pro", 3000, { name: "Pro", description: "For teams of every size." });
  await story.plan("trial", 2000, { name: "Beacon", trialDays: 14, group: "beacon" });
  await story.plan("once", 4900, { name: "Handbook", interval: null });
  bought = await story.buy({ productKey: "once", customer: { email: "ada@example.com" } }, CARDS.pays);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

const manage = (method: string, path: string, body?: object) => story.ok(story.app.manage(method, path, body));
const set = (settings: object) => manage("PATCH", "/organization", settings);

async function checkout(productKey: string, more: object = {}): Promise<Json> {
  return story.ok(story.app.api("POST", "/checkouts", { productKey, ...more }));
}

async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, ...options });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const links = (page: Page): Promise<(string | null)[][]> =>
  page
    .getByRole("navigation", { name: "About the seller" })
    .getByRole("link")
    .evaluateAll((found: Json[]) => found.map((link: Json) => [link.textContent, link.getAttribute("href")]));

describe("the links to the seller", () => {
  test("stand below the pages of a Checkout, its success, an invoice and the portal", async () => {
    const { url } = await checkout("pro");
    const paid = await story.ok(story.app.api("GET", `/checkouts/${bought.id}`));
    const [invoice] = (await manage("GET", `/invoices?customerId=${bought.customerId}`)).data;
    const { portalUrl } = await manage("GET", "/organization");
    for (const each of [url, paid.url, invoice.url, portalUrl]) {
      const page = await openPage(each);
      expect(await links(page), each).toEqual(LINKS);
      await inspect(page);
      await page.context().close();
    }
  });

  test("are only those that are set", async () => {
    await set({ supportUrl: null, termsUrl: null, privacyUrl: null, websiteUrl: null });
    const page = await openPage((await checkout("pro")).url);
    expect(await links(page)).toEqual([["Contact Acme Tools", "mailto:help@acme.example"]]);
    expect(await page.getByText("you agree to").count()).toBe(0);
    await set({ supportEmail: null });
    await page.reload();
    expect(await page.getByRole("contentinfo").count()).toBe(0);
    await set(ADDRESSES);
  });

  test("include the terms that a buyer agrees to by the order", async () => {
    const page = await openPage((await checkout("pro")).url);
    const consent = page.getByText("By confirming, you agree to");
    expect(await consent.innerText()).toBe(
      "By confirming, you agree to the terms and the privacy policy of Acme Tools.",
    );
    expect(await consent.getByRole("link", { name: "privacy policy" }).getAttribute("href")).toBe(ADDRESSES.privacyUrl);
    await set({ privacyUrl: null });
    await page.reload();
    expect(await consent.innerText()).toBe("By confirming, you agree to the terms of Acme Tools.");
    await set(ADDRESSES);
  });
});

describe.each([true, false])("on a phone, with scripts: %s,", (javaScriptEnabled) => {
  test("the summary is a line that a key unfolds", async () => {
    const page = await openPage((await checkout("pro")).url, { viewport: PHONE, javaScriptEnabled });
    const line = page.locator(".fold summary");
    expect((await line.innerText()).replace(/\s+/g, " ")).toBe("Pro US$30.00");
    const inside = page.getByText("For teams of every size.");
    expect(await inside.isVisible()).toBe(false);
    expect((await page.getByLabel("E-mail").boundingBox())!.y).toBeLessThan(PHONE.height / 2);
    await line.focus();
    await page.keyboard.press("Enter");
    expect(await inside.isVisible()).toBe(true);
    expect(await page.getByText("Then US$30.00 every month").first().isVisible()).toBe(true);
    await page.keyboard.press("Enter");
    expect(await inside.isVisible()).toBe(false);
  });
});

test("on a wide screen the summary is open, and has no line to unfold", async () => {
  const page = await openPage((await checkout("pro")).url, { javaScriptEnabled: false });
  expect(await page.getByText("For teams of every size.").isVisible()).toBe(true);
  expect(await page.locator(".fold summary").isVisible()).toBe(false);
});

test.each([
  ["pro", "US$30.00 Due today", "Then US$30.00 every month from 1 March 2026, until you cancel."],
  ["trial", "Free for 14 days", "Then US$20.00 every month from 15 February 2026, until you cancel."],
  ["once", "US$49.00 one payment", null],
])("the headline of %s is the amount due today", async (key, headline, then) => {
  const page = await openPage((await checkout(key)).url);
  expect((await page.locator(".price").innerText()).replace(/\s+/g, " ")).toBe(headline);
  const sequel = page.locator("[data-part=headline] .later");
  expect(await sequel.count()).toBe(then === null ? 0 : 1);
  if (then !== null) expect(withPlainSpaces(await sequel.innerText())).toContain(then);
});

test("the headline and the folded line follow a discount that is typed", async () => {
  const quarter = { type: "percentage", basisPoints: 2500, code: "QUARTER", duration: "forever" };
  await manage("POST", "/discounts", quarter);
  const page = await openPage((await checkout("pro")).url, { viewport: PHONE });
  await page.getByLabel("Have a code?").fill("QUARTER");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Pay US$22.50" }).waitFor();
  expect((await page.locator(".fold summary").innerText()).replace(/\s+/g, " ")).toBe("Pro US$22.50");
  await page.locator(".fold summary").click();
  expect(await page.locator(".price").innerText()).toContain("US$22.50");
});

describe("the dark scheme", () => {
  const ground = (page: Page): Promise<string> => page.evaluate("getComputedStyle(document.body).backgroundColor");

  test("is for screens alone", async () => {
    const page = await openPage((await checkout("pro")).url, { colorScheme: "dark" });
    expect(await ground(page)).toBe("rgb(18, 20, 26)");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.evaluate("getComputedStyle(document.body).color")).toBe("rgb(20, 23, 31)");
    await page.emulateMedia({ media: null, colorScheme: "light" });
    expect(await ground(page)).toBe("rgb(244, 245, 248)");
  });

  test.each(["#000000", "#ffffff", "#1f4fd8", "#ff0000", "#808080"])(
    "and the light scheme can be read with the accent %s",
    async (accentColor) => {
      await set({ branding: { displayName: "Acme Tools", accentColor } });
      for (const key of ["pro", "trial"]) await inspectColors(await openPage((await checkout(key)).url));
    },
  );

  test("holds on the pages of the sandbox", async () => {
    await set({ sandboxEntry: "hosted" });
    const page = await openPage((await checkout("once", { customer: { email: "bob@example.com" } })).url);
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByText("This is the test provider’s page.").waitFor();
    await set({ sandboxEntry: "typed" });
    await inspect(page);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await ground(page)).toBe("rgb(22, 26, 23)");
    await page.goto(story.app.url);
    await inspect(page);
  });
});

describe("the brands of cards", () => {
  const BRANDS = ["Visa", "Mastercard", "American Express", "Discover", "JCB", "Diners Club", "UnionPay"];

  test("are named without a script", async () => {
    const page = await openPage((await checkout("pro")).url, { javaScriptEnabled: false });
    const list = page.getByRole("list", { name: "Accepted cards" });
    for (const name of BRANDS) expect(await list.getByRole("img", { name, exact: true }).isVisible()).toBe(true);
    expect(await list.getByRole("img").count()).toBe(BRANDS.length);
  });

  test.each([
    ["4", ["visa"]],
    ["2221", ["mastercard"]],
    ["5105 1051", ["mastercard"]],
    ["3714", ["amex"]],
    ["6011", ["discover"]],
    ["3530", ["jcb"]],
    ["3056", ["diners"]],
    ["6240", ["unionpay"]],
    ["9", ["visa", "mastercard", "amex", "discover", "jcb", "diners", "unionpay"]],
  ])("stand out for a number that begins with %s", async (typed, shown) => {
    const page = await openPage((await checkout("pro")).url);
    await page.getByLabel("Card number").pressSequentially(typed);
    const clear = await page
      .locator(".brands li:not([data-off])")
      .evaluateAll((found: Json[]) => found.map((sign: Json) => sign.dataset.brand));
    expect(clear).toEqual(shown);
    await page.getByLabel("Card number").fill("");
    expect(await page.locator(".brands [data-off]").count()).toBe(0);
  });
});
