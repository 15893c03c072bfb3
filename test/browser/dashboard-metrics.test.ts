import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUp } from "../../src/actions/team/set-up.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { OWNER } from "../support/dashboard.ts";
import { signInWith } from "../support/signed-in.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
const contexts: BrowserContext[] = [];
const home = () => `${story.app.url}/dashboard/${story.app.organization.id}`;

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2025-03-01T09:00:00Z" }), launchBrowser()]);
  const { app, plan, buy, travel, ok } = story;
  await plan("pro", 3000);
  await plan("team", 9000);
  await plan("starter", 1500, { trialDays: 14 });
  await setUp(app.ctx, OWNER);
  const purchases: [day: string, name: string, product: string, card: string][] = [
    ["2025-03-10", "ada", "pro", CARDS.pays],
    ["2025-04-05", "ben", "pro", CARDS.failsLater],
    ["2025-04-20", "cleo", "team", CARDS.pays],
    ["2025-05-11", "dora", "team", CARDS.pays],
    ["2025-05-28", "emil", "starter", CARDS.pays],
    ["2025-06-03", "finn", "pro", CARDS.pays],
  ];
  const ids: Record<string, string> = {};
  for (const [day, name, productKey, card] of purchases) {
    await travel(day);
    ids[name] = (await buy({ productKey, customer: { email: `${name}@example.com` } }, card)).id;
  }
  await story.change(ids["cleo"]!, { productKey: "pro", prorationBehavior: "none" });
  await story.change(ids["ada"]!, { productKey: "team", prorationBehavior: "invoice_now" });
  await travel("2025-06-08");
  await ok(app.manage("POST", `/subscriptions/${ids["dora"]}/cancel-now`, {}));
  const [payment] = (await ok(app.manage("GET", "/payments?status=succeeded"))).data;
  await ok(app.manage("POST", `/sandbox/payments/${payment.id}/dispute`));
});
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser.close();
  await story.close();
});

async function open(options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, ...options });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(home());
  await signInWith(page, OWNER.email);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  return page;
}

test("from the overview to the rows behind a figure, without a script", async () => {
  const page = await open({ javaScriptEnabled: false });
  expect(await page.getByRole("region", { name: "Needs attention" }).getByRole("listitem").allTextContents()).toEqual([
    expect.stringContaining("A bank took back"),
    expect.stringMatching(
      /1 Subscription ended in the last 30 days because the renewal was never paid:\s+ben@example\.com\./,
    ),
  ]);
  expect(await page.getByRole("img").evaluateAll((all) => all.map((each) => each.ariaLabel))).toEqual([
    expect.stringMatching(/^MRR from 10 May to 8 Jun: US\$150\.00 before, /),
    expect.stringMatching(/^Changes of MRR .*Churn −US\$120\.00/),
    expect.stringMatching(/^Net revenue /),
    expect.stringMatching(/^Subscriptions on 8 Jun: Active 3, Trialing 1, Past due 0, Paused 0\.$/),
  ]);
  await page.getByRole("navigation", { name: "Days or months" }).getByRole("link", { name: "12 months" }).click();
  const june = page.getByRole("row", { name: /^June 2025/ });
  await june.getByRole("link", { name: "−US$90.00" }).click();
  await page.getByRole("heading", { level: 1, name: "Changes of MRR" }).waitFor();
  expect(await page.getByRole("row").filter({ hasText: "8 Jun 2025" }).count()).toBe(1);
  await page.getByRole("link", { name: "All" }).click();
  expect(await page.getByRole("row").filter({ hasText: "Contraction" }).count()).toBe(1);
  await page.getByRole("link", { name: "Back to the overview" }).click();
  await page.locator("dl").getByRole("link").first().click();
  await page.getByRole("heading", { level: 1, name: "MRR by Subscription" }).waitFor();
  expect(await page.getByRole("cell", { name: /^US/ }).allTextContents()).toEqual(["US$90.00", "US$30.00", "US$30.00"]);
  await page.getByRole("link", { name: "Back to the overview" }).click();
  await page.locator("dl").getByRole("link").nth(1).click();
  await page.getByRole("heading", { level: 1, name: "Revenue" }).waitFor();
  expect(await page.getByRole("region", { name: "Revenue by Product" }).getByRole("row").count()).toBeGreaterThan(2);
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, the badge of a matter is as high as its word, beside a text of any length", async (_, viewport) => {
  const page = await open({ viewport });
  const { ok, app } = story;
  const rates = [{ country: "DE", basisPoints: 1900, name: "VAT", reverseCharge: true }];
  await ok(app.manage("PATCH", "/organization", { taxRates: rates }));
  await page.reload();
  const badges = page.locator(".needs .badge");
  const heights = await badges.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
  await ok(app.manage("PATCH", "/organization", { taxRates: [] }));
  expect(await badges.allTextContents()).toEqual(["Dispute", "Ended unpaid", "Country missing"]);
  for (const height of heights) expect(height).toBeLessThan(28);
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no page has a fault that a machine can find", async (_, viewport) => {
  const page = await open({ viewport });
  const span = "from=2025-03-01&to=2025-06-08";
  const below = [
    "",
    "?by=month",
    `/metrics/movements?${span}`,
    `/metrics/revenue?${span}`,
    `/metrics/recovered?${span}`,
  ];
  for (const path of below) {
    await page.goto(home() + path);
    await inspect(page);
    const shots = process.env["SHOTS"];
    if (shots) await page.screenshot({ path: `${shots}/${viewport.width}-${below.indexOf(path)}.png`, fullPage: true });
    if (shots && path === "") {
      await page.emulateMedia({ colorScheme: "dark" });
      await page.screenshot({ path: `${shots}/${viewport.width}-dark.png`, fullPage: true });
      await page.emulateMedia({ colorScheme: "light" });
    }
  }
});
