import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestApp } from "../support/app.ts";
import { DESK, inspect } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage, press, summaryOf, typeCard } from "../support/buyers.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";
import { checkoutsOf, inGermany, startCatalogueApp } from "./catalogue.ts";

let app: TestApp;
let browser: Browser;
const { ok, checkout, read } = checkoutsOf(() => app);
const CHANGE = { quantity: 5, quantityChange: { minimum: 2, maximum: 50 } };
const SIZES = [{ width: 375, height: 667 }, DESK];

beforeAll(async () => {
  [app, browser] = await Promise.all([startCatalogueApp(), launchBrowser()]);
  const unitName = { en: { one: "seat", other: "seats" }, de: { one: "Platz", other: "Plätze" } };
  const sold = { unitName, quantity: { minimum: 2, maximum: 50 }, prices: [{ currency: "usd", amount: 1200 }] };
  await ok("POST", "/products", { key: "team", name: "Team", interval: "month", ...sold });
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

const quantity = (page: Page) => page.getByLabel("Quantity (seats)");
/** Types a quantity and has the page calculate its amounts. */
async function choose(page: Page, typed: string, hasScript: boolean): Promise<void> {
  await quantity(page).fill(typed);
  if (hasScript) await quantity(page).press("Tab");
  else await press(page, "Update the quantity");
}
async function inspectSizes(page: Page): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await inspect(page);
  }
}

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  const hasScript = options.javaScriptEnabled;

  test("the buyer chooses a quantity, sees the new amounts, and pays them", async () => {
    const made = await checkout("team", { ...CHANGE, ...inGermany() });
    const page = await openPage(browser, options);
    await page.goto(made.url);
    expect(await summaryOf(page)).toMatch(/Team\s+5 seats × US\$12\.00\s+US\$71\.40\s+Due today/);
    if (hasScript) await typeCard(page, CARDS.pays);
    for (const wrong of ["51", "1", "many"]) {
      await choose(page, wrong, hasScript);
      await page.locator("#quantity-fault").getByText("Enter a whole number: 2 to 50 seats.").waitFor();
      expect(await quantity(page).inputValue()).toBe(wrong);
      expect(await quantity(page).getAttribute("aria-invalid")).toBe("true");
      await page.getByRole("button", { name: "Pay US$71.40" }).waitFor();
    }
    expect(await page.getByRole("button", { name: "Update the quantity" }).count()).toBe(hasScript ? 0 : 1);
    if (hasScript) await inspectSizes(page);
    await choose(page, "8", hasScript);
    await page.getByRole("button", { name: "Pay US$114.24" }).waitFor();
    expect(await page.locator(".fault, .notice").count()).toBe(0);
    expect(await summaryOf(page)).toMatch(
      /8 seats × US\$12\.00[^]*Price\s+US\$96\.00\s+USt, 19%\s+US\$18\.24\s+Due today\s+US\$114\.24/,
    );
    expect(await summaryOf(page)).toContain("Then US$96.00 plus 19% USt every month from 1 March 2026");
    await page.getByLabel("Have a code?").fill("LAUNCH25");
    await press(page, "Apply the code");
    await page.getByRole("button", { name: "Pay US$85.68" }).waitFor();
    expect(await quantity(page).inputValue()).toBe("8");
    if (!hasScript) await typeCard(page, CARDS.pays);
    await press(page, "Pay US$85.68");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect(withPlainSpaces(await page.locator("main").innerText())).toContain("Team, 8 seats × US$12.00");
    expect(await read(made.id)).toMatchObject({ status: "completed", quantity: 8, totalAmount: 8568 });
    if (hasScript) await inspectSizes(page);
  });

  test("a quantity that another tab chose is asked about before the card is charged", async () => {
    const made = await checkout("team", {
      ...CHANGE,
      customer: { email: newBuyer(), billingAddress: { country: "AT" } },
    });
    const [stale, other] = [await openPage(browser, options), await openPage(browser, options)];
    await stale.goto(made.url);
    await other.goto(made.url);
    await choose(other, "10", hasScript);
    await other.getByRole("button", { name: "Pay US$120.00" }).waitFor();
    await typeCard(stale, CARDS.pays);
    await press(stale, "Pay US$60.00");
    await stale
      .getByRole("alert")
      .getByText("Quantity: 10 seats. US$120.00 is due today. You were not charged")
      .waitFor();
    expect(await quantity(stale).inputValue()).toBe("10");
    if (!hasScript) await typeCard(stale, CARDS.pays);
    await press(stale, "Pay US$120.00");
    await stale.getByText(/^Paid .* with Visa ending in \d{4}\./).waitFor();
    expect(await read(made.id)).toMatchObject({ status: "completed", quantity: 10, totalAmount: 12_000 });
  });
});

test("Enter in the field shows the amounts of the quantity, and keeps the typed card and the focus", async () => {
  const made = await checkout("team", { ...CHANGE, ...inGermany() });
  const page = await openPage(browser, { viewport: SIZES[0]! });
  await page.goto(made.url);
  await typeCard(page, CARDS.pays);
  await quantity(page).fill("20");
  await quantity(page).press("Enter");
  await page.getByRole("button", { name: "Pay US$285.60" }).waitFor();
  expect(withPlainSpaces((await page.locator("[data-heard]").textContent())!)).toBe("Due today: US$285.60");
  expect(await page.locator(":focus").getAttribute("id")).toBe("quantity");
  expect(await page.getByLabel("Expiry date").inputValue()).toBe("12 / 40");
  expect(await page.locator(".fold-name").innerText()).toMatch(/Team\s+20\sseats/);
  await inspectSizes(page);
});
