import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { openPage, press, typeCard } from "../support/buyers.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const STATE = "article .state";

let story: Story;
let browser: Browser;
let externalId: string;
let customers = 0;

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-02-01T09:00:00Z" }), launchBrowser()]);
  const { id } = await story.ok(
    story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "Single sign-on" }),
  );
  await story.plan("pro", 1190, { name: "Pro", benefitIds: [id] });
  await story.plan("weekly", 500, { name: "Weekly", interval: "week", benefitIds: [id] });
  await story.ok(
    story.app.manage("PATCH", "/organization", { branding: { displayName: "Acme Tools", accentColor: "#ffd400" } }),
  );
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/**
 * An invoice that is due now and could not be charged; `card` is on file. Returns its Subscription's id and its page.
 */
async function owe(card: string, productKey = "pro"): Promise<{ id: string; url: string }> {
  externalId = `buyer-${(customers += 1)}`;
  const customer = { email: `${externalId}@example.com`, externalId };
  const { id, customerId, currentPeriodEnd } = await story.buy({ productKey, customer }, CARDS.pays);
  await story.newCard(customerId, card);
  await story.travel(currentPeriodEnd);
  return { id, url: (await newest(id)).url };
}
const newest = async (id: string): Promise<Json> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`))).data[0];
const status = async (id: string) => (await story.subscription(id)).status;
const access = () => story.access(externalId);

async function pay(page: Page, number: string): Promise<void> {
  await typeCard(page, number);
  await press(page, "Pay US$11.90");
}
const paid = (page: Page) => page.locator(STATE).getByText("Paid on").waitFor();

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a buyer with failing renewals gets access back with another card", async () => {
    const { id, url } = await owe(CARDS.failsLater);
    const [grant] = (await story.ok(story.app.api("GET", `/benefit-grants?externalCustomerId=${externalId}`))).data;
    await story.travel(grant.expiresAt);
    expect(await access()).toEqual([]);
    const page = await openPage(browser, options);
    await page.goto(url);
    expect(await page.getByRole("heading", { level: 1 }).first().textContent()).toBe("US$11.90 due");
    await page.getByText("Your access is off until everything you owe is paid.").waitFor();
    await pay(page, CARDS.declined);
    await page.getByRole("alert").getByText("The card was declined.").waitFor();
    expect(await page.locator(":focus").getAttribute("class")).toBe("notice");
    expect(await page.getByLabel("Expiry date").inputValue()).toBe("12 / 40");
    expect(await page.getByLabel("Card number").inputValue()).toBe("");
    expect(await status(id)).toBe("past_due");
    await pay(page, CARDS.pays);
    await paid(page);
    expect(page.url()).toBe(url);
    expect(await status(id)).toBe("active");
    expect(await access()).toEqual(["Single sign-on"]);
  });

  test("a renewal that the bank asks about is confirmed by the page's link", async () => {
    const { id, url } = await owe(CARDS.asksBuyer);
    const page = await openPage(browser, options);
    await page.goto(url);
    await page.getByText("Your bank asks you to confirm the payment of US$11.90 with Visa •••• 3220.").waitFor();
    await page.getByRole("link", { name: "Continue to your bank" }).click();
    await press(page, "Yes, confirm");
    await paid(page);
    expect(await status(id)).toBe("active");
  });

  test("the bank of another card is told no, and then yes", async () => {
    const { id, url } = await owe(CARDS.failsLater);
    const page = await openPage(browser, options);
    await page.goto(url);
    for (const answer of ["No, refuse", "Yes, confirm"]) {
      await pay(page, CARDS.asksBuyer);
      await page.getByRole("link", { name: "Continue to your bank" }).click();
      await press(page, answer);
      if (answer === "No, refuse") await page.getByText("The payment was not confirmed with your bank.").waitFor();
    }
    await paid(page);
    expect(await status(id)).toBe("active");
  });

  test("a bank's question is left for another card", async () => {
    const { id, url } = await owe(CARDS.asksBuyer);
    const page = await openPage(browser, options);
    await page.goto(url);
    await pay(page, CARDS.pays);
    await paid(page);
    expect(await status(id)).toBe("active");
  });

  test("a lost answer is waited for", async () => {
    const { id, url } = await owe(CARDS.failsLater);
    const page = await openPage(browser, options);
    await page.goto(url);
    await pay(page, CARDS.answerLost);
    await page.getByText("US$11.90 is being charged to Visa •••• 0507 right now.").waitFor();
    await story.settle();
    await paid(page);
    expect(await status(id)).toBe("active");
  });

  test("a double click pays once", async () => {
    const { id, url } = await owe(CARDS.failsLater);
    const page = await openPage(browser, options);
    await page.goto(url);
    await typeCard(page, CARDS.pays);
    await page.getByRole("button", { name: "Pay" }).dblclick();
    await paid(page);
    const { data } = await story.ok(
      story.app.manage("GET", `/payments?invoiceId=${(await newest(id)).id}&trigger=new_card`),
    );
    expect(data).toHaveLength(1);
  });

  test("an invoice that an operator voids meanwhile is not paid", async () => {
    const { id, url } = await owe(CARDS.failsLater);
    const page = await openPage(browser, options);
    await page.goto(url);
    await story.ok(story.app.manage("POST", `/invoices/${(await newest(id)).id}/void`));
    await pay(page, CARDS.pays);
    await page.locator(STATE).getByText("Voided on").waitFor();
    expect(await page.getByLabel("Card number").count()).toBe(0);
  });
});

test("a keyboard is enough", async () => {
  const { url } = await owe(CARDS.failsLater);
  const page = await openPage(browser);
  await page.goto(url);
  const seen: string[] = [];
  const typed: Record<string, string> = { number: CARDS.pays, expiry: "1240", cvc: "123" };
  for (let n = 0; n < 5; n += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const name = (await focused.getAttribute("name")) ?? (await focused.innerText());
    seen.push(name);
    if (typed[name] !== undefined) await page.keyboard.type(typed[name]);
  }
  expect(seen).toEqual(["number", "expiry", "cvc", "Test cards", "Pay US$11.90"]);
  expect(await page.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4242");
  await page.keyboard.press("Enter");
  await paid(page);
});

test("a buyer whose last period is over pays the debt and a new period at once", async () => {
  const { id, url } = await owe(CARDS.failsLater, "weekly");
  const { currentPeriodEnd } = await story.subscription(id);
  const back = new Date(Date.parse(currentPeriodEnd) + 86_400_000).toISOString();
  await story.travel(back);
  expect(await access()).toEqual([]);
  const page = await openPage(browser, { viewport: PHONE });
  await page.goto(url);
  expect(await page.getByRole("heading", { level: 1 }).first().textContent()).toBe("US$10.00 due");
  await page.getByText("You pay the US$5.00 that you owe, plus US$5.00 for Weekly until").waitFor();
  await inspect(page);
  await typeCard(page, CARDS.pays);
  await press(page, "Pay US$10.00");
  await paid(page);
  await story.settle();
  expect(await story.subscription(id)).toMatchObject({ status: "active", currentPeriodStart: back });
  expect(await newest(id)).toMatchObject({ status: "paid", restarted: true });
  expect(await access()).toEqual(["Single sign-on"]);
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("no state of the page has a fault that a machine can find", async () => {
    const page = await openPage(browser, { viewport });
    const { url } = await owe(CARDS.failsLater);
    await page.goto(url);
    await inspect(page);
    await page.getByText("Test cards").click();
    await inspect(page);
    await press(page, "Pay");
    await page.getByText("Please check the fields").waitFor();
    await inspect(page);
    await pay(page, CARDS.declined);
    await page.getByText("Payment failed").waitFor();
    await inspect(page);
    await pay(page, CARDS.asksBuyer);
    await page.getByText("Continue to your bank").waitFor();
    await inspect(page);
    await pay(page, CARDS.answerLost);
    await page.getByText("is being charged to").waitFor();
    await inspect(page);
    await story.settle();
    await paid(page);
    await inspect(page);
  });
});
