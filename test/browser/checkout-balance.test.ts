import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage, press, summaryOf, typeCard } from "../support/buyers.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { CARDS, ok as done } from "../support/story.ts";
import { checkoutsOf, startCatalogueApp } from "./catalogue.ts";

let app: TestApp;
let browser: Browser;
const { ok, checkout, read } = checkoutsOf(() => app);

/** A new Customer in Germany with this balance. */
async function customerWith(amount: number, currency = "usd"): Promise<string> {
  const { id } = await done(app.api("POST", "/customers", { email: newBuyer(), billingAddress: { country: "DE" } }));
  await adjust(id, amount, currency);
  return id;
}
const adjust = (id: string, amount: number, currency = "usd") =>
  ok("POST", `/customers/${id}/balance-adjustments`, { currency, amount, reason: "Sorry" });

beforeAll(async () => {
  [app, browser] = await Promise.all([startCatalogueApp(), launchBrowser()]);
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("the balance pays a part, after tax and discount, and the card pays the amount that was shown", async () => {
    const customerId = await customerWith(1000);
    const made = await checkout("pro", { customerId });
    const page = await openPage(browser, options);
    await page.goto(made.url);
    expect(await summaryOf(page)).toMatch(
      /Price\s+US\$30\.00\s+USt, 19%\s+US\$5\.70\s+Paid from your balance\s+−US\$10\.00\s+Due today\s+US\$25\.70/,
    );
    await page.getByLabel("Have a code?").fill("LAUNCH25");
    await press(page, "Apply the code");
    await page.getByRole("button", { name: "Pay US$16.78" }).waitFor();
    expect(await summaryOf(page)).toMatch(
      /−US\$7\.50\s+USt, 19%\s+US\$4\.28\s+Paid from your balance\s+−US\$10\.00\s+Due today\s+US\$16\.78/,
    );
    await adjust(customerId, -300);
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$16.78");
    await page.getByRole("alert").getByText("US$19.78 is due today. You were not charged.").waitFor();
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$19.78");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect(withPlainSpaces(await page.locator("main").innerText())).toMatch(
      /Paid US\$19\.78 with Visa[^]*Paid from your balance\s+US\$7\.00\s+Then /,
    );
    expect(await read(made.id)).toMatchObject({ status: "completed", balanceApplied: 700, amountDue: 1978 });
  });

  test("the balance pays all of a Subscription, and the card is saved", async () => {
    const made = await checkout("pro", { customerId: await customerWith(5000) });
    const page = await openPage(browser, options);
    await page.goto(made.url);
    const summary = await summaryOf(page);
    expect(summary).toMatch(/Paid from your balance\s+−US\$35\.70\s+Due today\s+US\$0\.00/);
    expect(summary).toContain("Your balance covers the whole amount due today.");
    expect(summary).toContain("from 1 March 2026, until you cancel. You won’t be charged today.");
    await typeCard(page, CARDS.pays);
    await press(page, "Save card and subscribe");
    await page.getByText(/^Your card is saved: Visa ending in \d{4}\.$/).waitFor();
    expect(withPlainSpaces(await page.locator("main").innerText())).toMatch(
      /Paid from your balance\s+US\$35\.70\s+Then /,
    );
  });

  test("the balance pays all of a one-time purchase, and no card is asked for", async () => {
    const made = await checkout("dinar", { customerId: await customerWith(20_000, "kwd") });
    const page = await openPage(browser, options);
    await page.goto(made.url);
    expect(await summaryOf(page)).toContain("Your balance covers the whole amount due today.");
    expect(await page.getByLabel("Card number").count()).toBe(0);
    await press(page, "Pay from your balance");
    await page.getByText("Your order is complete.").waitFor();
    expect(await read(made.id)).toMatchObject({ status: "completed", amountDue: 0 });
  });
});

test.each([
  ["on a desk", DESK],
  ["on a phone", PHONE],
])("the page with a balance is accessible %s", async (_name, viewport) => {
  const page = await openPage(browser, { viewport });
  for (const amount of [1000, 5000]) {
    const { url } = await checkout("pro", { customerId: await customerWith(amount) });
    await page.goto(url);
    await inspect(page);
  }
});
