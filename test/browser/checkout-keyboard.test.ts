import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { DESK, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer } from "../support/buyers.ts";
import { enterAt, expectFocus, tabTo, typeAt } from "../support/keyboard.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
let shop: Shop;
let browser: Browser;
beforeAll(async () => {
  [app, shop, browser] = await Promise.all([
    startTestApp({}, { clock: "2026-02-01T09:00:00Z" }),
    openShop(),
    launchBrowser(),
  ]);
  const prices = [{ currency: "usd", amount: 3000 }];
  await ok(app.manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices }));
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await app.close();
});

async function typeCard(page: Page, number: string): Promise<void> {
  await typeAt(page, page.getByLabel("Card number"), number);
  await typeAt(page, page.getByLabel("Expiry date"), "1240");
  await typeAt(page, page.getByLabel("Security code"), "123");
}

test.each([
  ["with a script, on a desk", { viewport: DESK }],
  ["without a script, on a phone", { viewport: PHONE, javaScriptEnabled: false }],
] as const)(
  "by the keyboard alone, a buyer mends a typo, is declined, and pays with another card, %s",
  async (_, options) => {
    const checkout: Json = await ok(
      app.api("POST", "/checkouts", { productKey: "pro", successUrl: `${shop.url}/thanks/{CHECKOUT_ID}` }),
    );
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(checkout["url"]);
    await typeAt(page, page.getByLabel("E-mail"), "ada@");
    await typeCard(page, CARDS.declined);
    const pay = page.getByRole("button", { name: /^Pay US/ });
    await enterAt(page, pay);
    const email = page.getByLabel("E-mail");
    await expect.poll(() => email.getAttribute("aria-invalid")).toBe("true");
    await tabTo(page, email);
    await typeAt(page, email, newBuyer());
    // A script finds the typo before the card is sent. Without a script, the page has no card number any more.
    const kept = options.viewport === DESK ? "4000 0000 0000 0002" : "";
    expect(await page.getByLabel("Card number").inputValue()).toBe(kept);
    if (kept === "") await typeCard(page, CARDS.declined);
    await enterAt(page, pay);
    await page.getByRole("alert").getByText("The card was declined.").waitFor();
    await expectFocus(page.getByRole("alert"));
    await typeCard(page, CARDS.pays);
    await enterAt(page, pay);
    await page.waitForURL(`${shop.url}/thanks/${checkout["id"]}`);
  },
);
