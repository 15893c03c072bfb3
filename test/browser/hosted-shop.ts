import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage as openIn, press } from "../support/buyers.ts";
import { openShop, type Shop } from "../support/shop.ts";

/** A merchant with buyers that pay on a page of the provider, in Chromium. */
export type HostedShop = {
  app: TestApp;
  shop: Shop;
  browser: Browser;
};

/**
 * Opens a merchant for the tests of a file, with the Products `pro` of 30.00 a month and `trial-optional`. `connect`
 * leads the buyers to the provider, and `pages` is the pattern of the provider's addresses.
 */
export function openHostedShop(connect: (app: TestApp) => Promise<void>, pages: () => string | RegExp) {
  const opened = {} as HostedShop;
  beforeAll(async () => {
    const [app, shop, browser] = await Promise.all([
      startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" }),
      openShop(),
      launchBrowser(),
    ]);
    Object.assign(opened, { app, shop, browser });
    await connect(app);
    const month = { interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
    await ok("POST", "/products", { ...month, key: "pro", name: "Pro", description: "For teams." });
    const trial = { ...month, trialDays: 14, trialCard: "optional" };
    await ok("POST", "/products", { ...trial, key: "trial-optional", name: "Easy trial" });
    await ok("PATCH", "/organization", { branding: { displayName: "Acme Tools", accentColor: "#ffd400" } });
  });
  afterEach(async () => {
    await Promise.all(opened.browser.contexts().map((context) => context.close()));
  });
  afterAll(async () => {
    await opened.browser.close();
    await opened.shop.close();
    await opened.app.close();
  });

  async function ok(method: string, path: string, body?: object): Promise<Json> {
    const answer = await opened.app.manage(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  }
  async function checkout(productKey: string, more: object = {}): Promise<Json> {
    const params = { productKey, successUrl: `${opened.shop.url}/thanks/{CHECKOUT_ID}`, ...more };
    const answer = await opened.app.api("POST", "/checkouts", params);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  }
  const openPage = (options: BrowserContextOptions = {}) => openIn(opened.browser, options);
  const atProvider = (page: Page) => page.waitForURL(pages());
  return {
    opened,
    ok,
    checkout,
    openPage,
    atProvider,
    read: async (id: string) => (await opened.app.api("GET", `/checkouts/${id}`)).body,
    payments: async (id: string): Promise<Json[]> => (await ok("GET", `/payments?checkoutId=${id}`)).data,
    /** Waits for the merchant's page after the purchase. */
    inShop: (page: Page, id: string) => page.waitForURL(`${opened.shop.url}/thanks/${id}`),
    /** Opens a Checkout with a known buyer, and goes on to the provider's page. */
    async begin(options: BrowserContextOptions): Promise<{ page: Page; id: string; url: string }> {
      const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
      const page = await openPage(options);
      await page.goto(url);
      await press(page, "Continue to payment");
      await atProvider(page);
      return { page, id, url };
    },
  };
}
