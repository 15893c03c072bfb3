import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { newBuyer, openPage, press, typeCard } from "../support/buyers.ts";
import { takeHostedCards } from "../support/hosted.ts";
import { CARDS, ok } from "../support/story.ts";

const RATES = [
  { country: "DE", basisPoints: 1900, name: "USt" },
  { country: "US", region: "CA", basisPoints: 725, name: "Sales tax" },
];

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" }),
    launchBrowser(),
  ]);
  const month = { interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await ok(app.manage("POST", "/products", { key: "pro", name: "Pro", ...month }));
  const trial = { ...month, trialDays: 14, trialCard: "optional", group: "trials" };
  await ok(app.manage("POST", "/products", { key: "trial", name: "Trial", ...trial }));
  const code = { type: "fixed", amount: 500, currency: "usd", code: "FIVE", duration: "once" };
  await ok(app.manage("POST", "/discounts", code));
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await app.close();
});

const checkout = (more: object = {}): Promise<Json> =>
  ok(app.api("POST", "/checkouts", { productKey: "pro", ...more }));
const read = (id: string): Promise<Json> => ok(app.api("GET", `/checkouts/${id}`));
const typed = async (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue();
const focused = (page: Page) => page.locator(":focus").getAttribute("id");
const faultOf = (page: Page, id: string) => page.locator(`#${id}-fault`).innerText();

async function begin(page: Page, url: string, email = newBuyer()): Promise<string> {
  await page.goto(url);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Name").fill("Ada Lovelace");
  return email;
}

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("the input is there again after the bank's no, another card, and a reload", async () => {
    const { url } = await checkout();
    const page = await openPage(browser, options);
    const email = await begin(page, url);
    await typeCard(page, CARDS.asksBuyer);
    await press(page, "Pay");
    await page.getByRole("link", { name: "Continue to your bank" }).click();
    await press(page, "No, refuse");
    await page.getByRole("alert").getByText("The payment was not confirmed with your bank.").waitFor();
    expect([await typed(page, "E-mail"), await typed(page, "Card number")]).toEqual([email, ""]);
    expect(await page.locator("#number-hint").innerText()).toBe(
      "For your security, this page does not keep your card number. Please enter it again.",
    );
    await typeCard(page, CARDS.asksBuyer);
    await press(page, "Pay");
    await press(page, "Pay with another card");
    await page.getByRole("alert").waitFor();
    await page.goto(url);
    expect(await typed(page, "E-mail")).toBe(email);
    const stranger = await openPage(browser, options);
    await stranger.goto(url);
    expect(await typed(stranger, "E-mail")).toBe("");
  });

  test("the input is there again after a declined card, which says why its field is empty", async () => {
    const { url } = await checkout();
    const page = await openPage(browser, options);
    const email = await begin(page, url);
    await typeCard(page, CARDS.declined);
    await press(page, "Pay");
    await page.getByRole("alert").getByText("The card was declined.").waitFor();
    const number = page.getByLabel("Card number");
    expect([await typed(page, "E-mail"), await number.inputValue()]).toEqual([email, ""]);
    expect(await number.getAttribute("aria-describedby")).toBe("number-hint");
    expect(await page.locator("#cvc-hint").innerText()).toBe("Enter this again too.");
    expect(await page.locator("#expiry-hint").count()).toBe(0);
    if (options.javaScriptEnabled) await inspect(page);
  });

  test("the words of a fault are the same", async () => {
    const { url } = await checkout();
    const page = await openPage(browser, options);
    await page.goto(url);
    await page.getByLabel("E-mail").fill("ada@example");
    await page.getByLabel("Name").fill("4242 4242 4242 4242");
    await page.getByLabel("Card number").fill("4242 4242 4242 4241");
    await page.getByLabel("Expiry date").fill("01 / 20");
    await page.getByLabel("Security code").fill("1234");
    await press(page, "Pay");
    const notice = page.getByRole("alert");
    await notice.getByRole("heading", { name: "Please check the fields" }).waitFor();
    expect(await notice.getByRole("link").allInnerTexts()).toEqual([
      "Enter an e-mail address like name@example.com.",
      "This looks like a card number. Enter your name, or leave the field empty.",
      "This card number is not valid. Check the digits.",
      "This date is in the past. Check it, or use another card.",
      "Enter the 3 digits from the back of your card.",
    ]);
    expect(await page.locator("[aria-invalid=true]").evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      "email",
      "name",
      "number",
      "expiry",
      "cvc",
    ]);
    expect(await page.getByLabel("E-mail").getAttribute("aria-describedby")).toBe("email-fault");
    if (options.javaScriptEnabled) await inspect(page);
  });
});

describe("the page's script", () => {
  test("sends nothing while there is a fault, keeps the card, and leads to the first fault", async () => {
    const { url, id } = await checkout();
    const page = await openPage(browser);
    const sent: string[] = [];
    await page.goto(url);
    page.on("request", (request) => sent.push(request.method()));
    await typeCard(page, CARDS.pays);
    await press(page, "Pay");
    await page.getByRole("alert").getByText("Enter your e-mail address.").waitFor();
    expect([await focused(page), await typed(page, "Card number"), sent]).toEqual(["email", "4242 4242 4242 4242", []]);
    await page.getByLabel("E-mail").fill(newBuyer());
    expect(await page.getByRole("alert").count()).toBe(0);
    await press(page, "Pay");
    await page.getByText("Thank you").waitFor();
    expect(await read(id)).toMatchObject({ status: "completed" });
  });

  test("tells a fault when its field is left, and takes it back when it is mended", async () => {
    const { url } = await checkout();
    const page = await openPage(browser);
    await page.goto(url);
    await page.getByLabel("E-mail").focus();
    await page.keyboard.press("Tab");
    expect(await page.locator(".fault").count()).toBe(0);
    await page.getByLabel("Card number").focus();
    await page.keyboard.type("4242424242424241");
    await page.keyboard.press("Tab");
    expect(await faultOf(page, "number")).toBe("This card number is not valid. Check the digits.");
    await page.getByLabel("Card number").focus();
    await page.keyboard.press("Backspace");
    await page.keyboard.type("2");
    expect(await page.locator("#number-fault").count()).toBe(0);
    expect(await page.getByLabel("Card number").getAttribute("aria-invalid")).toBe(null);
  });

  test("does not move the button away that leaves a faulty field", async () => {
    const { url } = await checkout({ locale: "de" });
    const page = await openPage(browser, { viewport: { width: 375, height: 800 } });
    await page.goto(url);
    await page.getByLabel("Kartennummer").fill("4242 4242 4242 4241");
    await press(page, /30,00/);
    await page.getByRole("alert").getByText("Diese Kartennummer ist ungültig.").waitFor();
  });

  test("asks the server about the rest, and keeps the card", async () => {
    await ok(app.manage("PATCH", "/organization", { taxRates: RATES }));
    onTestFinished(() => ok(app.manage("PATCH", "/organization", { taxRates: [] })));
    const { url, id } = await checkout();
    const page = await openPage(browser);
    await begin(page, url);
    await typeCard(page, CARDS.pays);
    await page.getByLabel("Country").selectOption("US");
    await page.getByLabel("State").waitFor();
    await press(page, /^Pay/);
    await page.getByRole("alert").getByText("Enter your state or region.").waitFor();
    expect([await focused(page), await typed(page, "Security code")]).toEqual(["state", "123"]);
    await inspect(page);
    await page.getByLabel("State").selectOption("California");
    await page.getByText("Due today: US$32.18").waitFor();
    await page.getByText("Add a full billing address").click();
    await page.getByLabel("ZIP code").fill("9");
    await press(page, /^Pay/);
    const fault = page.getByRole("alert").getByText("such as");
    await fault.waitFor();
    expect([await focused(page), await typed(page, "Card number")]).toEqual(["postalCode", "4242 4242 4242 4242"]);
    await page.getByLabel("ZIP code").fill("");
    await press(page, /^Pay/);
    await page.getByText("Thank you").waitFor();
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 3218 });
  });

  test("applies a typed code before the payment, and keeps the card", async () => {
    const { url, id } = await checkout();
    const page = await openPage(browser);
    await begin(page, url);
    await page.getByLabel("Have a code?").fill("FIVE");
    await typeCard(page, CARDS.pays);
    await press(page, "Pay US$30.00");
    await page.getByRole("alert").getByText("Your code was applied.").waitFor();
    await press(page, "Pay US$25.00");
    await page.getByText("Thank you").waitFor();
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 2500 });
  });

  test("leaves an optional card out, or checks all of it", async () => {
    const { url, id } = await checkout({ productKey: "trial" });
    const page = await openPage(browser);
    await begin(page, url);
    await page.getByLabel("Security code").fill("123");
    await press(page, "Start free trial");
    await page.getByRole("alert").getByText("Enter your card number.").waitFor();
    await page.getByLabel("Security code").fill("");
    await press(page, "Start free trial");
    await page.getByText("Thank you").waitFor();
    expect(await read(id)).toMatchObject({ status: "completed" });
  });

  test("says when the form could not be sent, and keeps the card", async () => {
    const { url } = await checkout();
    const page = await openPage(browser);
    await begin(page, url);
    await typeCard(page, CARDS.pays);
    await page.context().setOffline(true);
    await press(page, "Pay");
    await page.getByText("Your order could not be sent. You were not charged.").waitFor();
    expect(await typed(page, "Card number")).not.toBe("");
    await page.context().setOffline(false);
    await press(page, "Pay");
    await page.getByText("Thank you").waitFor();
  });

  test("knows the code of an American Express card", async () => {
    const { url } = await checkout();
    const page = await openPage(browser);
    await begin(page, url);
    await typeCard(page, "378282246310005");
    await page.keyboard.press("Tab");
    expect(await faultOf(page, "cvc")).toBe("Enter the 4 digits from the front of your card.");
  });

  test("needs no mouse", async () => {
    const { url, id } = await checkout();
    const page = await openPage(browser);
    await page.goto(url);
    await page.getByLabel("E-mail").focus();
    await page.keyboard.type("ada@");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Enter an e-mail address like").first().waitFor();
    expect(await focused(page)).toBe("email");
    await page.keyboard.press("End");
    await page.keyboard.type(newBuyer().replace("@", ".example@"));
    await page.keyboard.press("Control+A");
    await page.keyboard.type(newBuyer());
    for (const text of ["", CARDS.pays, "1240", "123"]) {
      await page.keyboard.press("Tab");
      while (text !== "" && !["number", "expiry", "cvc"].includes((await focused(page)) ?? ""))
        await page.keyboard.press("Tab");
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Enter");
    await page.getByText("Thank you").waitFor();
    expect(await read(id)).toMatchObject({ status: "completed" });
  });
});

test.each([PHONE, DESK])("a known buyer sees who buys (%j)", async (viewport) => {
  const customer = { email: newBuyer(), name: "Grace Hopper" };
  const page = await openPage(browser, { viewport });
  await page.goto((await checkout({ customer })).url);
  expect(await page.getByLabel("E-mail").count()).toBe(0);
  for (const known of [customer.email, customer.name]) await page.getByText(known, { exact: true }).waitFor();
  await inspect(page);
});

test("a buyer with a plan finds the way to it", async () => {
  const customer = { email: newBuyer() };
  const first = await checkout({ customer });
  await ok(app.manage("POST", `/sandbox/checkouts/${first.id}/pay`, { card: CARDS.pays }));
  const page = await openPage(browser);
  await begin(page, (await checkout()).url, customer.email);
  await typeCard(page, CARDS.pays);
  await press(page, "Pay");
  await page.getByRole("alert").getByRole("heading", { name: "You already have a plan" }).waitFor();
  expect(await typed(page, "E-mail")).toBe(customer.email);
  await page.getByRole("link", { name: "Manage your plan" }).click();
  await page.waitForURL(`**/portal/${app.organization.id}`);
});

test("the input is there again after the provider's page", async () => {
  await takeHostedCards(app);
  const { url } = await checkout();
  const page = await openPage(browser);
  const email = await begin(page, url);
  await press(page, "Continue to payment");
  await page.waitForURL("**/sandbox/pay/**");
  await page.getByRole("link", { name: "Back to" }).click();
  await press(page, "Pay another way");
  await page.getByText("The payment was cancelled.").waitFor();
  expect([await typed(page, "E-mail"), await page.getByLabel("Name").inputValue()]).toEqual([email, "Ada Lovelace"]);
  await ok(app.manage("PATCH", "/organization", { sandboxEntry: "typed" }));
});
