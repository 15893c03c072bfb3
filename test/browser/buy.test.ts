import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press, typeCard } from "../support/buyers.ts";
import { blocksOf } from "../support/guide.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { makeLink } from "../support/payment-links.ts";
import { ROOT } from "../support/source.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
let browser: Browser;
let shop: Server;

/** The page of another site, by its path. */
const site = new Map<string, string>();

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" }),
    launchBrowser(),
  ]);
  await ok(app.manage("PATCH", "/organization", { branding: { accentColor: "#0a6c74" } }));
  const make = (key: string, interval: string, amount: number, more: object = {}) =>
    ok(
      app.manage("POST", "/products", {
        key,
        name: `Plan ${key}`,
        interval,
        group: key,
        prices: [{ currency: "usd", amount }],
        ...more,
      }),
    );
  const seats = await ok(app.manage("POST", "/benefits", { type: "custom", key: "help", name: "Help by e-mail" }));
  await make("seats", "month", 1000, { quantity: { minimum: 2, maximum: 50 }, benefitIds: [seats.id] });
  await make("trial", "month", 3000, { trialDays: 14, description: "For a whole company." });
  await make("year", "year", 9000);
  const half = { type: "percentage", basisPoints: 5000, duration: "once" };
  await ok(app.manage("POST", "/discounts", { ...half, code: "HALF" }));
  const policy = `default-src 'none'; script-src ${app.url}; frame-src ${app.url}`;
  shop = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
    response.end(site.get(request.url!) ?? "");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  shop.close();
  await browser.close();
  await app.close();
});

const link = (more: object = {}): Promise<Json> => makeLink(app, ["seats", "trial", "year"], more);
const textOf = async (page: Page) => withPlainSpaces(await page.locator("main").innerText());

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("a payment link %s", (_name, javaScriptEnabled) => {
  test("is chosen, counted in units, discounted and paid", async () => {
    const { id, url } = await link({ quantityChange: { minimum: 2, maximum: 9 } });
    const page = await openPage(browser, { javaScriptEnabled });
    const buyer = newBuyer();
    await page.goto(`${url}?discount=half&email=${encodeURIComponent(buyer)}&reference=ad-7`);
    expect(await page.context().cookies()).toEqual([]);
    expect(await textOf(page)).toContain("HALF: 50% off");
    await page.getByLabel("Quantity").first().fill("20");
    await press(page, "Continue with Plan seats");
    expect(await page.locator(".fault").innerText()).toBe("Enter a whole number: 2 to 9.");
    await page.getByLabel("Quantity").fill("3");
    await press(page, "Continue");
    await page.waitForURL(/\/checkout\//);
    expect(await heading(page)).toBe("Plan seats");
    expect(await page.getByLabel("E-mail").inputValue()).toBe(buyer);
    await typeCard(page, CARDS.pays);
    await press(page, /^Pay US\$15\.00/);
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const [bought] = (await ok(app.manage("GET", "/checkouts?status=completed&limit=1"))).data;
    expect(bought).toMatchObject({
      paymentLinkId: id,
      quantity: 3,
      discountAmount: 1500,
      metadata: { reference: "ad-7" },
    });
  });

  test("switches between the month and the year without a request", async () => {
    const { url } = await link();
    const page = await openPage(browser, { javaScriptEnabled });
    await page.goto(url);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const year = page.getByRole("button", { name: "Continue with Plan year" });
    expect(await year.isVisible()).toBe(false);
    await page.getByText("Billed yearly").first().click();
    expect(await year.isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Continue with Plan seats" }).isVisible()).toBe(false);
    expect(requests).toEqual([]);
  });
});

test("each page of a link can be read by all, on a phone too", async () => {
  const { url, tableUrl } = await link({ quantityChange: { minimum: 2, maximum: 9 }, discountCode: "HALF" });
  const off = await link({ active: false });
  for (const viewport of [DESK, PHONE]) {
    const page = await openPage(browser, { viewport });
    const pages = [url, `${url}?product=none&lang=ja`, `${url}?product=seats`, off.url, tableUrl];
    for (const each of [...pages, `${tableUrl}?scheme=dark`, `${tableUrl}?scheme=light&accent=ffff00&lang=de`]) {
      await page.goto(each);
      await inspect(page);
    }
    await page.goto(url);
    await page.getByLabel("Quantity").first().fill("none");
    await press(page, "Continue with Plan seats");
    await inspect(page);
  }
});

test("the choice of the rhythm can be made with the keyboard", async () => {
  const { url } = await link();
  const page = await openPage(browser);
  await page.goto(url);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  expect(await page.getByRole("button", { name: "Continue with Plan year" }).isVisible()).toBe(true);
});

const [script, frame] = blocksOf(readFileSync(join(ROOT, "docs/guides/sell-without-code.md"), "utf8")).map(
  ({ code }) => code,
);
/** A page of another site with a block of the guide. */
function embed(path: string, block: string, url: string): string {
  const body = block.replaceAll("https://billing.example.com/buy/LINK", url);
  site.set(path, `<!doctype html><html lang="en"><title>Shop</title><body>${body}</body></html>`);
  return `http://localhost:${(shop.address() as AddressInfo).port}${path}`;
}

describe("the pricing table in a page of another site with a strict policy", () => {
  const faultsOf = (page: Page): string[] => {
    const faults: string[] = [];
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(String(error)));
    return faults;
  };

  test("comes by the script of the guide, has its whole height, and leads to the page", async () => {
    const { url } = await link();
    const page = await openPage(browser);
    const faults = faultsOf(page);
    await page.goto(embed("/script", script!, url));
    const table = page.frameLocator("[data-billow-table] > iframe");
    await table.getByText("Plan seats", { exact: true }).first().waitFor();
    await page.waitForFunction("document.querySelector('iframe').height !== '640'");
    const [given, whole] = await Promise.all([
      page.locator("iframe").getAttribute("height"),
      page.frames()[1]!.evaluate("Math.ceil(document.body.getBoundingClientRect().height)"),
    ]);
    expect(Number(given)).toBe(whole);
    // Chromium asks each site for an icon, which the strict policy of the page refuses.
    expect(faults.filter((text) => !text.includes("favicon"))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    await table.getByText("Billed yearly").first().click();
    await table.getByRole("link", { name: "Choose Plan year" }).click();
    await page.waitForURL(`${url}?product=year`);
    expect(await heading(page)).toBe("Plan year");
    await press(page, "Continue");
    await page.waitForURL(/\/checkout\//);
  });

  test("comes by the frame of the guide, without scripts, and leads to the portal", async () => {
    const { url } = await link();
    const page = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(embed("/frame", frame!, url));
    const table = page.frameLocator("iframe");
    expect(await table.getByRole("link", { name: "Choose Plan seats" }).isVisible()).toBe(true);
    expect(await page.context().cookies()).toEqual([]);
    await table.getByRole("link", { name: "Manage your plan" }).click();
    await page.waitForURL(`${app.url}/portal/${app.organization.id}`);
  });

  test("ends the page, if the script stands in the head", async () => {
    const { url } = await link();
    const page = await openPage(browser);
    site.set(
      "/head",
      `<!doctype html><html lang="en"><title>Shop</title><script src="${url}/table.js" async></script><p>Us`,
    );
    await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/head`);
    await page.frameLocator("p + iframe, p > iframe").getByRole("link", { name: "Choose Plan seats" }).waitFor();
  });

  test("takes the look that the site asks for", async () => {
    const { url } = await link();
    const look = script!.replace("async", 'data-accent="c2410c" data-scheme="dark" data-radius="2" data-lang="de"');
    const page = await openPage(browser);
    await page.goto(embed("/look", look, url));
    await page.frameLocator("iframe").getByRole("link", { name: "Plan seats auswählen" }).waitFor();
    const button = "getComputedStyle(document.querySelector('a.button')).backgroundColor";
    expect(await page.frames()[1]!.evaluate(button)).toBe("rgb(194, 65, 12)");
    const scheme = "getComputedStyle(document.documentElement).colorScheme";
    expect(await page.frames()[1]!.evaluate(scheme)).toBe("dark");
    const corners = (selector: string) =>
      page.frames()[1]!.evaluate(`parseFloat(getComputedStyle(document.querySelector("${selector}")).borderRadius)`);
    for (const part of ["a.button", ".offers > li", ".rhythms label"])
      expect(await corners(part), part).toBeLessThanOrEqual(4.5);
  });

  test("does not obey another frame or window", async () => {
    const { url } = await link();
    const page = await openPage(browser);
    await page.goto(embed("/other", script!, url));
    await page.waitForFunction("document.querySelector('iframe').height !== '640'");
    const before = await page.locator("iframe").getAttribute("height");
    await page.evaluate("postMessage({ billowTableHeight: 5 }, '*')");
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    expect(await page.locator("iframe").getAttribute("height")).toBe(before);
  });
});
