import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { joinAs } from "../support/form-actions.ts";
import { openAs } from "../support/signed-in.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let home: string;
beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-03-01T09:00:00Z" }), launchBrowser()]);
  const { app, ok } = story;
  const taxRates = [{ country: "DE", basisPoints: 1900, name: "USt", inclusive: true }];
  await ok(app.manage("PATCH", "/organization", { taxRates }));
  await story.plan("pro", 2635, { name: "Pro" });
  await ok(
    app.manage("POST", "/discounts", { code: "TEN", type: "percentage", basisPoints: 1000, duration: "forever" }),
  );
  for (const name of ["Ada", "Grace"]) {
    const customer = { email: `${name}@example.com`, name, billingAddress: { country: "DE" } };
    await story.buy({ productKey: "pro", discountCode: "TEN", customer }, CARDS.pays);
  }
  await mailOnce(app.ctx);
  home = `/dashboard/${app.organization.id}`;
  const owner = await openDashboard(app);
  await owner.sendOnce(`${home}/team/refund-limit`, { limit: "10.00" });
  await joinAs(app, "support");
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

async function openAsSupport(options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await openAs(page, story.app, "support");
  return page;
}

test.each([
  ["Ada", "with a script, on a desk", { viewport: DESK }],
  ["Grace", "without a script, on a phone", { viewport: PHONE, javaScriptEnabled: false }],
] as const)("why was %s charged 23.71, give 5 back, show the e-mail: %s", async (name, _, options) => {
  const hasScript = !("javaScriptEnabled" in options);
  const page = await openAsSupport(options);
  await page.getByRole("searchbox").fill(`${name.toLowerCase()}@example.com`);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();

  const invoice = page.getByRole("listitem").filter({ hasText: "-0001" }).first();
  await invoice.locator("summary").first().click();
  await invoice.getByText("Discount", { exact: true }).click();
  await invoice.getByText("Discount TEN: 10 % of US$26.35 is US$2.64.").waitFor();
  await invoice.getByText("Total", { exact: true }).click();
  await invoice.getByText(/less US\$2\.64 discount, in which US\$3\.79 tax is contained: US\$23\.71\./).waitFor();
  if (hasScript) await inspect(page);

  await invoice.getByRole("link", { name: "Refund" }).click();
  await page.getByRole("heading", { level: 1, name: /Refund of invoice/ }).waitFor();
  await page.getByText("Support can refund up to US$10.00 of one invoice. US$10.00 is left.").waitFor();
  await page.getByLabel("Amount in USD").fill("5.00");
  await page.getByLabel("Reason").fill("Outage on Monday");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("US$5.00 goes to Visa").waitFor();
  if (hasScript) await inspect(page);
  const refund = page.getByRole("button", { name: /Refund US\$5\.00 to Visa/ });
  // Other values need a preview of their own.
  await page.getByRole("button", { name: "Change the values" }).click();
  expect(await refund.count()).toBe(0);
  expect(await page.getByLabel("Amount in USD").inputValue()).toBe("5.00");
  await page.getByRole("button", { name: "Preview" }).click();
  await refund.click();
  await page.getByRole("status").getByText("Refund of US$5.00 to Visa").waitFor();
  const again = page.getByRole("listitem").filter({ hasText: "-0001" }).first();
  await again.locator("summary").first().click();
  await again.getByText("Refund of US$5.00 to the card").waitFor();
  await again.getByText("Outage on Monday").waitFor();

  await page.getByRole("region", { name: "E-mails" }).getByRole("link").first().click();
  const message = page.frameLocator('iframe[title="The e-mail as HTML"]');
  await message.getByText("US$23.71").first().waitFor();
  expect(await page.getByText("State").count()).toBeGreaterThan(0);
  if (hasScript) await inspect(page);
});
