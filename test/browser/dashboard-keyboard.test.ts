import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import { openDashboard, OWNER } from "../support/dashboard.ts";
import { DESK } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { emailOf, joinAs } from "../support/form-actions.ts";
import { enterAt, tabTo, typeAt } from "../support/keyboard.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let home: string;
beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-03-01T09:00:00Z" }), launchBrowser()]);
  await story.plan("pro", 2635, { name: "Pro" });
  await story.buy({ productKey: "pro", customer: { email: "ada@example.com", name: "Ada" } }, CARDS.pays);
  await mailOnce(story.app.ctx);
  const path = `/dashboard/${story.app.organization.id}`;
  home = story.app.url + path;
  const owner = await openDashboard(story.app);
  await owner.sendOnce(`${path}/team/refund-limit`, { limit: "10.00" });
  await joinAs(story.app, "support");
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** Signs in by the keyboard. */
async function open(email: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: DESK })).newPage();
  await page.goto(home);
  await typeAt(page, page.getByLabel("E-mail"), email);
  await typeAt(page, page.getByLabel("Password"), OWNER.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  // The keys of the page work once its script has run.
  await page.waitForLoadState();
  return page;
}

test("by the keyboard alone, support explains a charge, refunds a part, and shows the e-mail", async () => {
  const page = await open(emailOf("support", story.app.organization.id));
  await page.keyboard.press("/");
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
  const invoice = page.getByRole("listitem").filter({ hasText: "-0001" }).first();
  await enterAt(page, invoice.locator("summary").first());
  await enterAt(page, invoice.locator("summary").filter({ hasText: "Total" }));
  await invoice.getByText("The sum of the lines.").waitFor();
  await enterAt(page, invoice.getByRole("link", { name: "Refund" }));
  await page.getByRole("heading", { level: 1, name: /Refund of invoice/ }).waitFor();
  await typeAt(page, page.getByLabel("Amount in USD"), "five");
  await enterAt(page, page.getByRole("button", { name: "Preview" }));
  // The first wrong field has the focus, so the correction needs no way there.
  const amount = page.locator("[aria-invalid=true]");
  await amount.waitFor();
  await typeAt(page, amount, "5.00");
  await typeAt(page, page.getByLabel("Reason"), "Outage on Monday");
  await enterAt(page, page.getByRole("button", { name: "Preview" }));
  await enterAt(page, page.getByRole("button", { name: /Refund US\$5\.00 to Visa/ }));
  await page.getByRole("status").getByText("Refund of US$5.00 to Visa").waitFor();
  await enterAt(page, page.getByRole("region", { name: "E-mails" }).getByRole("link").first());
  await page.frameLocator('iframe[title="The e-mail as HTML"]').getByText("US$26.35").first().waitFor();
});

test("by the keyboard alone, an owner makes a Product and a Checkout link, and cancels a Subscription", async () => {
  const page = await open(OWNER.email);
  const menu = page.getByRole("navigation", { name: "Dashboard" });
  await enterAt(page, page.getByRole("link", { name: "Skip to the content" }));
  await page.keyboard.press("Tab");
  expect(await page.locator("main :focus").count(), "the first control of the content").toBe(1);

  await page.reload();
  await enterAt(page, menu.getByRole("link", { name: "Products" }));
  await enterAt(page, page.getByRole("link", { name: "New Product" }));
  await typeAt(page, page.getByLabel("Name", { exact: true }), "Team");
  await typeAt(page, page.getByLabel("Amount of price 1"), "60");
  await enterAt(page, page.getByRole("button", { name: "Create the Product" }));
  await page.getByText("The Product is for sale.").waitFor();

  await enterAt(page, menu.getByRole("link", { name: "Checkouts" }));
  await enterAt(page, page.getByRole("link", { name: "New Checkout link" }).first());
  await tabTo(page, page.getByLabel("Product"));
  await page.keyboard.type("Team");
  await enterAt(page, page.getByRole("button", { name: "Create the Checkout link" }));
  const link = page.getByRole("link", { name: /\/checkout\/chk_/ });
  await enterAt(page, link);
  await page.getByText("US$60.00 every month").first().waitFor();

  await page.goto(`${home}/customers`);
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
  await enterAt(page, page.getByRole("link", { name: "Cancel at period end for Pro" }));
  await tabTo(page, page.getByLabel("Reason"));
  await page.keyboard.type("Too");
  await enterAt(page, page.getByRole("button", { name: "Cancel at period end" }));
  await page.getByText("The Subscription will end with its period.").waitFor();
});
