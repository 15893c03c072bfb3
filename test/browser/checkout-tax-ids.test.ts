import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { inspect } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage, press, summaryOf, typeCard } from "../support/buyers.ts";
import { CARDS, ok as done } from "../support/story.ts";

let app: TestApp;
let browser: Browser;

const ok = (method: string, path: string, body?: object) => done(app.manage(method, path, body));
const checkout = (productKey: string, more: object = {}) =>
  done(app.api("POST", "/checkouts", { productKey, ...more }));
const read = (id: string) => done(app.api("GET", `/checkouts/${id}`));
const invoice = async ({ id }: Json) => ok("GET", `/invoices/${(await read(id)).invoiceId}`);

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" }),
    launchBrowser(),
  ]);
  await ok("POST", "/products", {
    key: "pro",
    name: "Pro",
    interval: "month",
    prices: [{ currency: "usd", amount: 3000 }],
  });
  await ok("POST", "/discounts", {
    code: "LAUNCH25",
    type: "percentage",
    basisPoints: 2500,
    duration: "repeating",
    months: 3,
  });
  const taxRates = [
    { country: "DE", basisPoints: 1900, name: "USt", reverseCharge: true },
    { country: "FR", basisPoints: 2000, name: "TVA", inclusive: true, reverseCharge: true },
  ];
  await ok("PATCH", "/organization", { taxRates, address: { country: "AT" } });
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
  /** With scripts, the total updates by itself. */
  const updated = async (page: Awaited<ReturnType<typeof openPage>>) => {
    if (!options.javaScriptEnabled) await press(page, "Update total");
  };

  test("a business of a country with reverse charge pays no tax", async () => {
    const made = await checkout("pro");
    const page = await openPage(browser, options);
    await page.goto(made.url);
    await page.getByLabel("E-mail").fill(newBuyer());
    await page.getByLabel("Country").selectOption("Germany");
    await updated(page);
    await page.getByLabel("Tax ID").fill("DE811569869");
    await page.getByLabel("Tax ID").blur();
    await updated(page);
    await page.getByText("Reverse charge: the tax is to be accounted for by the recipient.").waitFor();
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$30.00");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect(await invoice(made)).toMatchObject({
      taxAmount: 0,
      taxNote: expect.stringContaining("Reverse"),
      buyer: { taxId: { type: "eu_vat" } },
    });
  });

  test("a business pays the net of a price that contains the tax, and the page says so", async () => {
    const made = await checkout("pro", { discountCode: "LAUNCH25" });
    const page = await openPage(browser, options);
    await page.goto(made.url);
    await page.getByLabel("E-mail").fill(newBuyer());
    await page.getByLabel("Country").selectOption("France");
    await updated(page);
    await page.getByLabel("Tax ID").fill("40 303 265 045");
    await page.getByLabel("Tax ID").blur();
    await updated(page);
    await page
      .getByText("Prices exclude tax. Reverse charge: the tax is to be accounted for by the recipient.")
      .waitFor();
    expect(await summaryOf(page)).toMatch(
      /Price excluding TVA\s+US\$25\.00\s+Discount LAUNCH25\s+−US\$6\.25\s+Due today\s+US\$18\.75/,
    );
    expect(await summaryOf(page)).toContain(
      "Then US$18.75 every month from 1 March 2026, then US$25.00 every month from 1 May 2026",
    );
    if (options.javaScriptEnabled) await inspect(page);
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$18.75");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect(await invoice(made)).toMatchObject({
      subtotalAmount: 2500,
      discountAmount: 625,
      taxAmount: 0,
      totalAmount: 1875,
    });
  });

  test("a tax ID of another country is taken, and the page says that tax is charged", async () => {
    const made = await checkout("pro");
    const page = await openPage(browser, options);
    await page.goto(made.url);
    await page.getByLabel("E-mail").fill(newBuyer());
    await page.getByLabel("Country").selectOption("Germany");
    await updated(page);
    await page.getByLabel("Tax ID").fill("fr40303265045");
    await page.getByLabel("Tax ID").blur();
    await updated(page);
    await page.getByText("Tax also applies with this tax ID.").waitFor();
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$35.70");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect(await invoice(made)).toMatchObject({
      taxAmount: 570,
      buyer: { taxId: { type: "eu_vat", value: "FR40303265045" } },
    });
  });

  test("a tax ID that is not valid is told at its field, and the message is gone once it is right", async () => {
    const made = await checkout("pro");
    const page = await openPage(browser, options);
    await page.goto(made.url);
    await page.getByLabel("E-mail").fill(newBuyer());
    await page.getByLabel("Country").selectOption("Germany");
    await updated(page);
    await page.getByLabel("Tax ID").fill("DE123456789");
    await page.getByLabel("Tax ID").blur();
    await updated(page);
    await page.locator("#taxId-fault").getByText("This tax ID is not valid").waitFor();
    expect(await summaryOf(page)).toContain("Complete or correct your details to see the total.");
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$30.00 plus tax");
    await page.getByRole("alert").getByText("This tax ID is not valid").waitFor();
    await updated(page);
    await page.getByLabel("Tax ID").fill("DE811569869");
    await page.getByLabel("Tax ID").blur();
    await updated(page);
    await page.getByText("Reverse charge: the tax is to be accounted for by the recipient.").waitFor();
    expect(await page.getByText("This tax ID is not valid").count()).toBe(0);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await page.getByLabel("Tax ID").inputValue()).toBe("DE811569869");
  });
});
