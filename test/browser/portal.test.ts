import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { enterAt, tabTo } from "../support/keyboard.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let shop: Shop;
let portal: string;
let bought: Json;

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

beforeAll(async () => {
  [story, browser, shop] = await Promise.all([
    startStory({ clock: "2026-01-15T09:00:00Z" }),
    launchBrowser(),
    openShop(),
  ]);
  const { app, ok } = story;
  const branding = { displayName: "Acme Tools", accentColor: "#ffd400", logoUrl: null };
  portal = (await ok(app.manage("PATCH", "/organization", { branding }))).portalUrl;
  const benefit = async (name: string, type: string, properties: object) =>
    (await ok(app.manage("POST", "/benefits", { name, type, properties, description: "As long as you subscribe." })))
      .id;
  const benefitIds = [
    await benefit("Single sign-on", "feature", { feature: "sso", value: true }),
    await benefit("Editor", "license_key", { prefix: "ACME", activationLimit: 3 }),
    await benefit("Support", "custom", { note: "Write to https://help.example/a?b=1&c=2, or javascript:alert(1)." }),
  ];
  await story.plan("pro", 3000, { name: "Pro", benefitIds });
  await story.plan("team", 5000, { name: "Team", group: "team" });
  await story.plan("add-on", 1000, { name: LONG, group: "add-ons", trialDays: 90 });
  const customer = { email: "ada@example.com", name: "Ada Lovelace", externalId: "ada" };
  bought = await story.buy({ productKey: "pro", customer }, CARDS.pays);
  await story.buy({ productKey: "team", customer }, CARDS.pays);
  const trial = await story.buy({ productKey: "add-on", customer }, CARDS.pays);

  await story.plan("extra", 2000, { name: "Extra", group: "add-ons" });
  await story.change(trial.id, { productKey: "extra", prorationBehavior: "next_period" });
  await story.travel("2026-02-10");
  await story.newCard(bought.customerId, CARDS.failsLater);
  await story.travel("2026-02-16");
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await story.close();
});

const link = async (returnUrl: string | null = null) =>
  (await story.ok(story.app.manage("POST", `/customers/${bought.customerId}/portal-sessions`, { returnUrl })))
    .url as string;

async function enter(
  options: Parameters<Browser["newContext"]>[0] = {},
  returnUrl: string | null = null,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: DESK, javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  await page.goto(await link(returnUrl));
  return { page, context };
}

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_, viewport) => {
  test("the pages before one is signed in have no fault that a machine can find", async () => {
    const page = await browser.newPage({ viewport });
    await page.goto(portal);
    await inspect(page);
    await page.getByLabel("E-mail").fill("ada");
    await page.getByRole("button", { name: "Send me a link" }).click();
    await inspect(page);
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByRole("button", { name: "Send me a link" }).click();
    await inspect(page);
    await page.goto(await link());
    await inspect(page);
    await page.goto(`${portal}/sign-in/x`);
    await inspect(page);
    await page.close();
  });

  test("nor have those after", async () => {
    const { page, context } = await enter({ viewport, javaScriptEnabled: true }, `${shop.url}/settings`);
    await inspect(page);
    await page.getByRole("listitem").filter({ hasText: LONG }).getByRole("link", { name: "Cancel" }).click();
    await inspect(page);
    await context.close();
  });
});

test("a Customer signs in by e-mail without a script, sees the account, and signs out", async () => {
  const context = await browser.newContext({ viewport: DESK, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(portal);
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByRole("button", { name: "Send me a link" }).click();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Check your e\u2011mail");
  await story.app.runDue();
  await mailOnce(story.app.ctx);
  // In a sandbox the e-mail is read on its page.
  const [email] = (await story.ok(story.app.manage("GET", "/emails?kind=portal_sign_in&limit=1"))).data;
  await page.goto(email.url);
  const [popup] = await Promise.all([
    context.waitForEvent("page"),
    page.frameLocator("iframe").getByRole("link", { name: "Sign in" }).click(),
  ]);
  await popup.getByRole("button", { name: "Sign in" }).click();
  expect(popup.url()).toBe(portal);
  expect(await popup.getByText("Signed in as").textContent()).toBe("Signed in as Ada Lovelace (ada@example.com)");
  const words = (await popup.getByRole("main").textContent())!.replace(/\s+/g, " ");
  for (const said of [
    "Payment overdue",
    "Free trial",
    "US$10.00 every month",
    "Extra, US$20.00 every month",
    "Single sign-on",
    "ACME-",
    "Write to https://help.example/a?b=1&c=2,",
    "Visa •••• 0341",
  ]) {
    expect(words.replaceAll("\u00a0", " ")).toContain(said);
  }
  await popup.getByRole("button", { name: "Sign out" }).click();
  expect(await popup.getByRole("heading", { level: 1 }).textContent()).toBe("Sign in");
  await context.close();
});

test("a debt is paid from there, and the way back tells the merchant nothing", async () => {
  const { page, context } = await enter({ javaScriptEnabled: true }, `${shop.url}/settings`);
  const overdue = page.getByRole("region", { name: "US$80.00 is overdue" });
  await overdue.getByRole("link", { name: "Pay US$30.00 for Pro" }).click();
  await page.getByLabel("Card number").fill(CARDS.pays);
  await page.getByLabel("Expiry date").fill("12 / 40");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: /^Pay US/ }).click();
  await page.getByText("Paid on").first().waitFor();
  await page.goto(portal);
  await page.getByRole("link", { name: "Back to" }).click();
  await page.waitForURL(`${shop.url}/settings`);
  expect(shop.requests.at(-1)).toMatchObject({ path: "/settings" });
  expect(shop.requests.at(-1)!.headers.referer).toBeUndefined();
  await context.close();
});

test("they cancel with a reason, by keyboard alone, and think better of it", async () => {
  const { page, context } = await enter();
  const entry = page.getByRole("listitem").filter({ hasText: LONG });
  await enterAt(page, entry.getByRole("link", { name: `Cancel subscription ${LONG}` }));
  await page.getByRole("heading", { level: 1, name: `Cancel ${LONG}?` }).waitFor();
  const words = (await page.getByRole("main").textContent())!.replace(/\s+/g, " ");
  expect(words).toContain("continues until 15 April 2026. You won’t be charged.");
  await tabTo(page, page.getByLabel("It’s too expensive"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await page.getByLabel("I’ve switched to something else").isChecked()).toBe(true);
  await enterAt(page, page.getByRole("button", { name: "Cancel on 15 April" }));
  await page.waitForURL(portal);
  await page.getByRole("status").getByText("Your cancellation is confirmed.").waitFor();
  expect(withPlainSpaces((await entry.textContent())!)).toContain("Ends on 15 April 2026. You won’t be charged.");
  expect(withPlainSpaces((await entry.textContent())!)).not.toContain("Price until the end");
  await enterAt(page, entry.getByRole("button", { name: "Undo cancellation" }));
  await page.waitForURL(portal);
  await entry.getByRole("link", { name: "Cancel subscription" }).waitFor();
  await page.getByRole("status").getByText("Your cancellation is undone.").waitFor();
  await page.reload();
  expect(await page.getByRole("status").filter({ hasText: "undone" }).count()).toBe(0);
  expect(withPlainSpaces((await entry.textContent())!)).not.toContain("Ends on");
  await context.close();
});

test("the Benefits come as sold, the web address in a note is a link, and a free device place is named", async () => {
  const { page, context } = await enter();
  const access = page.getByRole("region", { name: "Your access" });
  expect(await access.getByRole("heading", { level: 3 }).allTextContents()).toEqual([
    "Single sign-on",
    "Editor",
    "Support",
  ]);
  const help = access.getByRole("link", { name: "https://help.example/a?b=1&c=2", exact: true });
  expect([await help.getAttribute("href"), await help.getAttribute("rel")]).toEqual([
    "https://help.example/a?b=1&c=2",
    "noopener nofollow",
  ]);
  await access.getByText(", or javascript:alert(1).").waitFor();
  await access.getByText("0 of 3 devices in use").waitFor();
  await context.close();
});

test("the page of a cancellation names the access that is lost, and that day", async () => {
  const { page, context } = await enter();
  const entry = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Pro" }) });
  await entry.getByRole("link", { name: "Cancel subscription" }).click();
  const lost = page.getByRole("list", { name: "You’ll then lose:" });
  expect((await lost.getByRole("listitem").allTextContents()).sort()).toEqual(["Editor", "Single sign-on", "Support"]);
  expect(await page.getByRole("button", { name: "Cancel on 15 March" }).count()).toBe(1);
  await page.getByRole("link", { name: "Keep Pro" }).click();
  await page.waitForURL(portal);
  await context.close();
});
