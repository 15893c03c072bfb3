import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { setUp } from "../../src/actions/team/set-up.ts";
import { inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { openPage, press, summaryOf } from "../support/buyers.ts";
import { OWNER } from "../support/dashboard.ts";
import type { Json } from "../support/app.ts";
import { startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
beforeAll(async () => void (browser = await launchBrowser()));
beforeEach(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await setUp(story.app.ctx, OWNER);
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await story.close();
});
afterAll(() => browser.close());

async function signIn(javaScriptEnabled: boolean): Promise<Page> {
  const page = await openPage(browser, { javaScriptEnabled });
  await page.goto(`${story.app.url}/dashboard/${story.app.organization.id}/products`);
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password").fill(OWNER.password);
  await press(page, "Sign in");
  return page;
}
const pictureOf = (page: Page) => page.getByRole("region", { name: /What the buyer/ });

test.each([
  ["with a script", true],
  ["without a script", false],
])("from an empty catalogue to a Checkout that looks as promised, %s", async (_, hasScript) => {
  const page = await signIn(hasScript);
  /** Without a script, the picture follows the button. */
  const draw = () => (hasScript ? undefined : press(page, "Update the picture"));
  await page.getByText("A Product is an item for sale").waitFor();

  await page.getByRole("link", { name: "Benefits" }).click();
  await page.getByRole("link", { name: "New Benefit" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Desktop");
  await page.getByLabel("License key").check();
  expect(await page.getByLabel("Name of the feature in programs").isVisible()).toBe(false);
  await page.getByLabel("Key prefix").fill("acme");
  await draw();
  await pictureOf(page)
    .getByText(/^ACME-/)
    .waitFor();
  if (hasScript) await inspect(page);
  await press(page, "Create the Benefit");
  await page.getByText("The Benefit is ready.").waitFor();

  await page.getByRole("link", { name: "Products" }).click();
  await page.getByRole("link", { name: "Create the first Product" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Pro");
  // Enter sends the form, and does not press another button of the form.
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await page.getByText("Enter an amount, or choose no currency").waitFor();
  await page.getByLabel("Amount of price 1").fill("30");
  await page.getByLabel("Desktop").check();
  await press(page, "Add a currency");
  await page.getByLabel("Amount of price 2").fill("2900");
  await page.getByLabel("Currency of price 2").selectOption("jpy");
  await draw();
  await pictureOf(page).getByText("US$30.00 every month from 1 April 2026").waitFor();
  await pictureOf(page).getByText("Desktop").first().waitFor();
  await page.getByRole("button", { name: "Use the key pro" }).click();
  expect(await page.getByRole("textbox", { name: "Key" }).inputValue()).toBe("pro");
  expect(await page.getByLabel("Amount for a year of price 1").isVisible()).toBe(false);
  await page.getByLabel("Also sell by the year").check();
  await page.getByLabel("Amount for a year of price 1").fill("300");
  await page.getByLabel("Amount for a year of price 2").fill("29000");
  if (hasScript) await inspect(page);
  await press(page, "Create the Product");
  await page.getByText("The Product is for sale.").waitFor();
  const { data: made } = await story.ok(story.app.manage("GET", "/products"));
  const sold = made.map(({ key, interval, prices }: Json) => [key, interval, prices[0].amount]);
  expect(sold.sort()).toEqual([
    ["pro", "month", 3000],
    ["pro-year", "year", 30_000],
  ]);

  await page.getByRole("link", { name: "Discounts" }).click();
  await page.getByRole("link", { name: "New Discount" }).first().click();
  await page.getByLabel("Code", { exact: true }).fill("SPRING");
  await page.getByLabel("Percent off").fill("25");
  await page.getByLabel("Some months").check();
  await page.getByLabel("Months", { exact: true }).fill("3");
  await draw();
  await pictureOf(page).getByText("Discount SPRING").waitFor();
  await pictureOf(page).getByText("US$30.00 every month from 1 June 2026").waitFor();
  const promised = await summaryOf(page);
  if (hasScript) await inspect(page);
  await press(page, "Create the Discount");
  await page.getByText("The Discount can be used.").waitFor();
  expect(await summaryOf(page)).toBe(promised);

  const wanted = { productKey: "pro", currency: "usd", discountCode: "spring" };
  const { url } = await story.ok(story.app.api("POST", "/checkouts", wanted));
  const buyer = await openPage(browser);
  await buyer.goto(url);
  expect(await summaryOf(buyer)).toBe(promised);
  expect(promised).toContain("US$22.50");
});

test("an edit says whom it touches, and each page is accessible on a phone", async () => {
  const long = "A plan with a name that is much longer than the narrow column in which it stands";
  const benefit = await story.ok(
    story.app.manage("POST", "/benefits", {
      type: "custom",
      name: `${long}, as a Benefit`,
      properties: { note: long },
    }),
  );
  const currencies = ["usd", "eur", "jpy", "kwd", "chf", "huf"];
  const prices = currencies.map((currency) => ({ currency, amount: 123_000 }));
  const shared = { name: long, description: long, prices, benefitIds: [benefit.id], group: "long" };
  const product = await story.plan("long", 0, shared);
  await story.plan("long-year", 0, { ...shared, interval: "year" });
  const page = await signIn(true);
  await page.setViewportSize(PHONE);
  await page.getByRole("heading", { level: 3, name: long }).waitFor();
  await inspect(page);
  await page.getByRole("link", { name: `${long}, every month` }).click();
  await inspect(page);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Amount of price 2").fill("999");
  await inspect(page);
  await press(page, "Preview");
  await page.getByText("The price changes from €1,230.00 to €999.00.").waitFor();
  await page.getByText("0 live Subscriptions keep the present price.").waitFor();
  await inspect(page);
  await press(page, "Change the values again");
  expect(await page.getByLabel("Amount of price 2").inputValue()).toBe("999");
  await press(page, "Preview");
  await press(page, "Save the Product");
  await page.getByText("The Product has been saved.").waitFor();
  await page.goto(`${page.url().split("/products")[0]}/benefits/${benefit.id}/delete`);
  await page.getByText("0 Customers lose the Benefit").waitFor();
  expect(product.prices).toHaveLength(6);
});

test.each([
  ["with a script", true],
  ["without a script", false],
])("a payment link with an order of its Products and an own field, %s", async (_, hasScript) => {
  const products = await Promise.all(
    ["Alpha", "Beta"].map((name) => story.plan(name.toLowerCase(), 1000, { name, group: name.toLowerCase() })),
  );
  const page = await signIn(hasScript);
  await page.getByRole("link", { name: "Payment links" }).click();
  await page.getByRole("link", { name: "New payment link" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Front page");
  for (const name of ["Alpha", "Beta"]) await page.getByLabel(new RegExp(`^${name}:`)).check();
  if (!hasScript) await press(page, "Update the picture");
  await press(page, "Move up Beta");
  expect(await page.getByRole("group", { name: "Order on the page" }).getByRole("listitem").allInnerTexts()).toEqual([
    "Beta",
    expect.stringMatching(/^Alpha/),
  ]);
  await press(page, "Add a field");
  const field = page.getByRole("group", { name: "Field 1" });
  await field.getByLabel("Question").fill("Branch office");
  await field.getByLabel("Key").fill("city");
  expect(await field.getByLabel("Options of a choice").isVisible()).toBe(false);
  await field.getByLabel("Type").selectOption("choice");
  await press(page, "Create the payment link");
  await field.getByText("Write at least two options").waitFor();
  if (hasScript) await inspect(page);
  await field.getByLabel("Options of a choice").fill("ber = Berlin\nBonn");
  await press(page, "Create the payment link");
  await page.getByText("The page sells now.").waitFor();
  await page.getByLabel("Brightness").selectOption("dark");
  await press(page, "Show the lines");
  expect(await page.getByLabel("Pricing table by a script").innerText()).toContain('data-scheme="dark"');
  if (hasScript) await inspect(page);
  const [link] = (await story.ok(story.app.manage("GET", "/payment-links"))).data;
  expect(link.products).toEqual([{ productId: products[1].id }, { productId: products[0].id }]);
  expect(link.fields).toMatchObject([{ key: "city", type: "choice", options: [{ value: "ber" }, { value: "Bonn" }] }]);
  await page.goto(link.url);
  await press(page, "Continue with Beta");
  await page.getByLabel("Branch office").selectOption({ label: "Berlin" });
});
