import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press, summaryOf, typeCard } from "../support/buyers.ts";
import { get, post } from "../support/pages.ts";
import { CARDS, ok as done } from "../support/story.ts";
import { card, checkoutsOf, inGermany, startCatalogueApp } from "./catalogue.ts";

let app: TestApp;
let browser: Browser;
const { ok, checkout, read, invoice } = checkoutsOf(() => app);

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
  /** With scripts, the total updates by itself. */
  const updated = async (page: Awaited<ReturnType<typeof openPage>>) => {
    if (!options.javaScriptEnabled) await press(page, "Update total");
  };

  test("the tax of the buyer's country is shown before it is charged", async () => {
    const made = await checkout("pro");
    const page = await openPage(browser, options);
    await page.goto(made.url);
    // The browser's language names the United Kingdom, where the seller has no rate.
    expect(await summaryOf(page)).toContain(
      "US$30.00\nCountry: United Kingdom. If this is not your country, change it to see your total.",
    );
    expect(await page.getByRole("option").allTextContents()).toEqual(
      expect.arrayContaining(["Choose a country", "Åland Islands", "Germany", "Zimbabwe"]),
    );
    await page.getByLabel("E-mail").fill(newBuyer());
    if (options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    await page.getByLabel("Country").selectOption("Germany");
    await updated(page);
    await page.getByRole("button", { name: "Pay US$35.70" }).waitFor();
    expect(await summaryOf(page)).toMatch(/Price\s+US\$30\.00\s+USt, 19%\s+US\$5\.70\s+Due today\s+US\$35\.70/);
    expect(await summaryOf(page)).toContain(
      "Then US$30.00 plus 19% USt every month from 1 March 2026, until you cancel.",
    );
    expect(await page.getByLabel("E-mail").inputValue()).toContain("@example.com");
    if (!options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    await press(page, "Pay US$35.70");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect(await invoice(made)).toMatchObject({
      taxAmount: 570,
      totalAmount: 3570,
      buyer: { address: { country: "DE" } },
    });
  });
});

test("a state with a rate of its own has to be named, and a card that was typed stays where it is", async () => {
  const { url, id } = await checkout("pro");
  const page = await openPage(browser);
  await page.goto(url);
  await page.getByLabel("E-mail").fill(newBuyer());
  await typeCard(page, CARDS.pays);
  await page.getByLabel("Country").selectOption("Germany");
  await page.getByText("Due today: US$35.70").waitFor();
  await page.getByLabel("Country").selectOption("United States");
  await page.getByText("Due today: US$30.00 plus tax").waitFor();
  await page.getByLabel("State").selectOption("California");
  await page.getByText("Due today: US$32.18").waitFor();
  expect(await page.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4242");
  await press(page, "Pay US$32.18");
  await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
  expect(await read(id)).toMatchObject({ taxAmount: 218 });
});

describe("on paying", () => {
  test("a place that changes the amount is shown first", async () => {
    const { url, id } = await checkout("pro");
    const typed = { ...card, email: newBuyer(), country: "DE" };
    const answer = await post(url, { ...typed, expectedAmount: "3000" });
    expect(answer).toMatchObject({
      status: 409,
      text: expect.stringContaining("US$35.70 is due today. You were not charged"),
    });
    expect(answer.text).toContain('<option value="DE" selected>');
    expect(await post(url, { ...typed, expectedAmount: "3570" })).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 3570 });
  });

  test("a price that contains the tax is charged as it was shown", async () => {
    const { url, id } = await checkout("pro");
    const typed = { ...card, email: newBuyer(), country: "FR", expectedAmount: "3000" };
    expect((await post(url, { ...typed, action: "update" })).text).toContain("includes 20% TVA");
    expect(await post(url, typed)).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ taxAmount: 500, totalAmount: 3000 });
  });

  test.each([
    // typed                                  field      said
    [{ country: "" }, "country", "Choose your country."],
    [{ country: "XX" }, "country", "Choose your country."],
    [{ country: "US", state: "\u0007" }, "state", "State: enter at most 128 characters."],
    [{ country: "US", state: CARDS.pays }, "state", "State: this looks like a card number."],
    [{ country: "US", state: "Bavaria" }, "state", "State: choose an entry from the list."],
    [{ country: "DE", taxId: CARDS.pays }, "taxId", "This looks like a card number."],
    [{ country: "DE", taxId: "1".repeat(65) }, "taxId", "up to 64"],
    [
      { country: "DE", taxId: "DE123456789" },
      "taxId",
      "This tax ID is not valid. Enter one such as DE987654321, or leave the field empty.",
    ],
    [{ country: "DE", taxId: "anything" }, "taxId", "This tax ID is not valid"],
  ])("names the fault of %j at the field", async (typed, field, said) => {
    const { url, id } = await checkout("pro");
    for (const action of ["update", ""]) {
      const { status, text } = await post(url, {
        ...card,
        email: newBuyer(),
        expectedAmount: "3000",
        ...typed,
        action,
      });
      expect(status).toBe(422);
      expect(text).toContain(`<p class="fault" id="${field}-fault">`);
      expect(text).toContain(said);
      expect(text).toContain("US$30.00 plus tax");
      expect(text.replaceAll(/<code>.*?<\/code>/g, "")).not.toContain(CARDS.pays);
    }
    expect(await read(id)).toMatchObject({ status: "open", taxAmount: null });
  });
});

test("a price that contains the tax in each country is shown alone before the country is known", async () => {
  const before = await ok("GET", "/organization");
  const inclusive = before.taxRates.map((rate: object) => ({ ...rate, inclusive: true }));
  await ok("PATCH", "/organization", { taxRates: inclusive });
  const { url } = await checkout("pro");
  const { text } = await get(url);
  await ok("PATCH", "/organization", { taxRates: before.taxRates });
  expect(text).toContain("Tax depends on where you are");
  expect(text).toContain("Pay US$30.00<");
  expect(text).not.toContain("plus tax");
});

test("a state that the tax depends on is asked for once the country is chosen, and is required on paying", async () => {
  const { url } = await checkout("pro");
  const typed = { ...card, email: newBuyer(), country: "US", expectedAmount: "3000" };
  const updated = await post(url, { ...typed, action: "update" });
  expect(updated.status).toBe(200);
  expect(updated.text).toContain('<select id="state" name="state"');
  expect(updated.text).toContain("US$30.00 plus tax");
  const paid = await post(url, typed);
  expect(paid.status).toBe(422);
  expect(paid.text).toContain("Enter your state or region.");
});

test("the data of a Customer is not shown to a visitor that types the e-mail address", async () => {
  const known = { email: newBuyer(), name: "Ada Lovelace", billingAddress: { country: "DE" } };
  await done(app.api("POST", "/customers", known));
  const { url } = await checkout("pro");
  const { text } = await post(url, { email: known.email, expectedAmount: "3000", action: "update" });
  expect(text).not.toMatch(/Ada|selected|USt/);
});

test("a Customer with an address that was given since sees its tax, and is not asked", async () => {
  const { id: customerId } = await done(app.api("POST", "/customers", { email: newBuyer() }));
  const { url } = await checkout("pro", { customerId });
  expect((await get(url)).text).toContain('name="country"');
  await ok("PATCH", `/customers/${customerId}`, { billingAddress: { country: "DE" } });
  const { text } = await get(url);
  expect(text).not.toContain('name="country"');
  expect(text).toContain("Pay US$35.70");
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("no page has a fault that a machine can find", async () => {
    const page = await openPage(browser, { viewport });
    await page.goto((await checkout("pro")).url);
    await inspect(page);
    await press(page, "Pay");
    await page.getByText("Please check the fields").waitFor();
    await inspect(page);
    await page.getByLabel("Country").selectOption("Germany");
    await page.getByLabel("Have a code?").fill("NOBODY");
    await press(page, "Apply");
    await page.locator("#code-fault").waitFor();
    await inspect(page);
    await page.getByLabel("Have a code?").fill("LAUNCH25");
    await press(page, "Apply");
    await page.getByRole("button", { name: "Remove" }).waitFor();
    await inspect(page);
    for (const [key, name, label] of [
      ["yen", "خطة — Größe", "Pay JP¥13,409"],
      ["dinar", "Dinar", "Pay KWD 11.018"],
    ] as const) {
      await page.goto((await checkout(key, { ...inGermany(), discountCode: "LAUNCH25" })).url);
      await page.getByRole("button", { name: label }).waitFor();
      expect(await heading(page)).toBe(name);
      await inspect(page);
    }
  });
});
