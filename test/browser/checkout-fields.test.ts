import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestApp } from "../support/app.ts";
import { DESK, inspect } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage, press, typeCard } from "../support/buyers.ts";
import { CARDS } from "../support/story.ts";
import { checkoutsOf, inGermany, startCatalogueApp } from "./catalogue.ts";

let app: TestApp;
let browser: Browser;
const { ok, checkout, read } = checkoutsOf(() => app);
const FIELDS = [
  { key: "po", type: "text", label: "PO number", maxLength: 12 },
  { key: "weight", type: "number", label: "Weight in kg", min: 0, max: 99.5 },
  {
    key: "size",
    type: "choice",
    label: "Team size",
    required: true,
    options: [
      { value: "small", label: "Up to 10" },
      { value: "large", label: "More than 10" },
    ],
  },
  { key: "terms", type: "checkbox", label: "I agree to the data processing agreement", required: true },
];
const SIZES = [{ width: 360, height: 720 }, DESK];

beforeAll(async () => {
  [app, browser] = await Promise.all([startCatalogueApp(), launchBrowser()]);
  await ok("POST", "/products", {
    key: "asked",
    name: "Asked",
    interval: "month",
    group: "asked",
    prices: [{ currency: "usd", amount: 1200 }],
  });
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const size = (page: Page) => page.getByLabel("Team size");
const terms = (page: Page) => page.getByLabel("I agree to the data processing agreement");
async function inspectSizes(page: Page): Promise<void> {
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    await inspect(page);
  }
}
const faults = (page: Page) => page.locator(".field .fault").allTextContents();

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  const hasScript = options.javaScriptEnabled;

  test("the buyer fills in the own fields, corrects the faults, and pays", async () => {
    const made = await checkout("asked", { fields: FIELDS, ...inGermany() });
    const page = await openPage(browser, options);
    await page.goto(made.url);
    await page.getByLabel("PO number").fill("4711");
    await page.getByLabel("Weight in kg").fill("100");
    await typeCard(page, CARDS.pays);
    await press(page, /^Pay/);
    await page.locator("#own-size-fault").waitFor();
    // A script finds the fault of a number only after the missing fields, because the server reads numbers.
    const missing = ["Choose an option for “Team size”.", "Tick “I agree to the data processing agreement”."];
    expect(await faults(page)).toEqual(hasScript ? missing : ["Enter 99.5 or less for “Weight in kg”.", ...missing]);
    expect(await page.getByLabel("PO number").inputValue()).toBe("4711");
    expect(await size(page).getAttribute("aria-invalid")).toBe("true");
    if (hasScript) await inspectSizes(page);
    await size(page).selectOption("large");
    await terms(page).check();
    if (hasScript) expect(await faults(page)).toEqual([]);
    if (!hasScript) await typeCard(page, CARDS.pays);
    await press(page, /^Pay/);
    await page.locator("#own-weight-fault").getByText("Enter 99.5 or less for “Weight in kg”.").waitFor();
    expect([await size(page).inputValue(), await terms(page).isChecked()]).toEqual(["large", true]);
    await page.getByLabel("Weight in kg").fill("12,5");
    if (!hasScript) await typeCard(page, CARDS.pays);
    await press(page, /^Pay/);
    await page.getByRole("heading", { level: 1, name: "Thank you" }).waitFor();
    const values = { po: "4711", weight: 12.5, size: "large", terms: true };
    expect((await read(made.id)).fieldValues).toEqual(values);
  });

  test("the values survive a change of the country and a declined card", async () => {
    const made = await checkout("asked", { fields: FIELDS, customer: undefined });
    const page = await openPage(browser, options);
    await page.goto(made.url);
    await page.getByLabel("E-mail").fill(newBuyer());
    await page.getByLabel("PO number").fill("4711");
    await size(page).selectOption("small");
    await terms(page).check();
    await page.getByLabel("Country").selectOption("DE");
    if (!hasScript) await press(page, "Update total");
    await page.getByRole("button", { name: "Pay US$14.28" }).waitFor();
    const typed = async () => [
      await page.getByLabel("PO number").inputValue(),
      await size(page).inputValue(),
      await terms(page).isChecked(),
    ];
    expect(await typed()).toEqual(["4711", "small", true]);
    await typeCard(page, CARDS.declined);
    await press(page, /^Pay/);
    await page.getByText("Payment failed").waitFor();
    expect(await typed()).toEqual(["4711", "small", true]);
    await page.goto(made.url);
    expect(await typed()).toEqual(["4711", "small", true]);
  });
});

test("the faults that the server draws have no barrier", async () => {
  const made = await checkout("asked", { fields: FIELDS, ...inGermany() });
  const page = await openPage(browser);
  // axe needs a page that can run scripts, so only the scripts of the page are kept away.
  await page.route(/\.js(\?|$)/, (route) => route.abort());
  await page.goto(made.url);
  await page.getByLabel("Weight in kg").fill("100");
  await press(page, /^Pay/);
  await page.locator("#own-weight-fault").waitFor();
  expect(await faults(page)).toContain("Choose an option for “Team size”.");
  await inspectSizes(page);
});
