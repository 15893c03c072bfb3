import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { TestApp } from "../support/app.ts";
import { inspect } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage, press, summaryOf, typeCard } from "../support/buyers.ts";
import { get, post, withPlainSpaces } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";
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
  test("a code is refused, applied, and taken back", async () => {
    const { url, id } = await checkout("pro", inGermany());
    const page = await openPage(browser, options);
    await page.goto(url);
    if (options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    for (const [code, said] of [
      ["", "Enter the code."],
      ["NOBODY", "This code does not exist. Check the spelling."],
      ["no code!", "This code does not exist. Check the spelling."],
      ["EUROS", "This code is for another currency."],
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
      /Price\s+US\$30\.00\s+Discount LAUNCH25\s+−US\$7\.50\s+USt, 19%\s+US\$4\.28\s+Due today\s+US\$26\.78/,
    );
    expect(await summaryOf(page)).toContain(
      "Then US$22.50 plus 19% USt every month from 1 March 2026, then US$30.00 plus 19% USt every month from 1 " +
        "May 2026, until you",
    );
    expect(withPlainSpaces(await page.locator(".applied").innerText())).toContain("25% off for 3 months");
    await press(page, "Remove");
    await page.getByRole("button", { name: "Pay US$35.70" }).waitFor();
    await page.getByLabel("Have a code?").fill("LAUNCH25");
    await press(page, "Apply");
    await page.getByRole("button", { name: "Pay US$26.78" }).waitFor();
    if (!options.javaScriptEnabled) await typeCard(page, CARDS.pays);
    await press(page, "Pay");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
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
      "Then US$30.00 plus 19% USt every month from 1 March 2026, until you cancel. You won’t be charged today.",
    );
    await typeCard(page, CARDS.pays);
    await press(page, "Save card and subscribe");
    await page.getByText("Your card is saved: Visa ending in 4242.").waitFor();
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

test("a code for three months of a year takes off three of twelve, and says so up to the invoice", async () => {
  const made = await checkout("year", { customer: { email: newBuyer(), billingAddress: { country: "AT" } } });
  const page = await openPage(browser);
  await page.goto(made.url);
  await page.getByLabel("Have a code?").fill("HALF3");
  await press(page, "Apply");
  // 50 % of US$365.00 for 89 of 365 days: February, March and April.
  await page.getByRole("button", { name: "Pay US$320.50" }).waitFor();
  expect(withPlainSpaces(await page.locator(".applied").innerText())).toContain("50% off for 3 months");
  expect(await summaryOf(page)).toMatch(
    /Price\s+US\$365\.00\s+Discount HALF3, for 3 of 12 months\s+−US\$44\.50\s+Due today\s+US\$320\.50/,
  );
  expect(await summaryOf(page)).toContain("Then US$365.00 every year from 1 February 2027, until you cancel.");
  await inspect(page);
  await typeCard(page, CARDS.pays);
  await press(page, "Pay US$320.50");
  await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
  const { url, lines } = await invoice(made);
  expect(lines).toMatchObject([{ amount: 36_500, discountAmount: 4450 }]);
  await page.goto(url);
  expect(withPlainSpaces(await page.getByRole("table").first().innerText())).toContain(
    "Discount −US$44.50, for 3 of 12 months",
  );
});

test.each([
  // sold, with a code     the text about later charges
  [
    "quarter",
    "FOUR",
    "Then US$26.97 on 1 May 2026 (US$9.00 off for 1 of 3 months), then US$30.00 every 3 months from 1 August 2026, " +
      "until",
  ],
  ["pro", "TWICE", "Then US$22.50 on 1 March 2026, then US$30.00 every month from 1 April 2026, until"],
  ["quarter", "HALF3", "Then US$30.00 every 3 months from 1 May 2026, until"],
  [
    "weeks",
    "HALF3",
    "Then US$15.00 on 8 March 2026, US$21.86 on 12 April 2026 (50% off until 1 May 2026), then US$30.00",
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
  await page.getByText("25% off for 3 months").waitFor();
  expect(await page.locator(":focus").textContent()).toBe("Remove");
  expect(await summaryOf(page)).toContain(
    "Then US$22.50 plus 19% USt every month from 15 February 2026, then US$30.00",
  );
});

test.each([
  // code        the text about the trial
  [
    "FIRST",
    "Then US$0.00 on 15 February 2026, then US$30.00 plus 19% USt every month from 15 March 2026, " +
      "until you cancel.",
  ],
  ["FRIEND", "No payment is due, now or later."],
  [
    "FOUR",
    "Then US$21.00 plus 19% USt every month from 15 February 2026, then US$30.00 plus 19% USt every month from 15 " +
      "June",
  ],
])("a trial with the code %s names its later price", async (discountCode, said) => {
  const { url } = await checkout("trial", { ...inGermany(), discountCode });
  expect((await get(url)).text).toContain(said);
});

describe("on paying", () => {
  test("a code that was typed and not applied is applied first", async () => {
    const { url } = await checkout("pro", inGermany());
    const answer = await post(url, { ...card, expectedAmount: "3570", code: "launch25" });
    expect(answer).toMatchObject({
      status: 409,
      text: expect.stringContaining("Your code was applied. US$26.78 is due today."),
    });
    expect(await post(url, { ...card, expectedAmount: "2678" })).toMatchObject({ status: 303 });
    const other = await checkout("pro", inGermany());
    const wrong = await post(other.url, { ...card, expectedAmount: "3570", code: "NOBODY" });
    expect(wrong).toMatchObject({
      status: 422,
      text: expect.stringContaining('<a href="#code">This code does not exist. Check the spelling.</a>'),
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
    await alert.getByText("The code LAST can no longer be used. US$35.70 is due today. You were not charged").waitFor();
    await inspect(page);
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$35.70");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect(await read(one.id)).toMatchObject({ discountAmount: 0, totalAmount: 3570 });
  });
});

test("codes can't be guessed quickly", async ({ onTestFinished }) => {
  // The counts of a minute are cleared together. The minute must not end between two guesses.
  const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => now.mockRestore());
  const { url } = await checkout("pro", inGermany());
  const answers = await Promise.all(
    Array.from({ length: 11 }, (_, n) => post(url, { action: "apply", code: `GUESS${n}` })),
  );
  expect(answers.filter(({ text }) => text.includes("This code does not exist. Check the spelling."))).toHaveLength(10);
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
