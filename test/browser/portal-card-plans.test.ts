import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { typeCard } from "../support/buyers.ts";
import { enterAt, tabTo } from "../support/keyboard.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** A name that does not fit in one line of a phone. */
const CLUB = "Club of the very early and unusually enthusiastic adopters";
const PHONE = { width: 375, height: 812 };

let story: Story;
let browser: Browser;
let portal: string;
let buyers = 0;

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-01-15T09:00:00Z" }), launchBrowser()]);
  const branding = { displayName: "Acme Tools", accentColor: "#ffd400", logoUrl: null };
  portal = (await story.ok(story.app.manage("PATCH", "/organization", { branding }))).portalUrl;
  await story.plan("pro", 3000, { name: "Pro" });
  await story.plan("club", 500, { name: CLUB, group: "club" });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await browser.close();
  await story.close();
});

type Entered = { page: Page; pro: Json; club: Json };

/** A Customer with Pro, in the portal. A stranger has typed the Customer's e-mail address and bought Club. */
async function enter(options: BrowserContextOptions, locale: string | null = null): Promise<Entered> {
  const { app, ok } = story;
  const email = `eva-${(buyers += 1)}@example.com`;
  const pro = await story.buy({ productKey: "pro", customer: { email, name: "Eva", locale } }, CARDS.pays);
  const { id } = await ok(app.api("POST", "/checkouts", { productKey: "club" }));
  const paid = await ok(app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.failsLater, email }));
  const { url } = await ok(app.manage("POST", `/customers/${pro["customerId"]}/portal-sessions`, {}));
  const context = await browser.newContext({ viewport: DESK, ...options });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForURL(portal);
  return { page, pro, club: await story.subscription(paid.subscriptionId) };
}

const said = async (page: Page) => (await page.getByRole("main").innerText()).replaceAll(/\s+/g, " ");

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_, options) => {
  test("a Customer chooses one of two plans for a card, and the account says which card pays each", async () => {
    const { page } = await enter(options);
    await page.getByRole("link", { name: "Use another card" }).click();
    const group = page.getByRole("group", { name: "Use this card for" });
    expect(await group.getByRole("radio").count()).toBe(3);
    expect(await group.getByLabel("All subscriptions").isChecked()).toBe(true);
    await group.getByLabel("Only Pro, US$30.00").waitFor();
    await group.getByLabel(`Only ${CLUB}, US$5.00`).check();
    expect(await said(page)).toMatch(
      /Club of .* adopters was bought with your e.mail address. If you save a card for it/,
    );
    await page.getByRole("button", { name: "Save card" }).click();
    await page.getByRole("alert").waitFor();
    // The choice survives a fault of the card.
    expect(await page.getByLabel(`Only ${CLUB}`).isChecked()).toBe(true);
    await typeCard(page, CARDS.paysToo);
    await page.getByRole("button", { name: "Save card" }).click();
    await page.waitForURL(portal);
    const text = await said(page);
    expect(text).toMatch(/US\$5\.00 to Visa •••• 5556/);
    expect(text).toMatch(/US\$30\.00 to Visa •••• 4242/);
    expect(text).not.toContain("This was bought with your e-mail address");
    await page.context().close();
  });

  test("a Customer ends a purchase that the Customer does not recognize, after a confirmation", async () => {
    const { page, club } = await enter(options);
    await page.getByRole("link", { name: "Use another card" }).click();
    await page.getByRole("link", { name: /^I don’t recognize this/ }).click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^You don’t recognize Club of/);
    expect(await said(page)).toContain("Acme Tools sees that you did not recognize it. You won’t be charged.");
    expect(await story.subscription(club["id"])).toMatchObject({ status: "active" });
    await page.getByRole("button", { name: /^End Club/ }).click();
    await page.waitForURL(portal);
    await page.getByText("The subscription has ended. The seller sees that you did not recognize it.").waitFor();
    expect(await story.subscription(club["id"])).toMatchObject({
      status: "canceled",
      cancellationReason: "unrecognized",
    });
    await page.getByRole("link", { name: "Use another card" }).click();
    expect(await said(page)).toContain("This card pays for Pro, US$30.00");
    expect(await page.getByRole("radio").count()).toBe(0);
    await page.context().close();
  });
});

test("the choice and the way out are possible by keyboard alone", async () => {
  const { page, club } = await enter({});
  await enterAt(page, page.getByRole("link", { name: "Use another card" }));
  await tabTo(page, page.getByLabel("All subscriptions"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await page.getByLabel(`Only ${CLUB}`).isChecked()).toBe(true);
  await enterAt(page, page.getByRole("link", { name: /^I don’t recognize this/ }));
  await enterAt(page, page.getByRole("button", { name: /^End Club/ }));
  await page.waitForURL(portal);
  expect(await story.subscription(club["id"])).toMatchObject({ status: "canceled" });
  await page.context().close();
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_, viewport) => {
  test("the pages have no fault that a machine can find", async () => {
    const { page } = await enter({ viewport });
    await inspect(page);
    await page.getByRole("link", { name: "Use another card" }).click();
    await page.getByRole("group", { name: "Use this card for" }).waitFor();
    await inspect(page);
    await page.getByRole("link", { name: /^I don’t recognize this/ }).click();
    await page.getByRole("button", { name: /^End Club/ }).waitFor();
    await inspect(page);
    await page.context().close();
  });
});

test.each([
  ["de", "Andere Karte verwenden", "Diese Karte verwenden für"],
  ["fr", "Utiliser une autre carte", "Utiliser cette carte pour"],
  ["es", "Usar otra tarjeta", "Usar esta tarjeta para"],
  ["ja", "別のカードを使う", "このカードを使うサブスクリプション"],
])("the page of a card speaks %s", async (locale, link, legend) => {
  const { page } = await enter({ viewport: PHONE }, locale);
  await page.getByRole("link", { name: link }).click();
  await page.getByRole("group", { name: legend }).waitFor();
  await inspect(page);
  await page.context().close();
});
