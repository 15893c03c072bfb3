import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press, summaryOf, typeCard } from "../support/buyers.ts";
import { get, post } from "../support/pages.ts";
import { CARDS, ok as done } from "../support/story.ts";

let app: TestApp;
let browser: Browser;

const ok = (method: string, path: string, body?: object) => done(app.manage(method, path, body));
const checkout = (productKey: string, more: object = {}) =>
  done(app.api("POST", "/checkouts", { productKey, ...more }));
const read = (id: string) => done(app.api("GET", `/checkouts/${id}`));
const invoice = async ({ id }: Json) => ok("GET", `/invoices/${(await read(id)).invoiceId}`);

const RATES = [
  { country: "DE", basisPoints: 1900, name: "USt" },
  { country: "FR", basisPoints: 2000, name: "TVA", inclusive: true },
  { country: "US", region: "CA", basisPoints: 725, name: "Sales tax" },
  { country: "US", region: "NY", basisPoints: 400, name: "Sales tax" },
];

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" }),
    launchBrowser(),
  ]);
  const month = { interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await ok("POST", "/products", { key: "pro", name: "Pro", description: "For teams.", ...month });
  await ok("POST", "/products", { key: "trial", name: "Pro with a trial", trialDays: 14, ...month });
  const year = { interval: "year", prices: [{ currency: "usd", amount: 36_500 }] };
  await ok("POST", "/products", { key: "year", name: "Pro for a year", ...year });
  await ok("POST", "/products", { ...month, key: "quarter", name: "Pro for a quarter", intervalCount: 3 });
  await ok("POST", "/products", { ...month, key: "weeks", name: "Pro for weeks", interval: "week", intervalCount: 5 });
  const yearly = { name: "خطة — Größe", interval: "year", prices: [{ currency: "jpy", amount: 12_000 }] };
  await ok("POST", "/products", { key: "yen", ...yearly });
  await ok("POST", "/products", {
    key: "dinar",
    name: "Dinar",
    interval: null,
    prices: [{ currency: "kwd", amount: 12_345 }],
  });
  const percentage = { type: "percentage", basisPoints: 2500 };
  await ok("POST", "/discounts", { ...percentage, code: "LAUNCH25", duration: "repeating", months: 3 });
  await ok("POST", "/discounts", { ...percentage, code: "HALF3", basisPoints: 5000, duration: "repeating", months: 3 });
  await ok("POST", "/discounts", {
    type: "fixed",
    amount: 900,
    currency: "usd",
    code: "FOUR",
    duration: "repeating",
    months: 4,
  });
  await ok("POST", "/discounts", { ...percentage, code: "LAST", duration: "forever", maxRedemptions: 1 });
  await ok("POST", "/discounts", { ...percentage, code: "FIRST", basisPoints: 10_000, duration: "once" });
  await ok("POST", "/discounts", { ...percentage, code: "FRIEND", basisPoints: 10_000, duration: "forever" });
  await ok("POST", "/discounts", { type: "fixed", amount: 100, currency: "eur", code: "EUROS", duration: "once" });
  await ok("PATCH", "/organization", { taxRates: RATES });
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

const inGermany = () => ({ customer: { email: newBuyer(), billingAddress: { country: "DE" } } });

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
    expect(await summaryOf(page)).toContain(
      "US$30.00 plus tax\nTax depends on where you are: choose your country to see the total.",
    );
    expect(await page.getByRole("option").allTextContents()).toEqual(
      expect.arrayContaining(["Choose a country", "Åland Islands", "Germany", "Zimbabwe"]),
    );
    await page.getByLabel("E-mail").fill(newBuyer());
    if (options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    await page.getByLabel("Country").selectOption("Germany");
    await updated(page);
    await page.getByRole("button", { name: "Pay US$35.70" }).waitFor();
    expect(await summaryOf(page)).toMatch(/Price\s+US\$30\.00\s+USt, 19 %\s+US\$5\.70\s+Due today\s+US\$35\.70/);
    expect(await summaryOf(page)).toContain(
      "Then US$30.00 plus 19 % USt every month from 1 March 2026, until you cancel.",
    );
    expect(await page.getByLabel("E-mail").inputValue()).toContain("@example.com");
    if (!options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    await press(page, "Pay US$35.70");
    await page.getByText("Your payment was received.").waitFor();
    expect(await invoice(made)).toMatchObject({
      taxAmount: 570,
      totalAmount: 3570,
      buyer: { address: { country: "DE" } },
    });
  });

  test("a code is refused, applied, and taken back", async () => {
    const { url, id } = await checkout("pro", inGermany());
    const page = await openPage(browser, options);
    await page.goto(url);
    if (options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    for (const [code, said] of [
      ["", "Enter the code."],
      ["NOBODY", "No such discount code exists."],
      ["no code!", "No such discount code exists."],
      ["EUROS", "The discount is in another currency."],
    ] as const) {
      await page.getByLabel("Have a code?").fill(code);
      await press(page, "Apply");
      await page.locator("#code-fault").getByText(said).waitFor();
      expect(await page.getByLabel("Have a code?").inputValue()).toBe(code);
    }
    await page.getByLabel("Have a code?").fill("launch25");
    await press(page, "Apply");
    await page.getByRole("button", { name: "Pay US$26.78" }).waitFor();
    expect(await summaryOf(page)).toMatch(
      /Price\s+US\$30\.00\s+Discount LAUNCH25\s+−US\$7\.50\s+USt, 19 %\s+US\$4\.28\s+Due today\s+US\$26\.78/,
    );
    expect(await summaryOf(page)).toContain(
      "Then US$22.50 plus 19 % USt every month from 1 March 2026, and US$30.00 plus 19 % USt every month from 1 " +
        "May 2026, until you",
    );
    expect(await page.locator(".applied").innerText()).toContain("25 % off for 3 months");
    await press(page, "Remove");
    await page.getByRole("button", { name: "Pay US$35.70" }).waitFor();
    await page.getByLabel("Have a code?").fill("LAUNCH25");
    await press(page, "Apply");
    await page.getByRole("button", { name: "Pay US$26.78" }).waitFor();
    if (!options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    await press(page, "Pay");
    await page.getByText("Your payment was received.").waitFor();
    expect(await read(id)).toMatchObject({
      status: "completed",
      discountAmount: 750,
      taxAmount: 428,
      totalAmount: 2678,
    });
  });

  test("all of the first period taken off: no charge today, and the card is saved", async () => {
    const { url, id } = await checkout("pro", inGermany());
    const page = await openPage(browser, options);
    await page.goto(url);
    await page.getByLabel("Have a code?").fill("first");
    await press(page, "Apply");
    await page.getByRole("button", { name: "Save card and subscribe" }).waitFor();
    expect(await summaryOf(page)).toContain(
      "Then US$30.00 plus 19 % USt every month from 1 March 2026, until you cancel. You are not charged today.",
    );
    await typeCard(page, CARDS.pays);
    await press(page, "Save card and subscribe");
    await page.getByText("Your order is complete.").waitFor();
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 0 });
  });

  test("all of it taken off for ever: no card is asked for any more", async () => {
    const { url } = await checkout("pro", inGermany());
    const page = await openPage(browser, options);
    await page.goto(url);
    await page.getByLabel("Have a code?").fill("FRIEND");
    await press(page, "Apply");
    await page.getByRole("button", { name: "Get it for free" }).waitFor();
    expect(await page.getByLabel("Card number").count()).toBe(0);
    expect(await summaryOf(page)).toContain("No payment is due, now or later.");
    await press(page, "Get it for free");
    await page.getByText("Your order is complete.").waitFor();
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
  await page.getByLabel("State or region in United States").fill("ca");
  await page.keyboard.press("Tab");
  await page.getByText("Due today: US$32.18").waitFor();
  expect(await page.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4242");
  await press(page, "Pay US$32.18");
  await page.getByText("Your payment was received.").waitFor();
  expect(await read(id)).toMatchObject({ taxAmount: 218 });
});

test("a code for three months of a year takes off three of twelve, and says so up to the invoice", async () => {
  const made = await checkout("year", { customer: { email: newBuyer(), billingAddress: { country: "AT" } } });
  const page = await openPage(browser);
  await page.goto(made.url);
  await page.getByLabel("Have a code?").fill("HALF3");
  await press(page, "Apply");
  // 50 % of US$365.00 for 89 of 365 days: February, March and April.
  await page.getByRole("button", { name: "Pay US$320.50" }).waitFor();
  expect(await page.locator(".applied").innerText()).toContain("50 % off for 3 months");
  expect(await summaryOf(page)).toMatch(
    /Price\s+US\$365\.00\s+Discount HALF3, for 3 of 12 months\s+−US\$44\.50\s+Due today\s+US\$320\.50/,
  );
  expect(await summaryOf(page)).toContain("Then US$365.00 every year from 1 February 2027, until you cancel.");
  await inspect(page);
  await typeCard(page, CARDS.pays);
  await press(page, "Pay US$320.50");
  await page.getByText("Your payment was received.").waitFor();
  const { url, lines } = await invoice(made);
  expect(lines).toMatchObject([{ amount: 36_500, discountAmount: 4450 }]);
  await page.goto(url);
  expect(await page.getByRole("table").first().innerText()).toContain("Discount -US$44.50, for 3 of 12 months");
});

test.each([
  // sold, with a code     the text about later charges
  [
    "quarter",
    "FOUR",
    "Then US$26.97 on 1 May 2026 (US$9.00 off for 1 of 3 months), and US$30.00 every 3 months from 1 August 2026, " +
      "until",
  ],
  ["quarter", "HALF3", "Then US$30.00 every 3 months from 1 May 2026, until"],
  [
    "weeks",
    "HALF3",
    "Then US$15.00 every 5 weeks from 8 March 2026, US$21.86 on 12 April 2026 (50 % off until 1 May 2026), " +
      "and US$30.00",
  ],
])("%s with the code %s names the price during the discount and after it", async (productKey, discountCode, said) => {
  const at = { customer: { email: newBuyer(), billingAddress: { country: "AT" } } };
  const { url } = await checkout(productKey, { ...at, discountCode });
  expect((await get(url)).text).toContain(said);
});

test("Enter in the field of a code applies it, and keeps to its place", async () => {
  const { url } = await checkout("trial", inGermany());
  const page = await openPage(browser);
  await page.goto(url);
  await page.getByLabel("Have a code?").fill("LAUNCH25");
  await page.keyboard.press("Enter");
  await page.getByText("25 % off for 3 months").waitFor();
  expect(await page.locator(":focus").textContent()).toBe("Remove");
  expect(await summaryOf(page)).toContain(
    "14 days free, then US$22.50 plus 19 % USt every month from 15 February 2026, and US$30.00",
  );
});

test.each([
  // code        the text about the trial
  [
    "FIRST",
    "14 days free, then US$0.00 on 15 February 2026, and US$30.00 plus 19 % USt every month from 15 March 2026, " +
      "until you cancel.",
  ],
  ["FRIEND", "No payment is due, now or later."],
  [
    "FOUR",
    "then US$21.00 plus 19 % USt every month from 15 February 2026, and US$30.00 plus 19 % USt every month from 15 " +
      "June",
  ],
])("a trial with the code %s names its later price", async (discountCode, said) => {
  const { url } = await checkout("trial", { ...inGermany(), discountCode });
  expect((await get(url)).text).toContain(said);
});

describe("on paying", () => {
  const card = { number: CARDS.pays, expiry: "12 / 40", cvc: "123" };

  test("a place that changes the amount is shown first", async () => {
    const { url, id } = await checkout("pro");
    const typed = { ...card, email: newBuyer(), country: "DE" };
    const told = await post(url, { ...typed, expectedAmount: "3000" });
    expect(told).toMatchObject({
      status: 409,
      text: expect.stringContaining("US$35.70 is due today. You were not charged"),
    });
    expect(told.text).toContain('<option value="DE" selected>');
    expect(await post(url, { ...typed, expectedAmount: "3570" })).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 3570 });
  });

  test("a price that contains the tax is charged as it was shown", async () => {
    const { url, id } = await checkout("pro");
    const typed = { ...card, email: newBuyer(), country: "FR", expectedAmount: "3000" };
    expect((await post(url, { ...typed, action: "update" })).text).toContain("contains 20 % TVA");
    expect(await post(url, typed)).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ taxAmount: 500, totalAmount: 3000 });
  });

  test("a code that was typed and not applied is applied first", async () => {
    const { url } = await checkout("pro", inGermany());
    const told = await post(url, { ...card, expectedAmount: "3570", code: "launch25" });
    expect(told).toMatchObject({
      status: 409,
      text: expect.stringContaining("The code is applied. US$26.78 is due today."),
    });
    expect(await post(url, { ...card, expectedAmount: "2678" })).toMatchObject({ status: 303 });
    const other = await checkout("pro", inGermany());
    const wrong = await post(other.url, { ...card, expectedAmount: "3570", code: "NOBODY" });
    expect(wrong).toMatchObject({
      status: 422,
      text: expect.stringContaining('<a href="#code">No such discount code exists.</a>'),
    });
    expect(await read(other.id)).toMatchObject({ status: "open" });
  });

  test("a code that was used up meanwhile is dropped, and the buyer asked again", async () => {
    const [one, other] = [
      await checkout("pro", inGermany()),
      await checkout("pro", { ...inGermany(), discountCode: "LAST" }),
    ];
    const page = await openPage(browser);
    await page.goto(one.url);
    await page.getByLabel("Have a code?").fill("last");
    await press(page, "Apply");
    await page.getByRole("button", { name: "Pay US$26.78" }).waitFor();
    await ok("POST", `/sandbox/checkouts/${other.id}/pay`, { card: CARDS.pays });
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$26.78");
    const alert = page.getByRole("alert");
    await alert
      .getByText("The code LAST can't be used any more. US$35.70 is due today. You were not charged")
      .waitFor();
    await inspect(page);
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$35.70");
    await page.getByText("Your payment was received.").waitFor();
    expect(await read(one.id)).toMatchObject({ discountAmount: 0, totalAmount: 3570 });
  });

  test.each([
    // typed                                  field      said
    [{ country: "" }, "country", "Choose your country."],
    [{ country: "XX" }, "country", "Choose your country."],
    [{ country: "US" }, "state", "Enter your state or region."],
    [{ country: "US", state: "\u0007" }, "state", "at most 128 letters"],
    [{ country: "US", state: CARDS.pays }, "state", "This looks like a card number."],
    [{ country: "DE", taxId: CARDS.pays }, "taxId", "This looks like a card number."],
    [{ country: "DE", taxId: "1".repeat(65) }, "taxId", "at most 64"],
    [{ country: "DE", taxId: "DE123456789" }, "taxId", "This tax ID is not valid. Check it, or leave the field empty."],
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

test("codes can't be guessed quickly", async () => {
  const { url } = await checkout("pro", inGermany());
  const answers = await Promise.all(
    Array.from({ length: 11 }, (_, n) => post(url, { action: "apply", code: `GUESS${n}` })),
  );
  expect(answers.filter(({ text }) => text.includes("No such discount code exists."))).toHaveLength(10);
  expect(answers.filter(({ text }) => text.includes("Too many codes were tried."))).toHaveLength(1);
  expect((await post(url, { action: "apply", code: "LAUNCH25" })).text).toContain("Too many codes were tried.");
  const another = await checkout("pro", inGermany());
  const from = { "X-Forwarded-For": "198.51.100.9" };
  for (let n = 0; n < 10; n += 1)
    await post((await checkout("pro", inGermany())).url, { action: "apply", code: "GUESS" }, from);
  expect((await post(another.url, { action: "apply", code: "LAUNCH25" }, from)).text).toContain(
    "Too many codes were tried.",
  );
});

test("a button pressed on a page that is over leads to its present state", async () => {
  const { url, id } = await checkout("pro", inGermany());
  const page = await openPage(browser);
  await page.goto(url);
  await ok("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays });
  await page.getByLabel("Have a code?").fill("LAUNCH25");
  await press(page, "Apply");
  await page.getByText("Your payment was received.").waitFor();
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
