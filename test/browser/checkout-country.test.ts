import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage, press, summaryOf, typeCard } from "../support/buyers.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";
import { checkoutsOf, startCatalogueApp } from "./catalogue.ts";

let app: TestApp;
let browser: Browser;
const { ok, checkout, read, invoice } = checkoutsOf(() => app);

beforeAll(async () => {
  [app, browser] = await Promise.all([startCatalogueApp(), launchBrowser()]);
  await ok("POST", "/products", {
    key: "gift",
    name: "Gift",
    interval: null,
    prices: [{ currency: "usd", amount: 0 }],
  });
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Whether the element is wholly inside the browser's window. */
const isInView = (page: Page, selector: string) =>
  page.evaluate(`(() => {
    const { top, bottom } = document.querySelector("${selector}").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);

describe.each([
  ["with JavaScript, on a desk", { javaScriptEnabled: true, viewport: DESK }],
  ["without JavaScript, on a phone", { javaScriptEnabled: false, viewport: PHONE }],
] as const)("%s", (_name, options) => {
  const open = async (locale: string, url: string) => {
    const page = await openPage(browser, { ...options, locale });
    await page.goto(url);
    return page;
  };

  test("the country of the browser's language is preset, and its tax is shown and charged at once", async () => {
    const made = await checkout("pro");
    const page = await open("de-DE", made.url);
    expect(await page.getByLabel("Land").inputValue()).toBe("DE");
    expect(await page.locator("form .button[type=submit]").innerText()).toContain("35,70");
    expect(withPlainSpaces((await page.locator(".summary").textContent())!)).toContain(
      "Land: Deutschland. Wenn das nicht Ihr Land ist, ändern Sie es, um Ihren Gesamtbetrag zu sehen.",
    );
    expect(withPlainSpaces((await page.locator(".summary").textContent())!)).not.toContain("zzgl. Steuern");
    // The page of another reader follows the browser of that reader: the first page has not stored its country.
    expect(await read(made.id)).toMatchObject({ taxAmount: null });
    await page.locator("#email").fill(newBuyer());
    await page.locator("#number").fill(CARDS.pays);
    await page.locator("#expiry").fill("12 / 40");
    await page.locator("#cvc").fill("123");
    await page.locator("form .button[type=submit]").click();
    await page.getByText(/4242/).first().waitFor();
    expect(await invoice(made)).toMatchObject({
      taxAmount: 570,
      totalAmount: 3570,
      buyer: { address: { country: "DE" } },
    });
  });

  test("in a country without a rate, no tax is mentioned, and company and tax ID are folded", async () => {
    const { url, id } = await checkout("pro");
    const page = await open("en-AU", url);
    expect(await page.getByLabel("Country").inputValue()).toBe("AU");
    expect(await summaryOf(page)).not.toContain("plus tax");
    expect(await page.getByLabel("Tax ID").isVisible()).toBe(false);
    if (options.javaScriptEnabled) await inspect(page);
    await page.getByText("Add company, address or tax ID for the invoice").click();
    expect(await page.getByLabel("Company").isVisible()).toBe(true);
    await page.getByLabel("Company").fill("Bondi Pty Ltd");
    await page.getByLabel("Country").selectOption("Germany");
    if (!options.javaScriptEnabled) await press(page, "Update total");
    await page.getByRole("button", { name: /^Pay .*35\.70$/ }).waitFor();
    expect(await page.getByLabel("Tax ID").isVisible()).toBe(true);
    expect(await page.getByLabel("Company").inputValue()).toBe("Bondi Pty Ltd");
    // The country is chosen now, so the page does not call it preset any more.
    expect(withPlainSpaces((await page.locator(".summary").textContent())!)).not.toContain(
      "If this is not your country",
    );
    expect(await read(id)).toMatchObject({ taxAmount: 570 });
  });

  test("after the choice of a country, the form repeats no amount due, and screen readers hear the total", async () => {
    const page = await open("en-AU", (await checkout("pro")).url);
    await page.getByLabel("Country").selectOption("Germany");
    if (!options.javaScriptEnabled) await press(page, "Update total");
    await page.getByRole("button", { name: /^Pay .*35\.70$/ }).waitFor();
    const repeated = await page.locator("form[data-said]").getByText("Due today").all();
    const boxes = await Promise.all(repeated.map((each) => each.boundingBox()));
    // A text for screen readers alone is a single pixel. Without the script, the new page is read from its beginning.
    expect(boxes).toEqual(options.javaScriptEnabled ? [expect.objectContaining({ width: 1, height: 1 })] : []);
    expect(
      await page
        .getByRole("status")
        .filter({ hasText: /Due today: .*35\.70/ })
        .count(),
    ).toBe(boxes.length);
  });

  test("the amounts wait for a region that the tax of the preset country depends on", async () => {
    const { url } = await checkout("pro");
    const page = await open("en-US", url);
    expect(await page.getByLabel("Country").inputValue()).toBe("US");
    expect(withPlainSpaces((await page.locator(".summary").textContent())!)).toContain(
      "Complete or correct your details to see the total.",
    );
    await page.getByRole("button", { name: "Pay $30.00 plus tax" }).waitFor();
    await page.getByLabel("State").selectOption("California");
    if (!options.javaScriptEnabled) await press(page, "Update total");
    await page.getByRole("button", { name: "Pay $32.18" }).waitFor();
  });

  test("a language without a region presets no country", async () => {
    const page = await open("en", (await checkout("pro")).url);
    expect(await page.getByLabel("Country").inputValue()).toBe("");
    await page.getByRole("button", { name: "Pay $30.00 plus tax" }).waitFor();
    expect(withPlainSpaces((await page.locator(".summary").textContent())!)).toContain(
      "choose your country to see the total",
    );
  });

  test("a buyer who cleared the preset country is asked for it, and sees no tax of it", async () => {
    const page = await open("de-DE", (await checkout("pro")).url);
    await page.getByLabel("Land").selectOption("");
    if (!options.javaScriptEnabled) await page.getByRole("button", { name: "Gesamtbetrag aktualisieren" }).click();
    await page.getByRole("button", { name: "zzgl. Steuern" }).waitFor();
    expect(await page.getByLabel("Land").inputValue()).toBe("");
  });

  test("a free one-time purchase needs no country, and has no tax", async () => {
    const made = await checkout("gift");
    expect(made).toMatchObject({ taxAmount: 0, totalAmount: 0 });
    const page = await open("de-DE", made.url);
    expect(await page.locator("#country").count()).toBe(0);
    await page.locator("#email").fill(newBuyer());
    await page.locator("form .button[type=submit]").click();
    await expect.poll(async () => (await read(made.id)).status).toBe("completed");
  });

  test("the reason for a declined card stands beside the card, in view and with the focus", async () => {
    const { url } = await checkout("pro");
    const page = await open("en-AU", url);
    const email = newBuyer();
    await page.getByLabel("E-mail").fill(email);
    await page.getByText("Add company, address or tax ID for the invoice").click();
    await page.getByLabel("Company").fill("Bondi Pty Ltd");
    await typeCard(page, CARDS.declined);
    await press(page, /^Pay/);
    const notice = page.getByRole("alert");
    await notice.getByText("The card was declined.").waitFor();
    await expect.poll(() => isInView(page, ".notice")).toBe(true);
    expect(await page.locator(":focus").getAttribute("class")).toBe("notice");
    // The next field after the notice is the card's number, and it is in view too.
    expect(await isInView(page, "#number")).toBe(true);
    const after = page.locator(".notice ~ *, :has(> .notice) ~ *").locator("input:not([type=hidden]), select");
    expect(await after.first().getAttribute("id")).toBe("number");
    expect(await page.getByLabel("E-mail").inputValue()).toBe(email);
    expect(await page.getByLabel("Company").inputValue()).toBe("Bondi Pty Ltd");
    expect(await page.getByLabel("Country").inputValue()).toBe("AU");
    expect(await page.getByLabel("Expiry date").inputValue()).toBe("12 / 40");
    if (options.javaScriptEnabled) await inspect(page);
    await typeCard(page, CARDS.pays);
    await press(page, /^Pay/);
    await page.getByText(/^Paid .* with Visa ending in 4242\./).waitFor();
  });
});
