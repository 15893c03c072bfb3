import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { inspect } from "../support/axe.ts";
import { BANK_PAGE } from "../support/bank-page.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, openPage, press, typeCard } from "../support/buyers.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-01-15T09:00:00Z" }), launchBrowser()]);
  await story.plan("pro", 3000, { name: "Pro" });
  await story.plan("max", 9000, { name: "Max" });
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

const order = (externalId: string, productKey: string) =>
  story.app.api("POST", "/checkouts", { productKey, customer: { email: `${externalId}@example.com`, externalId } });
const payments = async (checkoutId: string) =>
  (await story.ok(story.app.manage("GET", `/payments?checkoutId=${checkoutId}`))).data.map(
    ({ status }: Json) => status,
  );

/** Begins to pay an order with a card whose bank asks the buyer, and leaves the page there. */
async function leaveAtBank(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await typeCard(page, CARDS.asksBuyer);
  await press(page, /^(Subscribe|Pay)/);
  await page.getByRole("link", { name: "Continue to your bank" }).waitFor();
}

async function enterPortal(page: Page, customerId: string): Promise<void> {
  const { url } = await story.ok(story.app.manage("POST", `/customers/${customerId}/portal-sessions`, {}));
  await page.goto(url);
}

describe("a buyer who leaves at the bank and orders again", () => {
  test("is led by the 409 to the first order, and pays with another card", async () => {
    const first = await story.ok(order("ada", "pro"));
    const page = await openPage(browser);
    await leaveAtBank(page, first.url);
    const refused = await order("ada", "max");
    expect(refused).toMatchObject({
      status: 409,
      body: { subscriptionId: null, checkoutId: first.id, url: first.url },
    });
    await page.goto(refused.body.url);
    expect(await heading(page)).toBe("Confirm this payment with your bank");
    await press(page, "Pay with another card");
    await typeCard(page, CARDS.pays);
    await press(page, /^(Subscribe|Pay)/);
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect(await payments(first.id)).toEqual(["succeeded", "failed"]);
    expect(await story.books()).toEqual({ paid: [3000], captured: [3000] });
  });

  test("is free to order something else as soon as the first payment is given up", async () => {
    const first = await story.ok(order("eve", "pro"));
    const page = await openPage(browser);
    await leaveAtBank(page, first.url);
    await press(page, "Pay with another card");
    await page.getByLabel("Card number").waitFor();
    expect((await order("eve", "max")).status).toBe(201);
  });

  test("is led there by the page of another order, too", async () => {
    const second = await story.ok(order("bob", "max"));
    const first = await story.ok(order("bob", "pro"));
    const page = await openPage(browser);
    await leaveAtBank(page, first.url);
    await page.goto(second.url);
    await typeCard(page, CARDS.pays);
    await press(page, /^(Subscribe|Pay)/);
    await page.getByRole("heading", { name: "Your earlier order is not finished" }).waitFor();
    await inspect(page);
    await page.getByRole("link", { name: "Continue with your order" }).click();
    expect(page.url()).toBe(first.url);
    await page.getByRole("link", { name: "Continue to your bank" }).click();
    await page.waitForURL(BANK_PAGE);
    await press(page, "Yes, confirm");
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect(await payments(second.id)).toEqual([]);
  });

  test("finds the first order in the portal", async () => {
    const first = await story.ok(order("kim", "pro"));
    const page = await openPage(browser);
    await leaveAtBank(page, first.url);
    await enterPortal(page, first.customerId);
    const waiting = page.getByRole("region", { name: "Your order for Pro is not finished" });
    expect(await waiting.innerText()).toContain("Continue with it, or use another card.");
    await inspect(page);
    await waiting.getByRole("link", { name: "Continue with your order" }).click();
    expect(page.url()).toBe(first.url);
    await press(page, "Pay with another card");
    await page.getByLabel("Card number").waitFor();
    await enterPortal(page, first.customerId);
    await page.getByText("You have no subscriptions.").waitFor();
    expect(await waiting.count()).toBe(0);
  });

  test("finds a change there that is not finished", async () => {
    const bought = await story.buy({ productKey: "pro", customer: { email: "lou@example.com" } }, CARDS.pays);
    const change = { productKey: "max", subscriptionId: bought.id };
    const { url } = await story.ok(story.app.api("POST", "/checkouts", change));
    const page = await openPage(browser);
    await leaveAtBank(page, url);
    await enterPortal(page, bought.customerId);
    const waiting = page.getByRole("region", { name: "Your change to Max is not finished" });
    await waiting.getByRole("link", { name: "Continue with your order" }).click();
    expect(page.url()).toBe(url);
    await story.answerChallenge(true);
    await enterPortal(page, bought.customerId);
    await page.getByRole("heading", { name: "Max", exact: true }).waitFor();
    expect(await waiting.count()).toBe(0);
  });
});
