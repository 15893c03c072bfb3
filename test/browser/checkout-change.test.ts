import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage, press, summaryOf, typeCard } from "../support/buyers.ts";
import { post, withPlainSpaces } from "../support/pages.ts";
import { CARDS, ok as done } from "../support/story.ts";

let app: TestApp;
let browser: Browser;

const ok = (method: string, path: string, body?: object) => done(app.manage(method, path, body));
const advance = (to: string) => ok("POST", "/sandbox/clock/advance", { to });
const subscription = (id: string) => done(app.api("GET", `/subscriptions/${id}`));
const read = (id: string) => done(app.api("GET", `/checkouts/${id}`));

/** A Subscription of a new Customer. */
async function buy(productKey: string, card: string | null, more: object = {}): Promise<Json> {
  const made = await done(app.api("POST", "/checkouts", { productKey, customer: { email: newBuyer(), ...more } }));
  const paid = await ok("POST", `/sandbox/checkouts/${made.id}/pay`, card === null ? {} : { card });
  return subscription(paid.subscriptionId);
}

const changeTo = (productKey: string, { id }: Json, more: object = {}) =>
  done(app.api("POST", "/checkouts", { productKey, subscriptionId: id, ...more }));

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-06-01T09:00:00Z" }),
    launchBrowser(),
  ]);
  for (const [key, name, amount, more] of [
    ["free", "Free", 0, {}],
    ["basic", "Basic — أساسي", 1000, {}],
    ["pro", "Pro", 3000, {}],
    ["year", "Pro yearly", 30_000, { interval: "year" }],
    ["trial", "Trial", 1000, { trialDays: 14 }],
  ] as const) {
    await ok("POST", "/products", { key, name, interval: "month", prices: [{ currency: "usd", amount }], ...more });
  }
  await ok("PATCH", "/organization", { taxRates: [{ country: "DE", basisPoints: 1900, name: "USt" }] });
});

const inGermany = { billingAddress: { country: "DE" } };
const elsewhere = { billingAddress: { country: "JP" } };

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
  test("from free to paid", async () => {
    const sold = await buy("free", null, inGermany);
    const { url, id } = await changeTo("basic", sold);
    const page = await openPage(browser, options);
    await page.goto(url);
    expect(await heading(page)).toBe("Change to Basic — أساسي");
    const summary = await summaryOf(page);
    expect(summary).toMatch(/Your current plan: Free/);
    expect(summary).toMatch(/Basic — أساسي\s+US\$10\.00\s+USt, 19%\s+US\$1\.90\s+Due today\s+US\$11\.90/);
    expect(summary).toMatch(/Then US\$10\.00 plus 19% USt every month from \d+ \w+ 2026, until you cancel\./);
    for (const label of ["E-mail", "Name", "Country", "Have a code?"])
      expect(await page.getByLabel(label).count()).toBe(0);
    await typeCard(page, CARDS.declined);
    await press(page, "Pay US$11.90 and change plan");
    await page.getByRole("alert").getByText("The card was declined.").waitFor();
    expect(await subscription(sold.id)).toMatchObject({ amount: 0 });
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$11.90 and change plan");
    await page.getByText(/^Paid .* with Visa ending in \d{4}\. Your subscription is now Basic — أساسي\./).waitFor();
    expect(await heading(page)).toBe("Thank you");
    expect(withPlainSpaces(await page.locator("main").innerText())).toMatch(
      /Then US\$10\.00 plus 19% USt every month from \d+ \w+ 2026/,
    );
    expect(await subscription(sold.id)).toMatchObject({ amount: 1000 });
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 1190 });
  });

  test("a change by a declined PATCH is paid on its page, with another card", async () => {
    const sold = await buy("basic", CARDS.failsLater, elsewhere);
    const refused = await app.api("PATCH", `/subscriptions/${sold.id}`, {
      productKey: "pro",
      prorationBehavior: "invoice_now",
    });
    expect([refused.status, refused.body.code]).toEqual([402, "payment_failed"]);
    const page = await openPage(browser, options);
    await page.goto(refused.body.url);
    expect(await summaryOf(page)).toMatch(
      /Basic — أساسي, unused rest of the period\s+−US\$10\.00\s+Pro, rest of the period\s+US\$30\.00\s+Due today\s+US\$20\.00/,
    );
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$20.00 and change plan");
    await page.getByText("Your subscription is now Pro.").waitFor();
    expect(await subscription(sold.id)).toMatchObject({ amount: 3000 });
  });

  test("the bank's question about a PATCH is answered on its page", async () => {
    const sold = await buy("basic", CARDS.pays, elsewhere);
    await ok("POST", `/sandbox/customers/${sold.customerId}/card`, { card: CARDS.asksBuyer });
    const refused = await app.api("PATCH", `/subscriptions/${sold.id}`, {
      productKey: "pro",
      prorationBehavior: "invoice_now",
    });
    expect([refused.status, refused.body.code]).toEqual([402, "payment_action_required"]);
    const page = await openPage(browser, options);
    await page.goto(refused.body.url);
    await page.getByRole("heading", { name: "Confirm this payment with your bank" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await page.getByLabel("Card number").count()).toBe(0);
    await press(page, "Pay US$20.00 and change plan");
    await page.getByRole("link", { name: "Continue to your bank" }).click();
    await press(page, "No, refuse");
    await page.getByRole("alert").getByText("The payment was not confirmed with your bank.").waitFor();
    await page.getByText("Visa •••• 3220").waitFor();
    await page.getByRole("link", { name: "Pay with another card" }).click();
    await typeCard(page, CARDS.asksBuyer);
    await press(page, "Pay US$20.00 and change plan");
    await page.getByRole("link", { name: "Continue to your bank" }).click();
    await press(page, "Yes, confirm");
    await page.getByText("Your subscription is now Pro.").waitFor();
    expect(await subscription(sold.id)).toMatchObject({ amount: 3000 });
  });
});

test("a change in a trial charges nothing, and the card is saved", async () => {
  const sold = await buy("trial", CARDS.pays, elsewhere);
  const page = await openPage(browser);
  await page.goto((await changeTo("pro", sold)).url);
  expect(await summaryOf(page)).toMatch(
    /US\$0\.00\s+Due today\s+Then US\$30\.00 every month from .* You won’t be charged today\./,
  );
  await typeCard(page, CARDS.pays);
  await press(page, "Save card and change plan");
  await page.getByText("Your subscription is now Pro.").waitFor();
  expect(await subscription(sold.id)).toMatchObject({ amount: 3000, status: "trialing" });
});

test("a change to a free Product asks for nothing, and the rest goes to the balance", async () => {
  const sold = await buy("basic", CARDS.pays, elsewhere);
  const page = await openPage(browser);
  await page.goto((await changeTo("free", sold)).url);
  expect(await summaryOf(page)).toMatch(
    /unused rest of the period\s+−US\$10\.00\s+Added to your balance\s+US\$10\.00\s+Due today\s+US\$0\.00/,
  );
  await press(page, "Change now");
  await page.getByText("Your subscription is now Free.").waitFor();
  expect((await ok("GET", `/customers/${sold.customerId}/balance`)).data).toMatchObject([{ amount: 1000 }]);
});

test("without a card, a change for the period's end says when it is made", async () => {
  const sold = await buy("free", null, elsewhere);
  const refused = await app.api("PATCH", `/subscriptions/${sold.id}`, {
    productKey: "pro",
    prorationBehavior: "next_period",
  });
  expect([refused.status, refused.body.code]).toEqual([402, "payment_method_required"]);
  const page = await openPage(browser);
  await page.goto(refused.body.url);
  expect(await summaryOf(page)).toMatch(
    /Then US\$30\.00 every month from \d+ \w+ 2026[^]*Your plan changes on \d+ \w+ 2026\./,
  );
  await typeCard(page, CARDS.pays);
  await press(page, "Save card and change plan");
  await page.getByText(/Your subscription changes to Pro on \d+\u00a0\w+\u00a02026\./).waitFor();
  expect((await subscription(sold.id)).pendingChange).toMatchObject({ amount: 3000 });
});

test("the Checkout keeps the price at which it was made, also if the catalogue changes", async () => {
  const product = { key: "moving", name: "Moving", interval: "month", prices: [{ currency: "usd", amount: 2000 }] };
  const { id: productId } = await ok("POST", "/products", product);
  const sold = await buy("free", null, elsewhere);
  const { url } = await changeTo("moving", sold);
  await ok("PATCH", `/products/${productId}`, { prices: [{ currency: "usd", amount: 9000 }] });
  const page = await openPage(browser);
  await page.goto(url);
  await typeCard(page, CARDS.pays);
  await press(page, "Pay US$20.00 and change plan");
  await page.getByText("Your subscription is now Moving.").waitFor();
  expect(await subscription(sold.id)).toMatchObject({ amount: 2000 });
});

test("another quantity of a Product that was archived is finished after a declined PATCH (rule Q6a)", async () => {
  const sale = { name: "Old seats", interval: "month", prices: [{ currency: "usd", amount: 1000 }] };
  const { id } = await ok("POST", "/products", { key: "old-seats", ...sale, quantity: { maximum: 9 } });
  const sold = await buy("old-seats", CARDS.failsLater, elsewhere);
  await ok("PATCH", `/products/${id}`, { archived: true });
  const more = { quantity: 3, prorationBehavior: "invoice_now" };
  const { status, body } = await app.api("PATCH", `/subscriptions/${sold.id}`, more);
  expect(status).toBe(402);
  const page = await openPage(browser);
  await page.goto(body.url);
  await typeCard(page, CARDS.pays);
  await press(page, "Pay US$20.00 and change plan");
  await page.getByText("Your subscription is now").waitFor();
  expect(await subscription(sold.id)).toMatchObject({ quantity: 3, amount: 3000 });
});

describe("a change that can't be made any more names the reason, and says that no charge was made", () => {
  let sold: Json;
  let made: Json;
  const said = async (url = made.url) => {
    const page = await openPage(browser);
    await page.goto(url);
    expect(withPlainSpaces(await page.locator("main").innerText())).toContain("You were not charged");
    return heading(page);
  };

  beforeAll(async () => {
    sold = await buy("basic", CARDS.pays, elsewhere);
    made = await changeTo("pro", sold);
  });

  test("while its cancellation is scheduled", async () => {
    await done(app.api("PATCH", `/subscriptions/${sold.id}`, { cancelAtPeriodEnd: true }));
    expect(await said()).toBe("Your subscription is set to end");
    const { status, text } = await post(made.url, {
      number: CARDS.pays,
      expiry: "12/40",
      cvc: "123",
      expectedAmount: "2000",
    });
    expect([status, text]).toEqual([409, expect.stringContaining("Undo the cancellation first")]);
    await done(app.api("PATCH", `/subscriptions/${sold.id}`, { cancelAtPeriodEnd: false }));
  });

  test("while another one is being paid", async () => {
    const other = await changeTo("pro", sold);
    await ok("POST", `/sandbox/checkouts/${other.id}/pay`, { card: CARDS.asksBuyer });
    expect(await said()).toBe("Your earlier order is not finished");
    await post(other.url, { action: "give-up" });
  });

  test("when it was made already", async () => {
    const other = await changeTo("pro", sold);
    await ok("POST", `/sandbox/checkouts/${other.id}/pay`, { card: CARDS.pays });
    expect(await said()).toBe("No change to make");
  });

  test("when the Subscription has ended", async () => {
    await ok("POST", `/subscriptions/${sold.id}/cancel-now`, {});
    expect(await said()).toBe("Your subscription has ended");
  });

  test("when the Product was withdrawn", async () => {
    const { id: productId } = await ok("POST", "/products", {
      name: "Old",
      interval: "month",
      prices: [{ currency: "usd", amount: 900 }],
    });
    const { url } = await done(
      app.api("POST", "/checkouts", { productId, subscriptionId: (await buy("free", null, elsewhere)).id }),
    );
    await ok("PATCH", `/products/${productId}`, { archived: true });
    expect(await said(url)).toBe("No longer for sale");
  });
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("no page has a fault that a machine can find", async () => {
    const sold = await buy("pro", CARDS.pays, inGermany);
    const page = await openPage(browser, { viewport });
    await page.goto((await changeTo("basic", sold)).url);
    await inspect(page);
    await press(page, "Save card and change plan");
    await page.getByText("Please check the fields").waitFor();
    await inspect(page);
    await page.goto((await changeTo("year", sold)).url);
    await typeCard(page, CARDS.pays);
    await press(page, "Pay");
    await page.getByText("Your subscription is now Pro yearly.").waitFor();
    await inspect(page);
  });
});

/** These tests are the last ones, because all others take place in the first period. */
describe("time goes by", () => {
  test("an amount is good for half an hour, then the new one is shown first", async () => {
    const sold = await buy("basic", CARDS.pays, elsewhere);
    const { url } = await changeTo("pro", sold);
    const page = await openPage(browser);
    await page.goto(url);
    await typeCard(page, CARDS.pays);
    await advance("2026-06-01T12:00:00Z");
    await press(page, "Pay US$20.00 and change plan");
    await page.getByRole("alert").getByText("US$19.92 is due today. You were not charged").waitFor();
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$19.92 and change plan");
    await page.getByText("Your subscription is now Pro.").waitFor();
  });

  test("no change is made while a payment is open", async () => {
    const sold = await buy("basic", CARDS.failsLater, elsewhere);
    await advance("2026-07-01T06:00:00Z");
    const { url } = await changeTo("pro", sold);
    await advance("2026-07-01T13:00:00Z");
    expect(await subscription(sold.id)).toMatchObject({ status: "past_due" });
    const page = await openPage(browser);
    await page.goto(url);
    expect(await heading(page)).toBe("A payment is outstanding");
  });
});
