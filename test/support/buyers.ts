import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { DESK } from "./axe.ts";
import { withPlainSpaces } from "./pages.ts";

let buyers = 0;

export const newBuyer = () => `buyer-${(buyers += 1)}@example.com`;

/**
 * A page in a browser context of its own. The buyer has an IP address of their own if 127.0.0.1 is a trusted proxy.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const extraHTTPHeaders = { "X-Forwarded-For": `192.0.2.${(buyers += 1)}` };
  const context = await browser.newContext({ viewport: DESK, extraHTTPHeaders, ...options });
  context.setDefaultTimeout(90_000);
  return context.newPage();
}

export async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date").fill("12 / 40");
  await page.getByLabel("Security code").fill("123");
}

export const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
export const heading = async (page: Page) =>
  withPlainSpaces((await page.getByRole("heading", { level: 1 }).textContent()) ?? "");
/** The summary of the purchase as a buyer reads it: lines without their layout. */
export const summaryOf = async (page: Page) =>
  withPlainSpaces(await page.locator(".summary").innerText()).replace(/\n+/g, "\n");
